! What allocations.c has.
module allocations
    use, intrinsic :: iso_c_binding
    implicit none
    integer(c_size_t), bind(c) :: failing_size
end module

! The module vksolve: matrices, new values, several right-hand sides, preconditioners, failures, destruction in any order.
! With an argument: a failure without stat, which must end the program.
program test_fortran
    use vksolve
    use allocations
    implicit none
    integer(c_int32_t), parameter :: n = 200
    type(vks_context) :: context
    integer(c_int32_t) :: row(n + 1), col(3 * n - 2)
    real(c_double) :: val(3 * n - 2), expected(n), b(n), x(n)
    integer(c_int) :: stat
    character(200) :: errmsg
    integer :: failures = 0

    call springs()
    call vks_context_create(context, device='host')
    if (command_argument_count() > 0) call vks_matrix_from_nothing()
    call kept_solver_takes_new_values()
    call columns_are_solved()
    call singles_are_solved()
    call triplets_are_summed()
    call files_come_back()
    call vectors_compute()
    call preconditioners_are_shared()
    call rows_are_counted_from_1()
    call bad_matrices_are_refused()
    call bad_calls_are_refused()
    call lack_of_memory_is_told()
    call handles_go_in_any_order()
    print '(i0, a)', failures, ' failures'
    if (failures > 0) stop 1
