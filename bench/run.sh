#!/usr/bin/env bash
# What ./run bench starts: the report (bench/report/report.sh, whose --help says what it takes), or, where the first
# argument is the name of a program, that: ./run bench cg --device gpu poisson3d:128 runs bench_cg; ./run bench tables is
# bench/tables.py. Builds nothing: ./run bench has done that.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[[ ${1:-} != tables ]] || exec bench/tables.py "${@:2}"
program=${BUILD:-build/release}/bench/bench_${1:-}
if [[ ${1:-} =~ ^[a-z_]+$ && -x $program ]]; then
    exec "$program" "${@:2}"
fi
exec bench/report/report.sh "$@"
