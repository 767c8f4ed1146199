#!/usr/bin/env bash
# The picture of the README: how the residual falls over time by conjugate gradients with the diagonal and with multigrid.
#   picture.sh measure VKSOLVE DEVICE SIZE CSV    Poisson's equation on SIZE^2 points: method,seconds,residual
#   picture.sh draw CSV SVG TITLE                 draws what was measured; needs gnuplot
set -euo pipefail

# of FILE KEY: a number of a report in JSON.
of() { sed -n "s/^ *\"$2\": \([0-9.e+-]*\),\{0,1\}\$/\1/p" "$1" | head -n 1; }

measure() {
    local vksolve=$1 device=$2 size=$3 csv=$4 work precond
    work=$(mktemp -d)
    trap 'rm -rf "$work"' RETURN
    "$vksolve" generate poisson2d "$size" -o "$work/A.mtx"
    "$vksolve" solve "$work/A.mtx" -d "$device" --precond amg/f32 --max-iterations 1 -q || true # kernels are compiled
    echo "method,seconds,residual" >"$csv"
    for precond in jacobi amg/f32; do
        "$vksolve" solve "$work/A.mtx" -d "$device" --precond "$precond" --history "$work/h.csv" --json "$work/r.json"
        awk -F, -v name="CG with $precond" -v setup="$(of "$work/r.json" setup)" -v solve="$(of "$work/r.json" solve)" \
            -v last="$(of "$work/r.json" iterations)" \
            'NR > 1 && ($1 % (int(last / 250) + 1) == 0 || $1 == last) { printf "%s,%.6g,%.4g\n", name, setup + solve * $1 / last, $2 }' "$work/h.csv" >>"$csv"
    done
}

draw() {
    gnuplot <<END
set terminal svg size 860,400 font 'Helvetica,15' background 'white'
set output '$2'
set datafile separator ','
set title "$3"
set xlabel 'seconds, set-up included'
set ylabel '||b - A x|| / ||b||'
set logscale y
set format y '10^{%T}'
set yrange [5e-9:3]
set grid ytics linecolor '#dddddd' linetype 1
set border 3
set tics nomirror
set key top right
plot '< grep "^CG with jacobi" $1' using 2:3 with lines linewidth 2 linecolor '#999999' title 'conjugate gradients with the diagonal', \
     '< grep "^CG with amg" $1' using 2:3 with linespoints pointtype 7 pointsize 0.5 linewidth 2 linecolor '#c0392b' \
     title 'conjugate gradients with multigrid'
END
}

case ${1:-} in
measure | draw) "$@" ;;
*) sed -n '2,4s/^# *//p' "$0" >&2 && exit 1 ;;
esac
