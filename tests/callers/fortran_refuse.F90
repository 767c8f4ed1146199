! The module vksolve: what cannot be solved, bad input, lack of memory. With an argument: that failure without stat, which must
! end the program.
program test_fortran_refuse
    use chain
    implicit none
    character(20) :: failure

    call springs()
    call vks_context_create(context, device='host')
    call get_command_argument(1, failure)
    if (failure /= '') call end_by(failure)
    call rows_are_counted_from_1()
    call bad_matrices_are_refused()
    call bad_calls_are_refused()
    call null_handles_are_refused()
    call lack_of_memory_is_reported()
    call vks_destroy(context)
    print '(i0, a)', failures, ' failures'
    if (failures > 0) stop 1
contains
    subroutine end_by(failure)
        character(*), intent(in) :: failure
        type(vks_matrix) :: A
        if (failure == 'null_context') call vks_destroy(context)
        if (failure == 'null_matrix') print *, vks_matrix_rows(A)
        call vks_matrix_read(context, 'no/such/file.mtx', A)
    end subroutine

    subroutine refused(argument, line)
        character(*), intent(in) :: argument
        integer, intent(in) :: line
        call expect(stat == VKS_INVALID_ARGUMENT, line)
        call expect(errmsg == 'an argument is outside its documented range: ' // argument // &
            ' was not created, or is destroyed', line)
        stat = -1
        errmsg = ''
    end subroutine

    ! Handles that were destroyed, and others that were never made.
    subroutine null_handles_are_refused()
        type(vks_context) :: destroyed
        type(vks_matrix) :: A, chain_matrix, none
        type(vks_vector) :: p, q
        type(vks_precond) :: M
        type(vks_solver) :: solver
        type(vks_dense) :: D
        type(vks_array) :: keys
        call vks_context_create(destroyed, 'host')
        call vks_destroy(destroyed)
        call vks_matrix_read(destroyed, 'matrices/s1rmq4m1.mtx.gz', A, stat=stat, errmsg=errmsg)
        call refused('context', __LINE__)
        call expect(.not. c_associated(A%c), __LINE__)
        call vks_matrix_from_csr(destroyed, n, n, row, col, val, A, stat=stat, errmsg=errmsg)
        call refused('context', __LINE__)
        call vks_matrix_from_coo(destroyed, 1, 1, [1], [1], [1.0], A, stat=stat, errmsg=errmsg)
        call refused('context', __LINE__)
        call vks_vector_create(destroyed, n, p, stat=stat, errmsg=errmsg)
        call refused('context', __LINE__)
        call vks_solver_create(A, solver, stat=stat, errmsg=errmsg)
        call refused('A', __LINE__)
        call vks_solver_solve(solver, b, x, stat=stat, errmsg=errmsg)
        call refused('solver', __LINE__)
        call vks_solver_solve(solver, p, q, stat=stat, errmsg=errmsg)
        call refused('solver', __LINE__)
        call vks_matrix_set_values(A, val, stat, errmsg)
        call refused('A', __LINE__)
        call vks_matrix_from_csr(context, n, n, row, col, val, chain_matrix)
        call vks_vector_create(context, n, p)
        call vks_vector_create(context, n, q)
        call vks_destroy(q)
        call vks_spmv(chain_matrix, p, q, stat, errmsg)
        call refused('y', __LINE__)
        call vks_precond_apply(M, p, p, stat, errmsg)
        call refused('M', __LINE__)
        call vks_solve(chain_matrix, q, p, stat=stat, errmsg=errmsg)
        call refused('b', __LINE__)
        call vks_matrix_add(1d0, chain_matrix, 1d0, none, A, stat=stat, errmsg=errmsg)
        call refused('B', __LINE__)
        call vks_matrix_scale(chain_matrix, right=q, stat=stat, errmsg=errmsg) ! which may be left out
        call refused('right', __LINE__)
        call vks_vector_dots(p, [p, q], x(:2), stat, errmsg)
        call refused('an element of y', __LINE__)
        call vks_dense_set(D, reshape(val(:4), [2, 2]), stat, errmsg)
        call refused('A', __LINE__)
        call vks_sort(keys, stat=stat, errmsg=errmsg)
        call refused('keys', __LINE__)
        call vks_solver_cancel(solver, stat, errmsg)
        call refused('solver', __LINE__)
        call vks_destroy(p)
        call vks_destroy(chain_matrix)
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
        call refused_csr(2, 2, [1, 3, 4], [2, 1, 1], v, 'row 1: column 1 comes after column 2', __LINE__)
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
    subroutine lack_of_memory_is_reported()
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
end program
