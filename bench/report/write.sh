#!/usr/bin/env bash
# write.sh FOLDER BEGAN DEVICES PEERS: the report of FOLDER/figures.csv, in Markdown. Started by report.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$1 began=$2 devices=$3 peers=$4
build=${BUILD:-build/release}

# table SCRIPT OPTION...: what a script makes of the figures.
table() { awk -F , "${@:2}" -f "$here/figures.awk" -f "$here/$1.awk" "$out/figures.csv"; }

# bandwidth DEVICE SIDE PRECISION: bytes a second, the median of the rounds; nothing where none was measured.
bandwidth() {
    awk -F , -v wanted="bandwidth,$1,$2,$3" -f "$here/figures.awk" -f - "$out/figures.csv" <<'END_'
$at["section"] "," $at["device"] "," $at["side"] "," $at["precision"] == wanted { v[1, ++n] = $at["bytes"] + 0 }
END { if (n) print median(v, 1, n) }
END_
}

gbs() { [[ $1 ]] && awk -v b="$1" 'BEGIN { printf "%.3g GB/s", b / 1e9 }' || echo 'not measured'; }

missing() {
    local p list=()
    for p in omp_ref petsc_ksp eigen_cg viennacl_openmp; do
        [[ $devices != *host* || -x $peers/$p ]] || list+=("$p")
    done
    [[ $devices != *gpu* || -x $peers/cusparse_bench ]] || list+=(cusparse_bench)
    ((${#list[@]} == 0)) || echo "Left out, as they are not in $peers: ${list[*]}."
    command -v mpirun >/dev/null || [[ $devices != *host* ]] || echo "Left out, as there is no mpirun: petsc_ksp."
}

header() {
    local device
    local waits=${OMP_WAIT_POLICY:+OMP_WAIT_POLICY $OMP_WAIT_POLICY}${GOMP_SPINCOUNT:+GOMP_SPINCOUNT $GOMP_SPINCOUNT}
    cat <<END_
# What vksolve takes

Begun $began; ended $(date -u +'%H:%M UTC'), load $(cut -d ' ' -f 1-3 /proc/loadavg). vksolve $("$build/vksolve" --version |
        head -n 1 | sed 's/^vksolve //'), commit ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}.
$(uname -srm), $OMP_NUM_THREADS threads, $waits${UNDER:+, each program under \`$UNDER\`}.

$("$build/vksolve" devices | sed 's/^/    /')

| device | copy bandwidth | STREAM triad, f64 | f32 |
|---|---|---|---|
END_
    for device in ${devices//,/ }; do
        echo "| $device | $(gbs "$(bandwidth "$device" copy f64)") | $(gbs "$(bandwidth "$device" triad f64)") | $(gbs \
            "$(bandwidth "$device" triad f32)") |"
    done
    echo
    missing
    cat <<END_

Microseconds are medians of the rounds, extremes of all; in brackets is how many times as long as vksolve a peer takes, and
"best package / vksolve" compares with the fastest but for plain C (omp-c), which is a yardstick. Above 1, vksolve is
faster. \`bench/README.md\` says how each figure is made.
END_
}

section() { # TITLE SCRIPT OPTION...
    local text
    text=$(table "${@:2}")
    [[ ! $text ]] || printf '\n## %s\n\n%s\n' "$1" "$text"
}

compared() { # TITLE SECTION DEVICE; shares are of the triad, or of the copy bandwidth where there is none
    local of=triad b64 b32
    b64=$(bandwidth "$3" triad f64) b32=$(bandwidth "$3" triad f32)
    [[ $b64 ]] || { of=copy && b64=$(bandwidth "$3" copy f64) && b32=$(bandwidth "$3" copy f32); }
    section "$1" compare -v section="$2" -v device="$3" -v share_of="$of" -v bandwidth_f64="$b64" \
        -v bandwidth_f32="${b32:-$b64}"
}

header
for device in ${devices//,/ }; do
    compared "y = A x, $device" spmv "$device"
    compared "Conjugate gradients, $device" cg "$device"
    section "An iteration of vksolve, $device: the kernels by the device's clock" lines -v section=iteration -v device="$device"
    section "First and later solves, $device: milliseconds" lines -v section=first -v device="$device"
    section "Set-up, $device: milliseconds (and products with the format)" setup -v device="$device"
done
section 'Small systems: microseconds per iteration, f64, jacobi' small
[[ ! -s $out/failures.txt ]] || printf '\n## Failures\n\n```\n%s\n```\n' "$(head -n 40 "$out/failures.txt")"
