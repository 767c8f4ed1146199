#!/usr/bin/env bash
# Solves every matrix given (files, or folders of .mtx and .mtx.gz) with CG + Jacobi in f64 to 1e-8, compares with LAPACK,
# and prints a table.
#   bench/collection.sh [-v VKSOLVE] [-o "more options of vksolve solve"] PATH...
set -u
vksolve=$(dirname "$0")/../build/release/vksolve options=
while getopts v:o: option; do
    case $option in
    v) vksolve=$OPTARG ;;
    o) options=$OPTARG ;;
    *) exit 1 ;;
    esac
done
shift $((OPTIND - 1))
json=$(mktemp)
trap 'rm -f "$json"' EXIT

# The value of a key: `value reason` of the outer object, `value solve "  "` of one inside it.
value() {
    sed -n "s/^  ${2:-}\"$1\": *\"\{0,1\}\([^\",}]*\)\"\{0,1\},\{0,1\}$/\1/p" "$json" | head -n 1
}

# A number in short, or a dash.
short() {
    case $1 in '' | null) echo - ;; *) printf '%.1e' "$1" ;; esac
}

printf '%-36s %8s %9s %7s  %-22s %-9s %-9s %8s %s\n' matrix n entries iterations reason residual lapack seconds detail
find "$@" -name '*.mtx' -o -name '*.mtx.gz' | sort | while read -r file; do
    # shellcheck disable=SC2086 # the options are words
    timeout 600 "$vksolve" solve "$file" --compare lapack --lapack-memory 512M --json - $options >"$json" 2>/dev/null
    code=$?
    if [ ! -s "$json" ]; then
        printf '%-36s exit %d, no report\n' "$(basename "$file" .gz)" $code
        continue
    fi
    printf '%-36s %8s %9s %7s  %-22s %-9.2e %-9s %8.3f %s\n' "$(basename "${file%.gz}" .mtx)" "$(value rows "  ")" \
        "$(value entries "  ")" "$(value iterations)" "$(value reason)" "$(value true_residual)" \
        "$(short "$(value error_vs_lapack)")" "$(value solve "  ")" "$(value detail)"
done
