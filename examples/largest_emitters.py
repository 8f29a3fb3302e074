#!/usr/bin/env python3
"""Total emissions by year and the largest emitters of a province, from a running Outfall.

    OUTFALL_KEY=prk_… python3 examples/largest_emitters.py ON

Needs nothing but Python 3.9 or newer. OUTFALL_URL is where the service listens, OUTFALL_HOST the
host name of its base URL.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import defaultdict
from decimal import Decimal

URL = os.environ.get("OUTFALL_URL", "http://127.0.0.1:8080")
HEADERS = {
    "x-gateway-host": os.environ.get("OUTFALL_HOST", "localhost"),
    "x-gateway-key": os.environ.get("OUTFALL_KEY", "none-needed-here"),
}


def get(path, parameters):
    """One answer. Waits as long as the service asks for when it has too much to do."""
    target = f"{URL}{path}?{urllib.parse.urlencode(parameters, doseq=True)}"
    while True:
        try:
            request = urllib.request.Request(target, headers=HEADERS)
            with urllib.request.urlopen(request) as answer:
                # Decimals, for the numbers are exact.
                return json.load(answer, parse_float=Decimal)
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            if error.code not in (429, 503):
                reasons = [entry["detail"] for entry in problem.get("errors", [])]
                sys.exit(f"{problem['title']}: {' '.join(reasons) or problem['detail']}")
            time.sleep(int(error.headers["Retry-After"]))


def records(path, **parameters):
    """Every match, page after page: `next_cursor` is null on the last one."""
    parameters["limit"] = 1000
    while True:
        page = get(path, parameters)
        yield from page["results"]
        if page["next_cursor"] is None:
            return
        parameters["cursor"] = page["next_cursor"]


def main():
    province = sys.argv[1] if len(sys.argv) > 1 else "ON"
    by_year = defaultdict(Decimal)
    by_facility = defaultdict(Decimal)
    for record in records("/emission", province=province):
        by_year[record["year"]] += record["total_co2e"]
        by_facility[record["facility_name"]] += record["total_co2e"]

    print(f"Tonnes CO2e of the facilities in {province}, by year")
    largest = max(by_year.values(), default=Decimal(1))
    for year, total in sorted(by_year.items()):
        print(f"{year}  {total:>20,.4f}  {'#' * int(40 * total / largest)}")

    print("\nThe largest emitters of all years together")
    for name, total in sorted(by_facility.items(), key=lambda item: (-item[1], item[0] or ""))[:5]:
        print(f"{total:>20,.4f}  {name}")


if __name__ == "__main__":
    main()
