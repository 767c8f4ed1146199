#!/usr/bin/env bash
# bench/gpu.sh BENCH_CG CUSPARSE_BENCH [KIND:SIZE...]
# Conjugate gradients on one NVIDIA GPU: vksolve and cuSPARSE + cuBLAS in a CUDA graph, in turns, ROUNDS times; prints
# the time of an iteration of both and, below, what an iteration of vksolve is made of. Builds nothing.
#
# BENCH_CG is build/release/bench/bench_cg. CUSPARSE_BENCH is built from peers/gpu/cusparse_bench.cu as its README says.
# ROUNDS (3), REPEATS (3: solves in a round), DEVICE (gpu), PRECISION (f64,f32), PRECOND (none,jacobi), VARIANTS
# (graph), PEER_OPTIONS ("") and OUT (where the raw tables are left; a folder in /tmp) come from the environment.
set -euo pipefail

(($# >= 2)) || {
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 1
}
ours=$1 theirs=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
(($#)) || set -- poisson2d:512 poisson2d:1024 poisson3d:64 poisson3d:128 poisson3d:256 elasticity3d:48
rounds=${ROUNDS:-3} repeats=${REPEATS:-3}
out=${OUT:-$(mktemp -d)}
mkdir -p "$out"
rm -f "$out"/{ours,lines,kernels}.tsv "$out/theirs.csv"
touch "$out/lines.tsv"

# By the names in the header: pick SEPARATOR NAME... prints those columns, parted by tabs.
pick() {
    awk -F "$1" -v names="${*:2}" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? "\t" : "\n" }'
}

run_ours() { # MATRIX ROUND
    local only=()
    (($2 == 1)) || only=(--solves-only)
    "$ours" --device "${DEVICE:-gpu}" --precision "${PRECISION:-f64,f32}" --precond "${PRECOND:-none,jacobi}" \
        --repeats "$repeats" "${only[@]}" "$1" >"$out/now.tsv"
    cat "$out/now.tsv" >>"$out/ours.tsv"
    (($2 > 1)) || cat "$out/now.tsv" >>"$out/kernels.tsv"
    pick '\t' matrix precision precond iteration_us iteration_us_min iteration_us_max iterations solve_s \
        <"$out/now.tsv" | sed 's/^/vksolve\t/' >>"$out/lines.tsv"
}

run_theirs() { # MATRIX
    rm -f "$out/now.csv"
    # shellcheck disable=SC2086 # options are words
    "$theirs" --csv "$out/now.csv" --cg --prec "${PRECISION:-f64,f32}" --precond "${PRECOND:-none,jacobi}" \
        --variants "${VARIANTS:-graph}" --cgreps "$repeats" ${PEER_OPTIONS:-} "${1/elasticity3d/elasticity}" \
        >>"$out/theirs.log"
    cat "$out/now.csv" >>"$out/theirs.csv"
    pick , mode prec precond per_iter_us iters_run time_us bench status <"$out/now.csv" |
        awk -F '\t' -v OFS='\t' -v matrix="$1" '$7 == "cg" && $8 == "ok" {
            print "cusparse-" $1, matrix, $2, $3, $4, $4, $4, $5, $6 * 1e-6 }' >>"$out/lines.tsv"
}

aligned() { if command -v column >/dev/null; then column -t -s "$(printf '\t')"; else cat; fi; }

for matrix in "$@"; do
    for ((round = 1; round <= rounds; round++)); do
        echo "$matrix, round $round of $rounds" >&2
        run_ours "$matrix" "$round" || echo "$matrix: vksolve failed" >&2
        run_theirs "$matrix" || echo "$matrix: $theirs failed" >&2
    done
done

echo "Microseconds per iteration: median and extremes of $rounds rounds of $repeats solves."
awk -f "$here/median.awk" -f "$here/compare.awk" "$out/lines.tsv" | tee "$out/compare.tsv" | aligned
echo
echo "An iteration of vksolve, and SpMV alone; shares of the copy bandwidth."
{
    printf 'matrix\tprecision\tprecond\treason\ttrue_residual\tdispatches\tMB\tcopy_GB/s\tshare\tspmv_us\tspmv_share\tkernels_us\n'
    pick '\t' matrix precision precond reason true_residual dispatches iteration_bytes copy_gbs iteration_share spmv_us \
        spmv_share kernels_us <"$out/kernels.tsv" |
        awk -F '\t' -v OFS='\t' '$1 != "matrix" { $7 = sprintf("%.2f", $7 / 1e6); print }'
} | aligned
echo
rm -f "$out"/now.*
echo "Raw tables: $out"
