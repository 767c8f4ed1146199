! From Fortran: the chain of springs of solve_arrays.c by a solver that stays, and once more with springs twice as stiff.
program solve_fortran
    use vksolve
    implicit none
    integer, parameter :: n = 200
    type(vks_context) :: context
    type(vks_matrix) :: A
    type(vks_solver) :: solver
    type(vks_solve_report) :: report
    integer :: row(n + 1), col(3 * n), i, j, entries
    real(c_double) :: val(3 * n), b(n), x(n), expected(n)

    entries = 0
    do i = 1, n
        row(i) = entries + 1
        do j = max(i - 1, 1), min(i + 1, n)
            entries = entries + 1
            col(entries) = j
            val(entries) = merge(2, -1, i == j)
        end do
        expected(i) = i * (n + 1 - i) / 2d0
    end do
    row(n + 1) = entries + 1

    call vks_context_create(context) ! a GPU where there is one, else the host
    call vks_matrix_from_csr(context, n, n, row, col, val, A)
    call vks_solver_create(A, solver)
    b = 1
    x = 0
    call vks_solver_solve(solver, b, x, report)
    call tell(expected)
    call vks_matrix_set_values(A, 2 * val(:entries))
    call vks_solver_solve(solver, b, x, report) ! from the x before
    call tell(expected / 2)
    call vks_destroy(solver)
    call vks_destroy(A)
    call vks_destroy(context)
contains
    subroutine tell(right)
        real(c_double), intent(in) :: right(n)
        print '(2a, i0, a, es8.1)', vks_reason_name(report%reason), ' after ', report%iterations, &
            ' iterations, the error is at most', maxval(abs(x - right))
        if (maxval(abs(x - right)) > 1e-6 * maxval(right)) stop 1
    end subroutine
end program
