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
from decimal import Decimal

URL = os.environ.get("OUTFALL_URL", "http://127.0.0.1:8080")
HEADERS = {
    "x-gateway-host": os.environ.get("OUTFALL_HOST", "localhost"),
    "x-gateway-key": os.environ.get("OUTFALL_KEY", "none-needed-here"),
}


def get(path, **parameters):
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


def tonnes(entry):
    return Decimal(entry["sum"]["tonnes"])


def main():
    province = sys.argv[1] if len(sys.argv) > 1 else "ON"
    # The service adds up: by year, and by the id of the facility, for its name may change and
    # another facility may have the same. Years are all there; of the facilities, the five largest.
    answer = get("/emission", province=province, limit=0, facets="year,facility", facet_sort="sum", facet_limit=5)
    years, facilities = answer["facets"]["year"], answer["facets"]["facility"]

    print(f"Tonnes CO2e of the facilities in {province}, by year")
    largest = max((tonnes(year) for year in years), default=Decimal(1)) or Decimal(1)
    for year in sorted(years, key=lambda year: year["value"]):
        print(f"{year['value']}  {tonnes(year):>20,.4f}  {'#' * int(40 * tonnes(year) / largest)}")

    print("\nThe largest emitters of all years together, under their latest names")
    for facility in facilities:
        print(f"{tonnes(facility):>20,.4f}  {facility['value']:<8}  {facility['label_en']}")


if __name__ == "__main__":
    main()
