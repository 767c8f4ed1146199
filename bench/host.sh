#!/usr/bin/env bash
# host.sh SYSTEM...: microseconds an iteration of Jacobi-CG on the host, as programs meet it: alone, in pipelines, from
# Python, two at once, and beside a busy process. SYSTEM: FILE.mtx, or poisson3d:N. A table of tab-separated values.
#
# VKSOLVE (the command), LIBRARY (libvksolve.so); OLD: another build of the command, run by itself, with
# OMP_WAIT_POLICY=active and with one thread; PETSC: petsc_ksp of ../shared/peers/cpu, run on two ranks;
# RUNS: how many, in turns; of each column the median is printed (5).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/release command=${VKSOLVE:-$root/build/release/vksolve} library=${LIBRARY:-$build/libvksolve.so}
runs=${RUNS:-5} work=$(mktemp -d)
trap 'rm -rf "$work"; kill $(jobs -p) 2>/dev/null || true' EXIT
unset OMP_NUM_THREADS OMP_WAIT_POLICY GOMP_SPINCOUNT

# of REPORT...: the mean of the microseconds an iteration
each() {
    awk -F'[:,]' '/"iterations"/ { n = $2 } /"solve"/ { s += 1e6 * $2 / n; k++ } END { printf "%.1f\n", s / k }' "$@"
}
solve() { # REPORT COMMAND...
    "${@:2}" solve "$matrix" --device host --precond jacobi --json "$1" >/dev/null 2>&1 || [[ $? == 2 ]]
}
alone() { solve "$work/1.json" "$@" && each "$work/1.json"; }
piped() {
    "$@" solve "$matrix" --device host --precond jacobi --json "$work/2.json" 2>&1 | cat >/dev/null
    each "$work/2.json"
}
fed() {
    cat "$matrix" | "$@" solve - --device host --precond jacobi --json "$work/3.json" >/dev/null 2>&1 || [[ $? == 2 ]]
    each "$work/3.json"
}
two() {
    solve "$work/4.json" "$@" &
    local other=$!
    solve "$work/5.json" "$@"
    wait $other
    each "$work/4.json" "$work/5.json"
}
busy() {
    (while :; do :; done) &
    local loop=$!
    alone "$@"
    kill $loop
    wait $loop 2>/dev/null || true
}
python() { python3 "$root/bench/host.py" "$library" "$matrix"; }
petsc() {
    OMP_NUM_THREADS=1 mpirun --allow-run-as-root --bind-to none -np 2 "$PETSC" "$matrix" -pc_type jacobi 2>/dev/null |
        awk -F'\t' '$1 == "RESULT" { printf "%.1f\n", 1e6 * $11 / $9 }'
}

# All of a row once, a number a line in the order of the columns.
measure() {
    OMP_NUM_THREADS=1 alone "$command"
    alone "$command"
    piped "$command"
    fed "$command"
    python
    two "$command"
    busy "$command"
    OMP_NUM_THREADS=1 busy "$command"
    if [[ ${OLD:-} ]]; then
        OMP_NUM_THREADS=1 alone "$OLD"
        OMP_WAIT_POLICY=active alone "$OLD"
        alone "$OLD"
    fi
    if [[ ${PETSC:-} ]]; then petsc; fi
}

columns=(system 'one thread' alone '| cat' 'cat |' python 'two at once' 'beside a busy process' 'the same, one thread')
[[ ${OLD:-} ]] && columns+=('old, one thread' 'old, active' old)
[[ ${PETSC:-} ]] && columns+=('PETSc, two ranks')
(IFS=$'\t' && echo "${columns[*]}")
for system in "$@"; do
    matrix=$system
    if [[ $system == *:* ]]; then
        matrix=$work/${system/:/}.mtx
        "$command" generate "${system%:*}" "${system#*:}" -o "$matrix" >/dev/null
    fi
    # In turns, so that what else the machine does meets all columns alike.
    for ((r = 0; r < runs; r++)); do measure >"$work/run$r"; done
    row=("$(basename "$system")")
    for ((k = 1; k < ${#columns[@]}; k++)); do
        row+=("$(for ((r = 0; r < runs; r++)); do sed -n "${k}p" "$work/run$r"; done | sort -g | sed -n "$((runs / 2 + 1))p")")
    done
    (IFS=$'\t' && echo "${row[*]}")
done
