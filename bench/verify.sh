#!/usr/bin/env bash
# Verifies elimination beside LAPACK, on hard matrices by formula and on the real ones of a folder, up to 4,096
# rows; and Jacobi iterations beside spectral radii. Says what is out of the ordinary, and leaves all of it in
# OUT as tables of comma-separated values. Ends with 2 where a bound is broken. Takes most of an hour on two
# cores; -l keeps elimination short.
#   bench/verify.sh [-b BUILD] [-d DEVICE] [-l LARGEST_ORDER] [-o OUT] FOLDER...
set -euo pipefail
build=$(dirname "$0")/../build/release device=host largest=4096 out=.
while getopts b:d:l:o: option; do
    case $option in
    b) build=$OPTARG ;;
    d) device=$OPTARG ;;
    l) largest=$OPTARG ;;
    o) out=$OPTARG ;;
    *) exit 1 ;;
    esac
done
shift $((OPTIND - 1))
mkdir -p "$out"

formulas=()
for kind in random rows columns scaled hilbert wilkinson permuted orthogonal; do
    for n in 1 2 17 60 128 129 300 1000 2048 4095 4096; do
        ((n <= largest)) || continue
        # beyond, Hilbert's matrix is nothing but noise, and Wilkinson's leaves the range of f32
        [[ $n -le 128 || ! $kind =~ hilbert|wilkinson ]] || continue
        formulas+=("$kind:$n")
    done
done

status=0
# verify NAME PROGRAM...: its table to NAME.csv, what is not plainly right to the screen.
verify() {
    echo "== $*" | cut -c 1-100
    "${@:2}" >"$out/$1.csv" || status=$?
    grep -v ',ok$' "$out/$1.csv" || true
}

for precision in f64 f32; do
    verify "dense_$precision" "$build/bench/bench_verify_dense" --device "$device" --precision $precision \
        --largest "$largest" --csv "${formulas[@]}" "$@"
done
verify jacobi "$build/bench/bench_verify_jacobi" --device "$device" --csv "$@"
exit $status
