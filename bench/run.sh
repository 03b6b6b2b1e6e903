#!/bin/sh
# bench/run.sh BUILD - runs every benchmark; each prints its own table.
set -eu
build=$1

for source in "$(dirname "$0")"/bench_*.c; do
    name=$(basename "$source" .c)
    printf '== %s\n' "${name#bench_}"
    "$build/$name"
    echo
done
