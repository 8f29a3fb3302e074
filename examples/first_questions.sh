#!/bin/sh
# Ten questions worth asking, each as one curl command.
#
#   OUTFALL_KEY=prk_… sh examples/first_questions.sh
#
# OUTFALL_URL is where the service listens, OUTFALL_HOST the host name of its base URL.
set -eu
url=${OUTFALL_URL:-http://127.0.0.1:8080}
host=${OUTFALL_HOST:-localhost}

# ask PATH [NAME=VALUE…]: curl encodes the values, whatever stands in them.
ask() {
    path=$1
    shift
    printf '\n# %s %s\n' "$path" "$*"
    for pair; do
        set -- "$@" --data-urlencode "$pair"
        shift
    done
    curl --silent --show-error --fail-with-body --get "$url$path" "$@" \
        -H "x-gateway-host: $host" -H "x-gateway-key: ${OUTFALL_KEY:-none-needed-here}"
    echo
}

# Which facility in Sarnia released the most fine particles since 2010?
ask /release city=Sarnia substance=PM2.5 year=2010-2024 limit=0 facets=facility facet_sort=sum
# How much mercury went into the air, year by year?
ask /release substance=mercury medium=air limit=0 facets=year
# The ten largest emitters of a province in a year.
ask /emission province=AB year=2022 sort_by=value limit=10
# What did a company release? Part of its name is enough.
ask /release 'company=Silver Birch' limit=0 facets=substance facet_sort=sum
# Everything within ten kilometres of a place.
ask /release near=42.97,-82.40 within_km=10 limit=1
# Two years side by side, province by province.
ask /release substance=SO2 year=2019 year=2023 limit=0 'facets=year*province'
# OR binds tighter than the space, - excludes, quotes make a phrase of words.
ask /release 'q="sulphur dioxide" OR benzene -Alberta' limit=1
# One facility in both inventories: its NPRI id finds its greenhouse gases as well.
ask /emission facility_id=G10001 limit=2
# French finds what English finds.
ask /release 'q=mercure Québec' limit=0
# Every match as a file for a spreadsheet.
ask /emission province=QC date_from=2020 format=csv limit=3
