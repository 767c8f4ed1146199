#!/usr/bin/env bash
# Iterations of conjugate gradients to 1e-8 in f64 (b = A times ones) with no preconditioner, with the diagonal, and with
# blocks, natural and of each size, as rows of a Markdown table. Iterations are the same on every device.
#   bench/block_jacobi.sh [-v VKSOLVE] [-d DEVICE] FILE...
# "limit": not converged within the default limit; another reason is printed as it is.
set -euo pipefail
vksolve=$(dirname "$0")/../build/release/vksolve device=host
while getopts v:d: option; do
    case $option in
    v) vksolve=$OPTARG ;;
    d) device=$OPTARG ;;
    *) exit 1 ;;
    esac
done
shift $((OPTIND - 1))
sizes="2 3 4 6 8 16 32"

# The value of a key of the report in $json, or of the object `matrix` in it: `value rows "  "`.
value() { sed -n "s/^  ${2:-}\"$1\": *\"\{0,1\}\([^\",}]*\)\"\{0,1\},\{0,1\}$/\1/p" <<<"$json" | head -n 1; }

# iterations FILE OPTION...: as a cell; leaves the report in $json.
iterations() {
    json=$("$vksolve" solve "$@" --method cg --device "$device" --json - 2>/dev/null) || true
    case $(value reason) in
    CONVERGED) cell=$(value iterations | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta') ;;
    ITERATION_LIMIT) cell=limit ;;
    "") cell=failed ;;
    *) cell=$(value reason) ;;
    esac
}

echo "| | rows | none | jacobi | natural blocks | (number, largest) |$(printf ' %s |' $sizes)"
echo "|---|--:|--:|--:|--:|---|$(printf -- '--:|%.0s' $sizes)"
for file; do
    name=${file##*/}
    row="| ${name%%.mtx*} |"
    iterations "$file" --precond none
    row+=" $(value rows "  " | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta') | $cell |"
    iterations "$file" --precond jacobi
    row+=" $cell |"
    iterations "$file" --precond block-jacobi
    row+=" $cell | $(value blocks | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta'), $(value largest_block) |"
    for size in $sizes; do
        iterations "$file" --precond block-jacobi --block-size "$size"
        row+=" $cell |"
    done
    echo "$row"
done
