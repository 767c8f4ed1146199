! The module vksolve: arrays of each kind, what counts from 1, and what may be left out.
program test_fortran_arrays
    use chain
    implicit none

    call springs()
    call vks_context_create(context, device='host')
    call dense_matrices_are_by_row_and_column()
    call rows_come_back_from_1()
    call orders_count_from_1()
    call arrays_are_of_any_type()
    call many_vectors_are_solved()
    call texts_count_from_1()
    call vks_destroy(context)
    print '(i0, a)', failures, ' failures'
    if (failures > 0) stop 1
contains
    ! [1 2; 0 4], whose inverse is [1 -1/2; 0 1/4].
    subroutine dense_matrices_are_by_row_and_column()
        type(vks_dense) :: A, inverse, narrow
        type(vks_gauss_jordan_report) :: report
        type(vks_matrix) :: S
        real(c_double) :: y(2, 2)
        real(c_float) :: wide(2, 3)
        call vks_dense_from_array(context, 2, 2, reshape([1d0, 0d0, 2d0, 4d0], [2, 2]), A)
        call vks_dense_to_matrix(A, S)
        call expect(vks_matrix_entries(S) == 3 .and. vks_dense_precision(A) == VKS_F64, __LINE__)
        call vks_dense_from_array(context, 1, 2, reshape([1.0, 2.0], [1, 2]), narrow)
        call expect(vks_dense_precision(narrow) == VKS_F32 .and. vks_dense_cols(narrow) == 2, __LINE__)
        call vks_destroy(narrow)
        call vks_gauss_jordan_invert(A, inverse, report=report)
        call expect(report%column == 0 .and. report%determinant_sign == 1, __LINE__)
        call vks_dense_get(inverse, y)
        call expect(near(y(1, :), [1d0, -0.5d0]) .and. near(y(2, :), [0d0, 0.25d0]), __LINE__)
        call vks_dense_get(inverse, wide, stat, errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, 'values(1, :) has 3 elements, not 2') > 0, __LINE__)
        call vks_dense_set(inverse, reshape([1.0, 2.0, 3.0, 4.0], [2, 2]))
        call vks_dense_get(inverse, y)
        call expect(near(y(1, :), [1d0, 3d0]), __LINE__)
        call vks_destroy(inverse)
        call vks_dense_set(A, 0 * y)
        call vks_gauss_jordan_invert(A, inverse, report=report)
        call expect(report%reason == VKS_REASON_SINGULAR .and. report%column == 1, __LINE__)
        call vks_destroy(S)
        call vks_destroy(inverse)
        call vks_destroy(A)
    end subroutine

    subroutine rows_come_back_from_1()
        type(vks_matrix) :: A
        type(vks_matrix_options) :: mixed
        integer :: row_back(n + 1), col_back(size(col)), i, j
        real(c_double) :: val_back(size(val)), lost
        logical :: is_lost
        mixed%precision = VKS_MIXED
        val(row(7)) = -0.1d0
        call vks_matrix_from_csr(context, n, n, row, col, val, A, mixed)
        call vks_matrix_to_csr(A, row_back, col_back, val_back)
        call expect(all(row_back == row) .and. all(col_back == col) .and. all(abs(val_back - val) <= 0), __LINE__)
        call vks_matrix_to_csr(A, row_back(2:), col_back, val_back, stat, errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, 'row has 200 elements, not 201') > 0, __LINE__)
        is_lost = vks_matrix_lost_value(A, i, j, lost)
        call expect(is_lost .and. i == 7 .and. j == 6 .and. abs(lost + 0.1d0) <= 0, __LINE__)
        val(row(7)) = -1
        call vks_destroy(A)
        call vks_matrix_from_csr(context, n, n, row, col, val, A, mixed)
        is_lost = vks_matrix_lost_value(A, i, j, lost)
        call expect(.not. is_lost .and. i == 0, __LINE__)
        call vks_destroy(A)
    end subroutine

    subroutine orders_count_from_1()
        integer :: order(n), k
        call vks_reorder_rcm(n, row, col, order)
        call expect(all([(any(order == k), k = 1, n)]) .and. all(abs(order(2:) - order(:n - 1)) == 1), __LINE__)
        order = 0
        call vks_reorder_rcm(n, row - 1, col, order, stat, errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, 'row(1) is 0, not 1') > 0 .and. all(order == 0), __LINE__)
        x = 0
        call vks_solve_csr(n, row, col, val, b, x)
        call expect(near(x, expected), __LINE__)
        call vks_solve_csr(n, row, col, val, b(2:), x, stat=stat, errmsg=errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, 'b has 199 elements, not 200') > 0, __LINE__)
    end subroutine

    subroutine arrays_are_of_any_type()
        type(vks_array) :: keys, numbers
        type(vks_vector) :: p
        integer(c_int32_t) :: back(4), least, largest
        integer :: least_at, largest_at
        real(c_double) :: total
        call vks_array_create(context, 4, VKS_TYPE_U32, keys)
        call vks_array_write(keys, [5_c_int32_t, 9_c_int32_t, 2_c_int32_t, 7_c_int32_t])
        call vks_min_max(keys, least, least_at, largest, largest_at)
        call expect(least == 2 .and. least_at == 3 .and. largest == 9 .and. largest_at == 2, __LINE__)
        call vks_array_write(keys, [1_c_int32_t], first=4)
        call vks_sort(keys)
        call vks_array_read(keys, back)
        call expect(all(back == [1, 2, 5, 9]), __LINE__)
        call vks_array_read(keys, back(1:3:2), first=2)
        call expect(all(back == [2, 2, 5, 9]), __LINE__)
        call vks_array_fill(keys, 3_c_int32_t)
        call vks_array_read(keys, back)
        call expect(all(back == 3) .and. vks_array_length(keys) == 4 .and. vks_array_type(keys) == VKS_TYPE_U32, __LINE__)
        call vks_destroy(keys)
        call vks_vector_create(context, 3, p)
        call vks_vector_write(p, [1d0, 2d0, 4d0])
        numbers = vks_vector_array(p)
        call vks_reduce(numbers, VKS_REDUCE_SUM, VKS_PAIRING_HALVING, total)
        call expect(abs(total - 7) <= 0 .and. vks_type_name(vks_array_type(numbers)) == 'F64', __LINE__)
        call vks_destroy(p)
    end subroutine

    subroutine many_vectors_are_solved()
        type(vks_matrix) :: A
        type(vks_solver) :: solver
        type(vks_vector) :: p(2), q(2)
        type(vks_solve_report) :: reports(2)
        real(c_double) :: y(n), dots(2), sums(1)
        integer :: k
        call vks_matrix_from_csr(context, n, n, row, col, val, A)
        call vks_solver_create(A, solver)
        do k = 1, 2
            call vks_vector_create(context, n, p(k))
            call vks_vector_create(context, n, q(k))
            call vks_vector_fill(p(k), real(k, c_double))
        end do
        call vks_solver_solve_many(solver, p, q, reports, stat, errmsg)
        call expect(stat == VKS_OK .and. all(reports%reason == VKS_REASON_CONVERGED) .and. all(reports%row == 0), __LINE__)
        call vks_vector_read(q(2), y)
        call expect(near(y, 2 * expected), __LINE__)
        call vks_solver_solve_many(solver, p, q(:1), stat=stat, errmsg=errmsg)
        call expect(stat == VKS_INVALID_ARGUMENT .and. index(errmsg, 'x has 1 elements, not 2') > 0, __LINE__)
        call vks_vector_dots(p(1), p, dots)
        call expect(all(abs(dots - [n, 2 * n]) <= 0), __LINE__)
        call vks_vector_chunk_dots(p(1), p(2), sums)
        call expect(abs(vks_sum_of_chunks(VKS_F64, sums) - 2 * n) <= 0, __LINE__)
        call vks_destroy(solver)
        call vks_destroy(A)
        do k = 1, 2
            call vks_destroy(p(k))
            call vks_destroy(q(k))
        end do
    end subroutine

    subroutine texts_count_from_1()
        type(vks_matrix) :: A
        type(vks_vector) :: p, q
        type(vks_solve_report) :: report
        type(vks_device_info) :: device, list(9)
        character(2000) :: text
        integer :: count
        call vks_matrix_from_csr(context, n, n, row, col, val, A)
        call vks_vector_create(context, n, p)
        call vks_vector_create(context, n, q)
        call vks_vector_fill(p, 1d0)
        call vks_solve(A, p, q, report=report)
        report%backward_error = 0.5
        report%backward_error_row = 7
        call vks_solve_report_text(report, VKS_FOR_C, text)
        errmsg = text(:200)
        call expect(index(text, 'backward error 0.5 in row 7') > 0 .and. report%backward_error_row == 7, __LINE__)
        call vks_context_device(context, device)
        call expect(vks_device_kind_text(device%kind) /= '' .and. vks_text(device%name) /= '', __LINE__)
        call vks_device_list(list, count)
        call expect(count >= 0, __LINE__)
        call vks_destroy(A)
        call vks_destroy(p)
        call vks_destroy(q)
    end subroutine
end program
