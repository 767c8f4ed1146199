! The module vksolve: matrices, new values, several right-hand sides, preconditioners, destruction in any order.
program test_fortran
    use chain
    implicit none

    call springs()
    call vks_context_create(context, device='host')
    call kept_solver_takes_new_values()
    call columns_are_solved()
    call singles_are_solved()
    call triplets_are_summed()
    call files_come_back()
    call vectors_compute()
    call preconditioners_are_shared()
    call handles_go_in_any_order()
    print '(i0, a)', failures, ' failures'
    if (failures > 0) stop 1
contains
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
