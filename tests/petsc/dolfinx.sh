# For tests/petsc/run: programs in Python on dolfinx, which know nothing of vksolve. Debian: python3-dolfinx-real.

# same_in_dolfinx RANKS SCRIPT CELLS OPTION=VALUE...: as many iterations and the same solution as without the plug-in, to 1e-8 of it.
same_in_dolfinx() {
    local ranks=$1 what="${*:2} on $1" reported='s/^\(its [0-9]* reason [0-9]*\) .*/\1/p'
    rm -f without-*.npy with-*.npy
    on "$ranks" $python "$here/$2.py" "$3" without "${@:4}" >without || { fail "$what, without the plug-in" without && return; }
    PETSC_OPTIONS="$load $more" on "$ranks" $python "$here/$2.py" "$3" with "${@:4}" >with || { fail "$what" with && return; }
    if [[ $(sed -n "$reported" with) != "$(sed -n "$reported" without)" ]]; then
        fail "$what: other iterations than PETSc's ($(grep ^its without))" with
    elif ! $python "$here/compare_dolfinx.py" without with >difference 2>&1 || ! grep -qE 'difference (0|[0-9.]+e-(0[89]|[1-9]))' difference; then
        fail "$what: another solution" difference
    elif ! grep -q '^its .* reason 2 .* mat [a-z]*vksolve' with && ! grep -q '^its .* reason 2 .* ksp vksolve' with; then
        fail "$what: not with the plug-in" with
    else
        ok
    fi
}

by_dolfinx() {
    local python=/usr/bin/python3 more="-mat_type aijvksolve" ranks # Debian's own
    $python -c 'import dolfinx' 2>/dev/null || { echo "no dolfinx: left out" && return; }
    export XDG_CACHE_HOME=$work/cache # forms that dolfinx compiles
    for ranks in 1 2; do
        same_in_dolfinx $ranks poisson_dolfinx 12 ksp_type=cg pc_type=jacobi
        same_in_dolfinx $ranks elastic_dolfinx 4 ksp_type=cg pc_type=jacobi
        same_in_dolfinx $ranks poisson_dolfinx 12 ksp_type=gmres pc_type=jacobi
        same_in_dolfinx $ranks poisson_dolfinx 12 ksp_type=cg pc_type=hypre
    done
    same_in_dolfinx 1 elastic_dolfinx 4 ksp_type=cg pc_type=gamg
}
