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

# How many records of mercury are there? limit=0 answers with the count alone.
ask /release q=mercury limit=0
# Two words must both match, in whatever text of the record they stand.
ask /release 'q=mercury Ontario' limit=1
# OR binds tighter than the space, - excludes, quotes make a phrase of words.
ask /release 'q="sulphur dioxide" OR benzene -Alberta' limit=1
# One substance by its CAS number, in either of its spellings.
ask /release substance=7446-09-5 limit=1
# The largest releases by mass, comparable whatever unit they were reported in.
ask /release sort_by=value value_unit=tonnes limit=3
# A branch of industry (oil and gas) in two provinces, since 2015.
ask /release naics_code=211 province=AB 'province=Colombie-Britannique' date_from=2015 limit=1
# One facility in both inventories: its NPRI id finds its greenhouse gases as well.
ask /emission facility_id=G10001 limit=2
# The large emitters of a year, largest first.
ask /emission date_from=2019 date_to=2019 value_min=100000 sort_by=value limit=3
# French finds what English finds.
ask /release 'q=mercure Québec' limit=0
# Every match as a file for a spreadsheet.
ask /emission province=QC date_from=2020 format=csv limit=3
