#!/usr/bin/env bash
# What ./run bench starts: bench/run.sh [ARGUMENT...] hands its arguments to bench_cg; without any, a default set runs on
# the host and, where there is one, on the GPU. Builds nothing: ./run bench has done that.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${BUILD:-build/release}
[[ -x $build/bench/bench_cg ]] || {
    echo "there is no $build/bench/bench_cg: ./run build makes it" >&2
    exit 1
}
if (($#)); then
    exec "$build/bench/bench_cg" "$@"
fi

# The columns that fit a screen; docs/performance.md says what all of them are.
show() {
    awk -F '\t' -v OFS='\t' '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "matrix", "unknowns", "", "preconditioner", "ends as", "iterations",
            "seconds", "us/iteration", "min..max", "share", "SpMV us", "share"; next }
        { print $at["matrix"], $at["n"], $at["precision"], $at["precond"], $at["reason"], $at["iterations"],
            $at["solve_s"], $at["iteration_us"], $at["iteration_us_min"] ".." $at["iteration_us_max"],
            $at["iteration_share"], $at["spmv_us"], $at["spmv_share"] }' |
        if command -v column >/dev/null; then column -t -s "$(printf '\t')"; else cat; fi
}

# on DEVICE MATRIX...: about one solve in each precision with each preconditioner, REPEATS times.
on() {
    local table
    table=$("$build/bench/bench_cg" --device "$1" --repeats "${REPEATS:-3}" "${@:2}")
    printf '\n%s, copy bandwidth %s GB/s\n' "$(awk -F '\t' 'NR == 2 { print $1 }' <<<"$table")" \
        "$(awk -F '\t' 'NR == 2 { print $19 }' <<<"$table")"
    show <<<"$table"
}

real=(matrices/s1rmq4m1.mtx.gz matrices/bodyy4.mtx.gz)
on host poisson3d:64 poisson3d:128 "${real[@]}"
if "$build/vksolve" devices | grep -q '^\* *[0-9]'; then # the automatic choice is not the host
    on gpu poisson3d:64 poisson3d:128 poisson3d:256 "${real[@]}"
fi

if [[ -d ../shared/peers ]]; then
    cat <<END_

To compare with other packages, once their programs are built (the README in each folder says how):
  bench/cpu.sh $build/bench/bench_cg /tmp/peers poisson3d:128      # ../shared/peers/cpu
  bench/cpu_spmv.sh $build/vksolve /tmp/peers/omp_ref poisson3d:128
  bench/gpu.sh $build/bench/bench_cg PATH/cusparse_bench           # ../shared/peers/gpu
END_
fi
