#!/usr/bin/env bash
# charts.sh FOLDER: draws the charts of FOLDER/figures.csv beside it, as PNG and SVG; needs gnuplot. report.sh starts it, and
# where there was no gnuplot, it can be started later and elsewhere. BUILD (build/release) from the environment.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:?charts.sh FOLDER} build=${BUILD:-$here/../../build/release}
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT

"${VKSOLVE_GNUPLOT:-gnuplot}" --version >/dev/null 2>&1 || {
    echo "no gnuplot here: bench/report/charts.sh $out draws the charts where there is one" >&2
    exit 0
}

table() { awk -F , "${@:2}" -f "$here/figures.awk" -f "$here/$1.awk" "$out/figures.csv" >"$tmp"; }

# draw KIND NAME OPTION...: the table, if it is one.
draw() { [[ ! -s $tmp ]] || "$build/bench/bench_chart" "$1" "${@:3}" "$out/$2.png" "$out/$2.svg" <"$tmp"; }

for device in host gpu; do
    for precision in f64 f32; do
        table ratios -v section=spmv -v device=$device -v precision=$precision
        draw bars "spmv-$device-$precision" --title "y = A x: time of others" --note "$device, $precision" \
            --y "times that of vksolve" --reference 1
        table ratios -v section=cg -v device=$device -v precision=$precision
        draw bars "cg-$device-$precision" --title "Conjugate gradients: time of an iteration of others" \
            --note "$device, $precision" --y "times that of vksolve" --reference 1
    done
done
table crossover
draw lines small --title "Small systems: time of an iteration" --note "grids of five points, f64, jacobi" --x unknowns \
    --y "us"
