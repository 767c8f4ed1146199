#!/usr/bin/env bash
# ./run bench [OPTION...] [KIND:SIZE|FILE.mtx[.gz]...]: one report of what vksolve takes, beside other packages.
#
#   -o FOLDER        where it goes: report.md, figures.csv, charts (default: build/bench-report)
#   --full           larger systems and more rounds: an hour instead of five minutes
#   --sections LIST  of spmv, cg and small (default: all)
#   --devices LIST   of host and gpu (default: the host, and a GPU where there is one)
#   KIND:SIZE, FILE  these systems instead of the set, in spmv and cg
#
# ./run bench PROGRAM ARGUMENT...: one of the programs bench_PROGRAM; bench_cg with --device and what else it takes.
#
# ./run bench tables: the tables of docs/measurements/, from the CSV files in bench/results (--help).
#
# From the environment: BUILD (build/release), PEERS (/tmp/peers), ROUNDS, REPEATS (solves in a round), PRODUCTS, PRECISION
# (f64,f32), DEVICE (gpu; the name of another Vulkan device), UNDER (a command that starts what is measured, as "nice -n
# -5"), LIMIT (seconds that a program may take, 600), OMP_NUM_THREADS, COMMIT, CUSPARSE_OPTIONS. bench/README.md says
# how each figure is made. Exit code 1 where a section has no figure of vksolve for a system; the rest is measured.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."

out=build/bench-report full=0 sections=spmv,cg,small devices='' matrices=()
while (($#)); do
    case $1 in
    -o) out=${2:?-o wants a folder} && shift ;;
    --full) full=1 ;;
    --sections) sections=${2:?--sections wants a list} && shift ;;
    --devices) devices=${2:?--devices wants a list} && shift ;;
    -h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" && exit ;;
    -*) echo "no option $1: ./run bench --help" >&2 && exit 1 ;;
    *) matrices+=("$1") ;;
    esac
    shift
done

