#!/bin/sh
# bench/run.sh BUILD - runs every benchmark; each prints its own table, with what is wanted of it.
set -eu
build=$1
here=$(dirname "$0")
times=$(mktemp)
trap 'rm -f "$times"' EXIT

for source in "$here"/bench_*.c; do
    name=$(basename "$source" .c)
    printf '== %s\n' "${name#bench_}"
    if [ "$name" = bench_motion ]; then
        "$build/$name" "$times"
    else
        "$build/$name"
    fi
    echo
done

printf '== sweeps on processes, and with a journal\n'
python3 "$here/sweep_machines.py" "$build"
echo

printf '== rolling\n'
python3 "$here/rolling.py" "$build"
echo

# One round at one error; BENCH_TRAJECTORIES=full measures all, which takes a quarter of an hour, no leaves them out.
case ${BENCH_TRAJECTORIES:-short} in
short) trajectories='ROUNDS=1 ERRORS=1e-9' ;;
full) trajectories='' ;;
*) trajectories=no ;;
esac
if [ "$trajectories" != no ]; then
    printf '== trajectories\n'
    # shellcheck disable=SC2086 # words
    env $trajectories python3 "$here/trajectories.py" "$build"
    echo
fi

printf '== scipy\n'
# The system's Python first: another one may lack SciPy.
for python in /usr/bin/python3 python3 none; do
    if [ "$python" = none ]; then
        echo 'SciPy is not to be had here (package python3-scipy): no comparison with it'
    elif "$python" -c 'import scipy.integrate' 2>/dev/null; then
        "$python" "$here/scipy_motion.py" "$times"
        break
    fi
done

printf '\n== python\n'
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    /usr/bin/python3 "$here/python_calls.py" "$build"
else
    echo 'NumPy is not to be had here (package python3-numpy)'
fi

printf '\n== page\n'
if command -v node >/dev/null; then
    python3 "$here/page_motion.py" "$build"
else
    echo 'Node is not to be had here (package nodejs)'
fi
