"""Compares a Parquet and a GeoJSON file with the CSV file of the same request, value for value.

    same_as_csv.py FOLDER

The folder has `records.csv`, `records.parquet` and `records.geojson`. Prints how many records and
values are the same; any difference is an error.
"""

import csv
import json
import sys
from decimal import Decimal
from pathlib import Path

import pyarrow
import pyarrow.parquet
import shapely
import shapely.geometry

DEGREES = pyarrow.decimal128(18, 15)
TONNES_CO2E = pyarrow.decimal128(38, 15)
NUMBERS = {
    "quantity": pyarrow.decimal128(38, 21),
    "quantity_kg": pyarrow.decimal128(38, 18),
    "total_co2e": TONNES_CO2E,
    **{f"{gas}_co2e": TONNES_CO2E for gas in ("ch4", "n2o", "hfc", "pfc", "sf6")},
    "co2": TONNES_CO2E,
    "latitude": DEGREES,
    "longitude": DEGREES,
    "year": pyarrow.int32(),
}


def cell(value):
    """A value as CSV shows it."""
    if value is None:
        return ""
    if isinstance(value, Decimal):
        # All digits, without an exponent or zeros that only fill the places.
        text = f"{value:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return str(value)


def compare_parquet(path, header, rows):
    """The number of values that are the same."""
    table = pyarrow.parquet.read_table(path)
    table.validate(full=True)
    assert table.column_names == header, table.column_names
    assert table.num_rows == len(rows), table.num_rows
    for place, field in enumerate(table.schema):
        expected = NUMBERS.get(field.name, pyarrow.string())
        assert field.type == expected, field
        column = table.column(place).to_pylist()
        for row, value in zip(rows, column):
            assert cell(value) == row[place], (row[0], field.name, value, row[place])
    return table.num_rows * table.num_columns


def compare_geojson(path, header, rows):
    """The number of features with a place."""
    collection = json.loads(path.read_bytes(), parse_float=Decimal)
    assert collection["type"] == "FeatureCollection"
    assert len(collection["features"]) == len(rows), len(collection["features"])
    placed = 0
    for feature, row in zip(collection["features"], rows):
        record = dict(zip(header, row))
        assert feature["type"] == "Feature" and feature["id"] == record["record_id"], feature
        properties = feature["properties"]
        for name, value in record.items():
            assert cell(properties[name]) == value, (feature["id"], name, properties[name], value)
        degrees = [record["longitude"], record["latitude"]]
        if "" in degrees:
            assert feature["geometry"] is None, feature
            continue
        point = shapely.geometry.shape(feature["geometry"])
        assert point.geom_type == "Point" and shapely.is_valid(point), feature
        assert [cell(degree) for degree in feature["geometry"]["coordinates"]] == degrees, feature
        assert [point.x, point.y] == [float(degree) for degree in degrees], feature
        placed += 1
    return placed


def main():
    folder = Path(sys.argv[1])
    with open(folder / "records.csv", encoding="utf-8-sig", newline="") as file:
        header, *rows = csv.reader(file)
    values = compare_parquet(folder / "records.parquet", header, rows)
    placed = compare_geojson(folder / "records.geojson", header, rows)
    print(f"{len(rows)} records, {values} values, {placed} places")


main()
