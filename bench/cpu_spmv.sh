#!/usr/bin/env bash
# bench/cpu_spmv.sh VKSOLVE OMP_REF KIND:SIZE|FILE.mtx...
# y = A x on the host, here in CSR or another FORMAT: vksolve and the plain C + OpenMP loop of peers/cpu/omp_ref.c, in
# turns, ROUNDS times, on the same cores and with threads that wait in the same way; and the share of STREAM's triad, as
# omp_ref measures it in each round. Both take one copy of the matrix, so that those which fit the cache are read from
# there. Builds nothing.
#
# VKSOLVE is build/release/vksolve, OMP_REF what `make omp_ref` of peers/cpu builds. KIND: poisson2d, poisson3d. FORMAT
# (csr), ROUNDS (5), THREADS (as many as there are cores), OMP_WAIT_POLICY (passive: threads that spin on a shared machine
# are measured instead) and OUT (where the raw figures are left; a folder in /tmp) come from the environment.
set -euo pipefail

(($# >= 3)) || {
    sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
    exit 1
}
ours=$1 peer=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
format=${FORMAT:-csr} rounds=${ROUNDS:-5} threads=${THREADS:-$(nproc)}
out=${OUT:-$(mktemp -d)}
mkdir -p "$out"
: >"$out/lines.tsv"
export OMP_NUM_THREADS=$threads OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive} SPMV_REPS=10 STREAM_LOG2N=${STREAM_LOG2N:-24}

# side, matrix, precision, microseconds, the fewest of them, the most, GB/s; parted by tabs
run_ours() { # MATRIX PRECISION
    "$ours" spmv "$1" --formats "$format" --device host --precision "$2" --products 10 --quiet --csv "$out/now.csv"
    awk -F , -v OFS='\t' -v matrix="$(basename "$1")" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print "vksolve", matrix, $at["precision"], 1e6 * $at["seconds"], 1e6 * $at["seconds_least"],
            1e6 * $at["seconds_most"], 1e-9 * $at["bandwidth"] }' "$out/now.csv"
}

run_peer() { # MATRIX
    "$peer" spmv "$1" | awk -F '\t' -v OFS='\t' -v matrix="$(basename "$1")" \
        '$1 == "SPMV" { us = 1e3 * $9; print "omp_ref", matrix, $7, us, us, us, $10 + 0 }'
}

run_stream() {
    "$peer" stream | awk -F '\t' -v OFS='\t' \
        '$1 == "STREAM" { sub(/.*triad /, "", $6); print "stream", "-", $2, 0, 0, 0, $6 + 0 }'
}

for ((round = 1; round <= rounds; round++)); do
    run_stream >>"$out/lines.tsv"
    for matrix in "$@"; do
        echo "round $round of $rounds, $matrix" >&2
        { run_ours "$matrix" f64 && run_peer "$matrix" && run_ours "$matrix" f32; } >>"$out/lines.tsv"
    done
done

echo "Microseconds of a product in $format on $threads threads: median and extremes of $rounds rounds; GB/s by formula, and the share of"
echo "STREAM's triad in the best rounds. Other work on the machine (load $(cut -d ' ' -f 1 /proc/loadavg)) slows both: repeat when"
echo "it is quiet."
awk -f "$here/median.awk" -f "$here/compare_spmv.awk" "$out/lines.tsv" | tee "$out/compare.tsv" |
    if command -v column >/dev/null; then column -t -s "$(printf '\t')"; else cat; fi
rm -f "$out/now.csv"
echo
echo "Raw figures: $out"
