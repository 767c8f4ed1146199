#!/usr/bin/env bash
# bench/cpu.sh BENCH_CG PEERS [KIND:SIZE|FILE.mtx...]
# Conjugate gradients on the host: vksolve and the packaged CPU libraries, in turns, ROUNDS times, on the same cores;
# prints the time of an iteration of each. Builds nothing.
#
# BENCH_CG is build/release/bench/bench_cg. PEERS is the folder of the programs that peers/cpu/Makefile builds; those that
# are not there are left out. KIND: poisson2d, poisson3d. ROUNDS (3), REPEATS (3: solves in a round), PRECISION (f64,f32),
# THREADS (as many as there are cores) and OUT (where the raw tables are left; a folder in /tmp) come from the environment.
set -euo pipefail

(($# >= 2)) || {
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 1
}
ours=$1 peers=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
(($#)) || set -- poisson3d:64 poisson3d:128
rounds=${ROUNDS:-3} threads=${THREADS:-$(nproc)}
out=${OUT:-$(mktemp -d)}
mkdir -p "$out"
rm -f "$out"/{ours,lines}.tsv "$out/peers.log"
touch "$out/lines.tsv"
export OMP_NUM_THREADS=$threads REPS=${REPEATS:-3} SPMV_REPS=3

# Columns of ours, by the names in the header.
pick() {
    awk -F '\t' -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? "\t" : "\n" }'
}

run_ours() { # MATRIX
    "$ours" --device host --precision "${PRECISION:-f64,f32}" --repeats "$REPS" --rhs product --solves-only "$1" \
        >"$out/now.tsv"
    cat "$out/now.tsv" >>"$out/ours.tsv"
    pick matrix precision precond iteration_us iteration_us_min iteration_us_max iterations solve_s <"$out/now.tsv" |
        awk -F '\t' -v OFS='\t' -v matrix="$(basename "$1")" '{ $1 = "vksolve\t" matrix; print }' >>"$out/lines.tsv"
}

# peer PROGRAM MATRIX COMMAND...: the plain and the diagonally preconditioned solves among the RESULT lines.
peer() {
    local program=$1 matrix=$2
    shift 2
    [[ -x $peers/$program ]] || return 0
    "$@" >"$out/now.log" 2>&1 || echo "$matrix: $program failed, see $out/peers.log" >&2
    cat "$out/now.log" >>"$out/peers.log"
    awk -F '\t' -v OFS='\t' -v matrix="$(basename "$matrix")" '
        $1 == "RESULT" && $9 > 0 {
            method = tolower($6)
            precond = method ~ /^cg(\+none)?$/ ? "none" : method ~ /^cg\+(jacobi|diag[a-z]*)$/ ? "jacobi" : ""
            us = 1e6 * $11 / $9
            if (precond != "") print $2, matrix, $7, precond, us, us, us, $9, $11
        }' "$out/now.log" >>"$out/lines.tsv"
}

run_peers() { # MATRIX
    local mpi=(mpirun --allow-run-as-root --bind-to none -np "$threads")
    peer omp_ref "$1" "$peers/omp_ref" cg "$1"
    peer eigen_cg "$1" "$peers/eigen_cg" "$1"
    peer viennacl_openmp "$1" "$peers/viennacl_openmp" "$1" cg jacobi
    OMP_NUM_THREADS=1 peer petsc_ksp "$1" "${mpi[@]}" "$peers/petsc_ksp" "$1" -label cg -pc_type none
    OMP_NUM_THREADS=1 peer petsc_ksp "$1" "${mpi[@]}" "$peers/petsc_ksp" "$1" -label cg+jacobi -pc_type jacobi
}

for matrix in "$@"; do
    for ((round = 1; round <= rounds; round++)); do
        echo "$matrix, round $round of $rounds" >&2
        run_ours "$matrix" || echo "$matrix: vksolve failed" >&2
        run_peers "$matrix"
    done
done

echo "Microseconds per iteration on $threads threads: median and extremes of $rounds rounds. Other work on the machine"
echo "(load $(cut -d ' ' -f 1 /proc/loadavg)) slows all of them: compare, and repeat when it is quiet."
awk -f "$here/median.awk" -f "$here/compare.awk" "$out/lines.tsv" | tee "$out/compare.tsv" |
    if command -v column >/dev/null; then column -t -s "$(printf '\t')"; else cat; fi
echo
rm -f "$out"/now.*
echo "Raw tables: $out"
