#!/usr/bin/env python3
# %% [markdown]
# # Questions for two Parquet files
#
# A notebook as a script: Jupyter, VS Code and Spyder run it cell by cell, and so does
#
#     OUTFALL_KEY=prk_… python3 examples/questions.py
#
# Needs DuckDB, pandas and pyarrow (`pip install duckdb pandas pyarrow`). OUTFALL_URL is where the
# service listens, OUTFALL_HOST the host name of its base URL.

# %% Download what is needed, as files that every later cell can ask
import json
import os
import shutil
import tempfile
import urllib.parse
import urllib.request
from decimal import Decimal
from pathlib import Path

import duckdb
import pandas

URL = os.environ.get("OUTFALL_URL", "http://127.0.0.1:8080")
HEADERS = {
    "x-gateway-host": os.environ.get("OUTFALL_HOST", "localhost"),
    "x-gateway-key": os.environ.get("OUTFALL_KEY", "none-needed-here"),
}
FOLDER = Path(tempfile.mkdtemp(prefix="outfall-"))


def ask(path, **parameters):
    """An answer. A problem raises `HTTPError`, one that breaks off `IncompleteRead`."""
    target = f"{URL}{path}?{urllib.parse.urlencode(parameters, doseq=True)}"
    return urllib.request.urlopen(urllib.request.Request(target, headers=HEADERS))


def download(name, path, **parameters):
    """Every match as a Parquet file, which is written piece by piece, whatever its size."""
    file = FOLDER / name
    with ask(path, format="parquet", **parameters) as answer, open(file, "wb") as out:
        shutil.copyfileobj(answer, out)
    return str(file)


releases = download("releases.parquet", "/release", substance=["mercury", "lead", "PM2.5"])
emissions = download("emissions.parquet", "/emission")


def exact(number):
    """All digits, without zeros at the end and without an exponent."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def show(title, answer):
    """Prints a table with every digit of its numbers."""
    print(f"\n{title}\n" + "\t".join(answer.columns))
    for row in answer.fetchall():
        print("\t".join(exact(cell) if isinstance(cell, Decimal) else str(cell) for cell in row))


# %% [markdown]
# Numbers are `DECIMAL`s in the files, in DuckDB and in what `fetchall` returns: nothing is rounded,
# whatever is added up. Only `/` and `avg` make floats.

# %% How much mercury went into air and water, year by year?
mercury = duckdb.sql(f"""
    SELECT year,
           sum(quantity_kg) FILTER (medium_en = 'Air') AS air_kg,
           sum(quantity_kg) FILTER (medium_en = 'Water') AS water_kg
    FROM '{releases}'
    WHERE cas_number = '7439-97-6' OR substance_en ILIKE 'mercury%'
    GROUP BY year ORDER BY year
""")
show("Mercury by year", mercury)

# %% Who releases the most lead, and what part of all of it is that?
lead = duckdb.sql(f"""
    WITH lead AS (FROM '{releases}' WHERE substance_en ILIKE 'lead%' AND quantity_kg IS NOT NULL)
    SELECT facility_id, max_by(facility_name, year) AS latest_name, sum(quantity_kg) AS kg,
           round(100 * sum(quantity_kg)::DOUBLE / any_value(whole)::DOUBLE, 1) AS percent
    FROM lead, (SELECT sum(quantity_kg) AS whole FROM lead) GROUP BY facility_id ORDER BY kg DESC, facility_id LIMIT 5
""")
show("The largest releases of lead, all years together", lead)

# %% Which facilities cut their greenhouse gases the most between two years?
cuts = duckdb.sql(f"""
    SELECT facility_id, max_by(facility_name, year) AS latest_name,
           sum(total_co2e) FILTER (year = 2012) AS in_2012,
           sum(total_co2e) FILTER (year = 2022) AS in_2022,
           in_2022 - in_2012 AS change
    FROM '{emissions}' WHERE year IN (2012, 2022)
    GROUP BY facility_id HAVING count(DISTINCT year) = 2
    ORDER BY change, facility_id LIMIT 5
""")
show("The largest cuts in tonnes of CO2e, 2012 to 2022", cuts)

# %% Which facilities are large in both inventories?
# `ghgrp_id` of a release is the `facility_id` of its emissions.
both = duckdb.sql(f"""
    WITH dust AS (
        SELECT ghgrp_id, sum(quantity_kg) AS pm25_kg FROM '{releases}'
        WHERE ghgrp_id IS NOT NULL AND substance_en ILIKE 'PM2.5%' GROUP BY ghgrp_id
    ), gases AS (
        SELECT facility_id, max_by(facility_name, year) AS latest_name,
               sum(total_co2e) AS tonnes_co2e
        FROM '{emissions}' GROUP BY facility_id
    )
    SELECT facility_id, latest_name, tonnes_co2e, pm25_kg
    FROM gases JOIN dust ON ghgrp_id = facility_id
    ORDER BY tonnes_co2e DESC, facility_id LIMIT 5
""")
show("Greenhouse gases and fine particles of the same facilities", both)

# %% The same in pandas
# With Arrow's types numbers stay decimals; without `dtype_backend` they would be Python objects.
frame = pandas.read_parquet(releases, dtype_backend="pyarrow")
dust = frame[frame["substance_en"].str.startswith("PM2.5").fillna(False)]
print("\nFine particles by province, in kg")
for province, kilograms in dust.groupby("province")["quantity_kg"].sum().items():
    print(f"{province}\t{exact(kilograms)}")

# %% Does the service add up to the same?
# For a few sums no file is needed: the service adds up exactly, too.
with ask("/emission", limit=0, facets="year") as answer:
    served = json.load(answer, parse_float=Decimal)["facets"]["year"]
counted = duckdb.sql(f"""
    SELECT year, sum(total_co2e) FROM '{emissions}' GROUP BY year ORDER BY year
""").fetchall()
assert [(int(year["value"]), Decimal(year["sum"]["tonnes"])) for year in served] == counted
print(f"\nThe service and DuckDB agree on the emissions of {len(counted)} years, digit by digit.")