# only OPTION LIST WORD...: ends where the list has other words.
only() {
    local word
    for word in ${2//,/ }; do
        [[ " ${*:3} " == *" $word "* ]] && continue
        echo "$1 takes a list of ${*:3}, and has $word: ./run bench --help" >&2
        exit 1
    done
}
only --sections "$sections" spmv cg small
only --devices "$devices" host gpu

build=${BUILD:-build/release} peers=${PEERS:-/tmp/peers} limit=${LIMIT:-600} precisions=${PRECISION:-f64,f32}
[[ -x $build/bench/bench_cg && -x $build/vksolve ]] || {
    echo "there is no $build/vksolve or $build/bench/bench_cg: ./run build makes them" >&2
    exit 1
}
rounds=${ROUNDS:-$((full ? 5 : 3))} repeats=${REPEATS:-$((full ? 3 : 1))}
threads=${OMP_NUM_THREADS:-$(nproc)} cusparse=''
[[ ! -x $peers/cusparse_bench ]] || cusparse=$peers/cusparse_bench
[[ ${OMP_WAIT_POLICY:-}${GOMP_SPINCOUNT:-} ]] || export GOMP_SPINCOUNT=1000 # for peers with OpenMP: they sleep after some 20 us
export OMP_NUM_THREADS=$threads REPS=$repeats SPMV_REPS=10 STREAM_LOG2N=${STREAM_LOG2N:-24}
[[ $devices ]] || devices=host$("$build/vksolve" devices | grep -q '^\* *[0-9]' && echo ,gpu || true)

mkdir -p "$out"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
figures=$out/figures.csv
rm -f "$out"/{failures.txt,{small,{spmv,cg}-{host,gpu}-f{32,64}}.{png,svg}} # the folder may hold others' charts
# shellcheck source=bench/report/measure.sh
. "$here/measure.sh"
echo "$columns" >"$figures"
began="$(date -u +'%Y-%m-%d %H:%M UTC'), load $(cut -d ' ' -f 1-3 /proc/loadavg)"

wants() { [[ ,$sections, == *,$1,* ]]; }

# The set of a device in a section, unless systems are named.
set_of() { # DEVICE SECTION
    local shared=../shared/matrices/spd
    if ((${#matrices[@]})); then
        printf '%s\n' "${matrices[@]}"
        return
    fi
    printf '%s\n' poisson3d:64 poisson2d:512 matrices/s1rmq4m1.mtx.gz matrices/bodyy4.mtx.gz
    case $1,$2 in
    gpu,spmv) printf '%s\n' poisson3d:256 powerlaw:1048576:16 ;;
    gpu,cg) printf '%s\n' poisson3d:256 powerlawspd:1048576:8 ;;
    esac
    ((full)) || return 0
    printf '%s\n' poisson3d:128 poisson2d:1024 poisson3d27:64 elasticity3d:32
    [[ $1 == host ]] || printf '%s\n' elasticity3d:48
    [[ ! -d $shared ]] || printf '%s\n' "$shared"/{G2_circuit,gyro_m}.mtx.gz
}

# What gave no figure of vksolve's is named at the end, and the exit code says so.
expect_figure() { # SECTION DEVICE MATRIX
    awk -F , -v wanted="$1,$2,$3" '$1 "," $2 "," $3 == wanted && $8 == "vksolve" { found = 1 } END { exit !found }' \
        "$figures" || echo "$1${2:+ on the $2}, $3" >>"$tmp/without"
}

# In turns, so that what else the machine does meets all.
measure() { # SECTION MATRIX
    local round p
    section=$1 matrix=$(name_of "$2")
    for ((round = 1; round <= rounds; round++)); do
        echo "$device: $section, $matrix, round $round of $rounds" >&2
        if [[ $section == spmv ]]; then
            for p in ${precisions//,/ }; do ours_spmv "$2" "$p"; done
        elif [[ $section == cg ]] && ((round == 1)); then
            ours_cg "$2" "$precisions" "$preconditioners"
        else
            ours_cg "$2" "$precisions" "$preconditioners" --solves-only
        fi
        peers_on_device "$section" "$2"
        [[ $device == gpu ]] || host_stream
    done
    expect_figure "$section" "$device" "$matrix"
}

# The vector of ones is an eigenvector of powerlawspd: without a preconditioner there is nothing to measure.
preconditioners_of() { [[ $1 == powerlawspd:* ]] && echo jacobi || echo none,jacobi; }

# The systems around the crossover, in f64 with the diagonal; and what --device auto takes.
small_systems() {
    local size m
    preconditioners=jacobi precisions=f64
    for size in 32 45 71 100 141 224; do measure small "poisson2d:$size"; done
    for m in matrices/{nos4,s1rmq4m1,bodyy4}.mtx.gz; do
        [[ ! -f $m ]] || measure small "$m"
    done
}

choices() {
    local size m
    for size in 32 45 71 100 141 224; do
        "$build/vksolve" generate poisson2d "$size" -o "$tmp/poisson2d:$size.mtx" 2>/dev/null
    done
    for m in "$tmp"/poisson2d:*.mtx matrices/{nos4,s1rmq4m1,bodyy4}.mtx.gz; do
        [[ -f $m ]] || continue
        ! under "$build/vksolve" solve "$m" --json - || awk -F '": ' -v OFS=, -v matrix="$(name_of "$m")" '{ value = $2; gsub(/[",]/, "", value) }
            /"rows"/ && !rows { rows = value } /"entries"/ && !entries { entries = value }
            /"kind"/ { kind = value } /"reason"/ && kind && !why { why = value }
            END { print "choice", "", matrix, rows, entries, "f64", "", "vksolve", kind, "", "", "", "", "", "", "", why }' \
            "$tmp/now" >>"$figures"
        expect_figure choice '' "$(name_of "$m")"
    done
}

for device in ${devices//,/ }; do
    device_option=$device
    [[ $device == host ]] || device_option=${DEVICE:-gpu}
    products=${PRODUCTS:-$([[ $device == host ]] && echo 10 || echo 200)} # bench/README.md says why so few on the host
    for section in spmv cg; do
        wants "$section" || continue
        while read -r m; do
            preconditioners=$(preconditioners_of "$m")
            measure "$section" "$m"
        done < <(set_of "$device" "$section")
    done
    # shellcheck disable=SC2030 # the settings are its own
    ! wants small || (small_systems)
done
! wants small || choices

"$here/write.sh" "$out" "$began" "$devices" "$peers" >"$out/report.md"
"$here/charts.sh" "$out" >&2
echo "$out/report.md"
[[ ! -s $tmp/without ]] || {
    { echo "without a figure of vksolve ($out/failures.txt):" && sed 's/^/  /' "$tmp/without"; } >&2
    exit 1
}
