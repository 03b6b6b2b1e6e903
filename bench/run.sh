#!/bin/sh
# bench/run.sh BUILD - runs every benchmark; each prints lines "what<TAB>value<TAB>unit<TAB>note",
# shown here as one table.
set -eu
build=$1

for source in "$(dirname "$0")"/bench_*.c; do
    name=$(basename "$source" .c)
    "$build/$name" | sed "s/^/${name#bench_}	/"
done | awk -F '\t' '
    BEGIN { printf "%-12s %-52s %12s %-8s %s\n", "benchmark", "what", "value", "unit", "note" }
    { printf "%-12s %-52s %12s %-8s %s\n", $1, $2, $3, $4, $5 }'
