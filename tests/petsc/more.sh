# For tests/petsc/run: the plug-in by petsc4py and slepc4py, under valgrind, and compiled for other kinds of PETSc.

by_petsc4py() {
    local python=/usr/bin/python3 ranks # Debian's own
    $python -c 'import petsc4py' 2>/dev/null || { echo "no petsc4py: left out" && return; }
    for ranks in 1 2; do
        if PETSC_OPTIONS="-dll_append $plugin" on $ranks $python "$here/poisson.py" >with && grep -q '^converged' with; then
            ok
        else
            fail "petsc4py on $ranks" with
        fi
    done
    if on 1 $python "$here/poisson.py" "$plugin" >with && grep -q '^converged' with; then ok; else fail "petsc4py, by hand" with; fi
    if PETSC_OPTIONS="-dll_append $plugin" on 1 $python "$here/poisson.py" "$plugin" >with && grep -q '^converged' with; then ok; else fail "petsc4py, twice" with; fi
}

# With the kind of basis that docs/petsc.md names.
by_slepc4py() {
    local python=/usr/bin/python3 ranks
    $python -c 'import slepc4py' 2>/dev/null || { echo "no slepc4py: left out" && return; }
    for ranks in 1 2; do
        if PETSC_OPTIONS="-dll_append $plugin" on $ranks $python "$here/eigenvalues.py" -bv_type vecs >with && grep -q '^right.*vksolve' with; then
            ok
        else
            fail "slepc4py on $ranks" with
        fi
    done
}

# PETSc's own look at its memory, and valgrind's at all of it. OpenMPI's own leaks are not asked for.
under_watch() {
    local supp=/usr/share/openmpi/openmpi-valgrind.supp
    # PETSc's PCLU in place leaks a matrix of its own types as well.
    if on 2 "$checks" $load -except factors_in_place_solve -malloc_debug -malloc_dump >with && grep -q 'checks passed' with && ! grep -qE '\[ *[0-9]+\] *[0-9]+ bytes' with; then
        ok
    else
        fail "-malloc_debug" with
    fi
    command -v valgrind >/dev/null || { echo "no valgrind: left out" && return; }
    if [[ -f $supp ]]; then supp="--suppressions=$supp"; else supp=; fi
    for options in "$checks $load -vks_device host" \
        "$program $load -vks_device host -side 12 -mat_type aijvksolve -ksp_type cg -pc_type gamg" \
        "$program $load -vks_device host -side 12 -ksp_type vksolve -ksp_vksolve_precond amg"; do
        if timeout 550 valgrind -q --error-exitcode=9 $supp $options >with 2>&1 </dev/null && ! grep -q 'Invalid\|uninitialised' with; then
            ok
        else
            fail "valgrind $options" with
        fi
    done
}

# One allocation after the other fails, of the plug-in or of the library. On the host: a Vulkan device opens without its cache.
without_memory() {
    [[ -x $failures ]] || { echo "no failing allocations with sanitizers: left out" && return; }
    if on 1 "$failures" $load -vks_device host >with && grep -q '^all uses passed' with; then ok; else fail "failing allocations" with; fi
}

# The same on one of two processes: no other one waits for it.
without_memory_together() {
    local one
    [[ -x $together ]] || { echo "no failing allocations with sanitizers: left out" && return; }
    for one in 0 1; do
        if on 2 "$together" $load -vks_device host -rank $one >with && grep -q '^all failures were reported' with; then ok; else fail "failing allocations on rank $one" with; fi
    done
}

# compiles WANTED WORDS OPTION...: the sources with a PETSc of another kind, as far as its headers go.
compiles() {
    local flags
    command -v mpicc >/dev/null || return 0
    flags=$(pkg-config --cflags-only-I PETSc | sed 's/-I/-isystem /g')
    if mpicc -std=c17 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -fsyntax-only "${@:3}" -I"$here"/../../clients -I"$here"/../../include $flags \
        "$here"/../../clients/petsc/*.c >with 2>&1; then
        [[ $1 == yes ]] && ok || fail "${*:3}: not refused"
    elif [[ $1 == no ]] && grep -qF -- "$2" with; then
        ok
    else
        fail "${*:3}" with
    fi
}

outside() {
    by_petsc4py
    by_slepc4py
    under_watch
    without_memory
    without_memory_together
    compiles yes "" -DPETSC_USE_64BIT_INDICES
    compiles no "vksolve has real numbers only" -DPETSC_USE_COMPLEX
}
