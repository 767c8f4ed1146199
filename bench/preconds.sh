#!/usr/bin/env bash
# Solves of each file with each preconditioner of a list, in f64 to 1e-8 (b = A times ones), as rows of a Markdown table:
# iterations, dispatches, seconds of the set-up and of the solve.
#   bench/preconds.sh [-v VKSOLVE] [-d DEVICE] [-m METHOD] [-p 'PRECOND PRECOND ...'] FILE...
# A solve that does not converge shows its reason.
set -euo pipefail
vksolve=$(dirname "$0")/../build/release/vksolve device=host method=cg list="jacobi fsai fsai(steps=8,add=4) block-jacobi amg"
while getopts v:d:m:p: option; do
    case $option in
    v) vksolve=$OPTARG ;;
    d) device=$OPTARG ;;
    m) method=$OPTARG ;;
    p) list=$OPTARG ;;
    *) exit 1 ;;
    esac
done
shift $((OPTIND - 1))
read -ra preconds <<<"$list"

# The value of a key of the report in $json, or of an object in it: `value setup "  "`.
value() { sed -n "s/^  ${2:-}\"$1\": *\"\{0,1\}\([^\",}]*\)\"\{0,1\},\{0,1\}$/\1/p" <<<"$json" | head -n 1; }

# solve FILE PRECOND: as a cell.
solve() {
    json=$("$vksolve" solve "$1" --method "$method" --precond "$2" --device "$device" --json - 2>/dev/null) || true
    if [[ $(value reason) != CONVERGED ]]; then
        cell=$(value reason)
        cell=${cell:-failed}
        return
    fi
    cell=$(awk -v i="$(value iterations)" -v d="$(value dispatches_per_iteration)" -v s="$(value setup "  ")" \
        -v t="$(value solve "  ")" \
        'BEGIN { printf "%d, %d, %.3g, %.3g", i, i * d, s, t }')
}

echo "| |$(printf ' %s |' "${preconds[@]}")"
echo "|---|$(printf -- '---|%.0s' "${preconds[@]}")"
for file; do
    name=${file##*/}
    row="| ${name%%.mtx*} |"
    for precond in "${preconds[@]}"; do
        solve "$file" "$precond"
        row+=" $cell |"
    done
    echo "$row"
done