contains
    subroutine expect(condition, line)
        logical, intent(in) :: condition
        integer, intent(in) :: line
        if (condition) return
        failures = failures + 1
        print '(a, i0, 2a)', 'line ', line, ': ', trim(errmsg)
    end subroutine

    ! A chain of springs, whose solution is known: 2 on the diagonal, -1 beside it.
    subroutine springs()
        integer(c_int32_t) :: i, j, k
        k = 0
        do i = 1, n
            row(i) = k + 1
            do j = max(i - 1, 1), min(i + 1, n)
                k = k + 1
                col(k) = j
                val(k) = merge(2, -1, i == j)
            end do
            expected(i) = i * (n + 1 - i) / 2d0
        end do
        row(n + 1) = k + 1
        b = 1
        x = 0
        errmsg = ''
    end subroutine

    logical function near(y, z)
        real(c_double), intent(in) :: y(:), z(:)
        near = maxval(abs(y - z)) <= 1e-6 * maxval(abs(z))
    end function

    subroutine vks_matrix_from_nothing()
        type(vks_matrix) :: A
        call vks_matrix_read(context, 'no/such/file.mtx', A)
    end subroutine

    subroutine kept_solver_takes_new_values()
        type(vks_matrix) :: A
        type(vks_solver) :: solver
        type(vks_solve_options) :: options
        type(vks_solve_report) :: report
        real(c_double), target :: history(2000)
        call vks_matrix_from_csr(context, n, n, row, col, val, A, stat=stat, errmsg=errmsg)
        call expect(stat == VKS_OK, __LINE__)
        call expect(vks_matrix_rows(A) == n .and. vks_matrix_cols(A) == n .and. vks_matrix_entries(A) == size(val), __LINE__)
        options%method = VKS_METHOD_CG
        options%rtol = 1d-10
        options%history = c_loc(history)
        options%history_capacity = size(history)
        call vks_solver_create(A, solver, options)
        x = 0
        call vks_solver_solve(solver, b, x, report, stat, errmsg)
        call expect(stat == VKS_OK .and. report%reason == VKS_REASON_CONVERGED .and. near(x, expected), __LINE__)
        call expect(report%iterations > 0 .and. report%true_residual <= 1d-10 .and. report%row == 0, __LINE__)
        call expect(report%method == VKS_METHOD_CG .and. report%history_count == report%iterations, __LINE__)
        call expect(vks_reason_name(report%reason) == 'CONVERGED' .and. vks_method_name(report%method) == 'cg', __LINE__)
        call expect(vks_precond_name(report%precond) == 'jacobi' .and. vks_text(report%detail) == '', __LINE__)
        call vks_matrix_set_values(A, 4 * val)
        call vks_solver_update(solver)
        call vks_solver_solve(solver, b, x, report)
        call expect(report%reason == VKS_REASON_CONVERGED .and. near(x, expected / 4), __LINE__)
        call vks_matrix_set_values(A, real(val, c_float))
        call vks_solver_solve(solver, b, x, report)
        call expect(near(x, expected), __LINE__)
        call vks_solver_solve(solver, b, x, report) ! from the solution
        call expect(report%iterations == 0, __LINE__)
        call vks_solver_set_limits(solver, 1d-10, 0d0, 3)
        x = 0
        call vks_solver_solve(solver, b, x, report)
        call expect(report%reason == VKS_REASON_ITERATION_LIMIT .and. report%iterations == 3, __LINE__)
        call expect(len(vks_reason_text(report%reason)) > 10, __LINE__)
        call vks_destroy(solver)
        call vks_destroy(A)
    end subroutine

    subroutine columns_are_solved()
        type(vks_matrix) :: A
        type(vks_solver) :: solver
        type(vks_solve_report) :: report(3)
        real(c_double) :: bs(n, 3), xs(n, 3), wide(2 * n)
        call vks_matrix_from_csr(context, n, n, row, col, val, A)
        call vks_solver_create(A, solver)
        bs(:, 1) = 1
        bs(:, 2) = 0
        bs(:, 3) = -2
        xs = 0
        call vks_solver_solve(solver, bs, xs, report)
        call expect(near(xs(:, 1), expected) .and. all(abs(xs(:, 2)) <= 0) .and. near(xs(:, 3), -2 * expected), __LINE__)
        call expect(all(report%reason == VKS_REASON_CONVERGED) .and. report(2)%iterations == 0, __LINE__)
        xs = 0
        call vks_solver_solve(solver, bs(:, 3:1:-1), xs(:, 3:1:-1)) ! arrays that are copied for the call
        call expect(near(xs(:, 1), expected) .and. near(xs(:, 3), -2 * expected), __LINE__)
        wide = 0
        call vks_solver_solve(solver, b, wide(1::2))
        call expect(near(wide(1::2), expected) .and. all(abs(wide(2::2)) <= 0), __LINE__)
        call vks_destroy(solver)
        call vks_destroy(A)
    end subroutine

    subroutine singles_are_solved()
        type(vks_matrix) :: A
        type(vks_solver) :: solver
        type(vks_vector) :: y
        type(vks_solve_report) :: report
        real(c_float) :: x1(n), x2(n, 2), b2(n, 2)
        call vks_matrix_from_csr(context, n, n, row, col, real(val, c_float), A)
        call vks_solver_create(A, solver)
        x1 = 0
        call vks_solver_solve(solver, real(b, c_float), x1, report)
        call expect(report%reason == VKS_REASON_CONVERGED .and. report%iterated_in == VKS_F32, __LINE__)
        call expect(maxval(abs(x1 - expected)) <= 0.05 * maxval(expected), __LINE__)
        x2 = 0
        b2(:, 1) = 0
        b2(:, 2) = 1
        call vks_solver_solve(solver, b2, x2)
        call expect(all(abs(x2(:, 1)) <= 0) .and. maxval(abs(x2(:, 2) - x1)) <= 0, __LINE__)
        call vks_vector_create(context, 3, y, VKS_F32)
        call vks_vector_write(y, [1.5, 2.5, 3.5])
        call vks_vector_read(y, x1(:2), 2)
        call expect(maxval(abs(x1(:2) - [2.5, 3.5])) <= 0, __LINE__)
        call vks_destroy(y)
        call vks_destroy(solver)
        call vks_destroy(A)
    end subroutine

    ! [2 1; 0 3] [1 2] = [4 6]
    subroutine triplets_are_summed()
        type(vks_matrix) :: A
        type(vks_vector) :: p, q
        real(c_double) :: y(2)
        call vks_matrix_from_coo(context, 2, 2, [2, 1, 1, 2], [2, 2, 1, 2], [1d0, 1d0, 2d0, 2d0], A)
        call expect(vks_matrix_entries(A) == 3, __LINE__)
        call vks_vector_create(context, 2, p)
        call vks_vector_create(context, 2, q)
        call vks_vector_write(p, [1d0, 2d0])
        call vks_spmv(A, p, q)
        call vks_vector_read(q, y)
        call expect(near(y, [4d0, 6d0]), __LINE__)
        call vks_destroy(A)
        call vks_matrix_from_coo(context, 2, 2, [1], [2], [5.0], A)
        call expect(vks_matrix_entries(A) == 1, __LINE__)
        call vks_destroy(A)
        call vks_destroy(p)
        call vks_destroy(q)
    end subroutine

    subroutine files_come_back()
        type(vks_matrix) :: A, back
        type(vks_solver) :: solver
        character(*), parameter :: path = 'test_fortran.mtx'
        integer :: unit
        call vks_matrix_from_csr(context, n, n, row, col, val, A)
        call vks_matrix_write(A, path)
        call vks_matrix_read(context, path, back)
        open (newunit=unit, file=path)
        close (unit, status='delete')
        call expect(vks_matrix_entries(back) == size(val), __LINE__)
        call vks_solver_create(back, solver)
        x = 0
        call vks_solver_solve(solver, b, x)
        call expect(near(x, expected), __LINE__)
        call vks_destroy(solver)
        call vks_destroy(back)
        call vks_matrix_read(context, path, back, stat=stat, errmsg=errmsg)
        call expect(stat == VKS_FILE .and. index(errmsg, path) > 0 .and. .not. c_associated(back%c), __LINE__)
        call vks_matrix_write(A, 'no/such/folder/a.mtx', stat, errmsg)
        call expect(stat == VKS_FILE, __LINE__)
        call vks_destroy(A)
    end subroutine

    subroutine vectors_compute()
        type(vks_vector) :: p, q
        real(c_double) :: dot, y(2)
        call vks_vector_create(context, 5, p)
        call vks_vector_create(context, 5, q)
        call expect(vks_vector_length(p) == 5, __LINE__)
        call vks_vector_fill(p, 1d0)
        call vks_vector_write(q, [3d0, 4d0], first=4)
        call vks_vector_axpy(2d0, p, q)
        call vks_vector_read(q, y, first=3)
        call expect(near(y, [2d0, 5d0]), __LINE__)
        call vks_vector_dot(p, q, dot)
        call expect(abs(dot - 17) <= 0, __LINE__)
        call vks_vector_read(q, y, first=5, stat=stat, errmsg=errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT, __LINE__)
        call vks_vector_write(q, y, first=0, stat=stat)
        call expect(stat == VKS_INVALID_ARGUMENT, __LINE__)
        call vks_destroy(p)
        call vks_vector_create(context, 5, p, VKS_MIXED, stat, errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. .not. c_associated(p%c), __LINE__)
        call vks_destroy(q)
    end subroutine

    subroutine preconditioners_are_shared()
        type(vks_matrix) :: A
        type(vks_precond) :: M
        type(vks_precond_options) :: precond
        type(vks_precond_facts) :: facts
        type(vks_solve_options) :: options
        type(vks_solve_report) :: report
        type(vks_vector) :: p, q
        real(c_double) :: y(n)
        call vks_matrix_from_csr(context, n, n, row, col, val, A)
        precond%kind = VKS_PRECOND_DENSE ! the inverse
        call vks_precond_create(A, M, precond)
        call vks_precond_report(M, facts)
        call expect(facts%kind == VKS_PRECOND_DENSE .and. facts%reason == VKS_REASON_NOT_RUN .and. facts%row == 0, __LINE__)
        call vks_vector_create(context, n, p)
        call vks_vector_create(context, n, q)
        call vks_vector_fill(p, 1d0)
        call vks_precond_apply(M, p, q)
        call vks_vector_read(q, y)
        call expect(near(y, expected), __LINE__)
        options%method = VKS_METHOD_CG
        options%shared_precond = M%c
        call vks_vector_fill(q, 0d0)
        call vks_solve(A, p, q, options, report)
        call vks_vector_read(q, y)
        call expect(report%reason == VKS_REASON_CONVERGED .and. report%iterations <= 3 .and. near(y, expected), __LINE__)
        call vks_matrix_set_values(A, 2 * val)
        call vks_precond_update(M)
        call vks_precond_apply(M, p, q)
        call vks_vector_read(q, y)
        call expect(near(y, expected / 2), __LINE__)
        call vks_solve(A, p, q, stat=stat)
        call expect(stat == VKS_OK, __LINE__)
        call vks_precond_apply(M, p, p, stat, errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT, __LINE__)
        precond%degree = 3 ! of CHEBYSHEV alone
        call vks_destroy(M)
        call vks_precond_create(A, M, precond, stat, errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. .not. c_associated(M%c), __LINE__)
        call vks_destroy(A)
        call vks_destroy(p)
        call vks_destroy(q)
    end subroutine

    ! A zero in row 7 of the diagonal.
    subroutine rows_are_counted_from_1()
        type(vks_matrix) :: A
        type(vks_solver) :: solver
        type(vks_precond) :: M
        type(vks_precond_facts) :: facts
        type(vks_precond_options) :: jacobi
        type(vks_solve_options) :: options
        type(vks_solve_report) :: report
        type(vks_vector) :: p, q
        real(c_double) :: hole(size(val))
        hole = val
        hole(row(7) + 1) = 0
        call vks_matrix_from_csr(context, n, n, row, col, hole, A)
        options%method = VKS_METHOD_CG
        call vks_solver_create(A, solver, options)
        x = 0
        call vks_solver_solve(solver, b, x, report)
        call expect(report%reason == VKS_REASON_ZERO_DIAGONAL .and. report%row == 7, __LINE__)
        call expect(index(vks_text(report%detail), '7') > 0, __LINE__)
        call vks_vector_create(context, n, p)
        call vks_vector_create(context, n, q)
        call vks_vector_fill(p, 1d0)
        call vks_solver_solve(solver, p, q, report)
        call expect(report%reason == VKS_REASON_ZERO_DIAGONAL .and. report%row == 7, __LINE__)
        call vks_solve(A, p, q, options, report)
        call expect(report%reason == VKS_REASON_ZERO_DIAGONAL .and. report%row == 7, __LINE__)
        jacobi%kind = VKS_PRECOND_JACOBI
        call vks_precond_create(A, M, jacobi)
        call vks_precond_report(M, facts)
        call expect(facts%reason == VKS_REASON_ZERO_DIAGONAL .and. facts%row == 7, __LINE__)
        call vks_destroy(M)
        call vks_destroy(solver)
        call vks_destroy(A)
        call vks_destroy(p)
        call vks_destroy(q)
    end subroutine

    subroutine refused_csr(rows, cols, r, c, v, text, line, unsorted)
        integer(c_int32_t), intent(in) :: rows, cols, r(:), c(:)
        real(c_double), intent(in) :: v(:)
        character(*), intent(in) :: text
        integer, intent(in) :: line
        logical, intent(in), optional :: unsorted
        type(vks_matrix) :: A
        type(vks_matrix_options) :: options
        if (present(unsorted)) options%unsorted = unsorted
        errmsg = ''
        call vks_matrix_from_csr(context, rows, cols, r, c, v, A, options, stat, errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, text) > 0 .and. .not. c_associated(A%c), line)
    end subroutine

    subroutine bad_matrices_are_refused()
        type(vks_matrix) :: A
        real(c_double), parameter :: v(3) = [1d0, 2d0, 3d0]
        call refused_csr(2, 2, [0, 1, 2], [1, 2], v, 'row(1) is 0, not 1', __LINE__)
        call refused_csr(2, 2, [1, 2], [1, 2], v, 'row has 2 elements, not rows + 1 = 3', __LINE__)
        call refused_csr(2, 2, [1, 2, 5], [1, 2], v, 'row(rows + 1) is 5', __LINE__)
        call refused_csr(2, 2, [1, 4, 3], [1, 2], v, 'row 1 ends', __LINE__)
        call refused_csr(2, 2, [1, 0, 3], [1, 2], v, 'row 1 ends', __LINE__)
        call refused_csr(2, 2, [1, 2, 3], [1, 3], v, 'row 2: column 3 is outside 1..2', __LINE__)
        call refused_csr(2, 2, [1, 2, 3], [0, 1], v, 'row 1: column 0 is outside 1..2', __LINE__)
        call refused_csr(2, 2, [1, 3, 4], [2, 1, 1], v, 'row 1: column 1 stands after column 2', __LINE__)
        call refused_csr(2, 2, [1, 3, 4], [2, 2, 1], v, 'counted from 0', __LINE__, unsorted=.true.)
        call refused_csr(-1, 2, [1, 3, 4], [2, 2, 1], v, 'row has 3', __LINE__)
        call vks_matrix_from_coo(context, 2, 2, [1, 3], [1, 1], v(:2), A, stat=stat, errmsg=errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, 'triplet 2: row 3') > 0, __LINE__)
        call vks_matrix_from_coo(context, 2, 2, [1, 2], [1, 1], v, A, stat=stat, errmsg=errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, 'different numbers') > 0, __LINE__)
    end subroutine

    subroutine bad_calls_are_refused()
        type(vks_context) :: none
        type(vks_context_options) :: one_thread
        type(vks_matrix) :: A
        type(vks_solver) :: solver
        type(vks_solve_options) :: options
        type(vks_solve_report) :: report(1)
        real(c_double) :: bs(n, 2), xs(n, 3)
        call vks_context_create(none, 'no such device', stat=stat, errmsg=errmsg)
        call expect(stat == VKS_NO_DEVICE .and. index(errmsg, 'no such device') > 0 .and. .not. c_associated(none%c), __LINE__)
        one_thread%threads = 5000
        call vks_context_create(none, 'host', one_thread, stat)
        call expect(stat == VKS_INVALID_ARGUMENT, __LINE__)
        call vks_matrix_from_csr(context, n, n, row, col, val, A)
        options%rtol = -1
        call vks_solver_create(A, solver, options, stat, errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, 'rtol') > 0 .and. .not. c_associated(solver%c), __LINE__)
        call vks_matrix_set_values(A, val(2:), stat, errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, 'val has 597 elements, not 598') > 0, __LINE__)
        call vks_solver_create(A, solver)
        call vks_solver_set_limits(solver, -1d0, 0d0, 0, stat)
        call expect(stat == VKS_INVALID_ARGUMENT, __LINE__)
        call vks_solver_solve(solver, b(2:), x, stat=stat, errmsg=errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, 'b has 199 elements, not 200') > 0, __LINE__)
        call vks_solver_solve(solver, b, x(2:), stat=stat, errmsg=errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, 'x has 199 elements, not 200') > 0, __LINE__)
        bs = 1
        xs = 0
        call vks_solver_solve(solver, bs, xs, stat=stat, errmsg=errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, 'x(1, :) has 3 elements, not 2') > 0, __LINE__)
        call vks_solver_solve(solver, bs, xs(:, :2), report, stat, errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, 'report has 1 elements, not 2') > 0, __LINE__)
        call vks_destroy(solver)
        call vks_destroy(A)
    end subroutine

    ! For the copies of row and col.
    subroutine lack_of_memory_is_told()
        type(vks_matrix) :: A
        integer :: k, bytes
        do k = 1, 2
            bytes = 4 * merge(size(row), size(col), k == 1)
            failing_size = bytes
            call vks_matrix_from_csr(context, n, n, row, col, val, A, stat=stat, errmsg=errmsg)
            call expect(stat == VKS_OUT_OF_MEMORY .and. failing_size /= bytes .and. .not. c_associated(A%c), __LINE__)
        end do
        failing_size = 4 * size(col)
        call vks_matrix_from_coo(context, n, n, col, col, val, A, stat=stat, errmsg=errmsg)
        call expect(stat == VKS_OUT_OF_MEMORY .and. .not. c_associated(A%c), __LINE__)
        call vks_matrix_from_csr(context, n, n, row, col, val, A, stat=stat, errmsg=errmsg)
        call expect(stat == VKS_OK, __LINE__)
        call vks_destroy(A)
    end subroutine

    subroutine handles_go_in_any_order()
        type(vks_context) :: other
        type(vks_matrix) :: A
        type(vks_vector) :: p
        type(vks_precond) :: M
        type(vks_solver) :: solver
        call vks_destroy(other)
        call vks_destroy(A)
        call vks_destroy(p)
        call vks_destroy(M)
        call vks_destroy(solver)
        call vks_context_create(other, 'host')
        call vks_matrix_from_csr(other, n, n, row, col, val, A)
        call vks_vector_create(other, n, p)
        call vks_precond_create(A, M)
        call vks_solver_create(A, solver)
        call vks_destroy(other)
        call vks_destroy(A)
        call vks_destroy(M)
        x = 0
        call vks_solver_solve(solver, b, x)
        call expect(near(x, expected), __LINE__)
        call vks_solver_solve(solver, b(2:), x, stat=stat)
        call expect(stat == VKS_INVALID_ARGUMENT, __LINE__)
        call vks_destroy(solver)
        call vks_destroy(solver)
        call vks_destroy(p)
        call expect(.not. c_associated(solver%c) .and. vks_version() /= '', __LINE__)
        call vks_destroy(context)
    end subroutine
end program
