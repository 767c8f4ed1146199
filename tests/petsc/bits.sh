# For tests/petsc/run: x, iterations and residual norms of many systems have one hash each, however many ranks share the rows.

# NAME OPTIONS: the systems. Those of one chunk of 65,536 rows, or of two, leave ranks empty.
systems="
square -side 512 -pc_type none
square-jacobi -side 512 -pc_type jacobi
converged -side 300 -pc_type jacobi -ksp_max_it 2000
one-chunk -side 250 -pc_type jacobi
small -side 30 -pc_type none
new-values -side 400 -pc_type jacobi -steps 2
cube -side 64 -depth 64 -pc_type jacobi
column -side 33 -depth 121 -pc_type none
jumps -side 512 -jump 3 -pc_type jacobi
jumps-in-a-cube -side 60 -depth 60 -jump -4 -pc_type jacobi
anisotropic -side 400 -anisotropy 0.001 -pc_type jacobi
uneven -side 400 -uneven 2 -pc_type jacobi
random -side 512 -random -pc_type jacobi
random-uneven -side 450 -random -uneven 1 -pc_type none
elastic -side 400 -elastic -pc_type jacobi
elastic-blocks -side 400 -elastic -pc_type pbjacobi -steps 2
three-unknowns -side 58 -depth 58 -unknowns 3 -cut 196608 -pc_type pbjacobi
"

# hashes RANKS OPTIONS: sets `reported` to the iterations, and the beginnings of the hashes of x and of the norms.
hashes() {
    reported=failed
    rm -f x norms
    on "$1" "$program" $load -mat_type aijvksolve -ksp_type vksolve -cut 65536 -ksp_max_it 60 -norms norms \
        -ksp_view_solution binary:x $2 >with || return 0
    [[ -f norms && $(wc -l <norms) -gt 2 && $(wc -c <x) -gt 1000 ]] || return 0
    reported="$(sed -n 's/^its //p' norms | paste -sd,) $(sha256sum <x | cut -c1-12) $(sha256sum <norms | cut -c1-12)"
}

# one_hash NAME OPTIONS RANKS...: a line of the table.
one_hash() {
    local name=$1 options=$2 ranks first= same=1
    for ranks in "${@:3}"; do
        hashes "$ranks" "$options"
        first=${first:-$reported}
        printf '%-16s %5s  %s\n' "$name" "$ranks" "$reported"
        [[ $reported == "$first" && $reported != failed ]] || { same=0 && break; }
    done
    if ((same)); then ok; else fail "other bits: $name on $ranks" with; fi
}

bits() {
    local name options
    echo "system           ranks  iterations, hash of x, hash of the history"
    while read -r name options; do
        [[ -z $name ]] || one_hash "$name" "$options" 1 2 4
    done <<<"$systems"
    one_hash large "-side 700 -pc_type jacobi" 1 8
    for name in jacobi pbjacobi; do
        on_both_devices "$name" "-side 300 -elastic -pc_type $name -ksp_max_it 8"
    done
    on_both_devices cube "-side 52 -depth 52 -jump 2 -pc_type none -ksp_max_it 12"
}

# on_both_devices NAME OPTIONS: the Vulkan device on 1, 2 and 4 ranks gives the bits of the host.
on_both_devices() {
    local of_host
    one_hash "$1-host" "$2" 1
    of_host=$reported
    one_hash "$1-device" "$2 -vks_device $gpu_name" 1 2 4
    if [[ $reported == "$of_host" ]]; then ok; else fail "$1: $gpu_name has other bits than the host" with; fi
}
