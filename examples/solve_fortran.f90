! From Fortran: the chain of springs of solve_arrays.c in one call. Indices count from 0, as in C. Calls with structs have
! symbols that end with _2, whose first argument is the version of the headers that the program follows (docs/abi.md).
program solve_fortran
    use, intrinsic :: iso_c_binding
    implicit none
    interface
        integer(c_int) function vks_solve_csr_2(header, n, row, col, val, b, x, options, report) bind(c)
            import :: c_int, c_int32_t, c_double, c_ptr
            integer(c_int32_t), value :: header, n
            integer(c_int32_t), intent(in) :: row(*), col(*)
            real(c_double), intent(in) :: val(*), b(*)
            real(c_double), intent(inout) :: x(*)
            type(c_ptr), value :: options, report
        end function
    end interface
    integer(c_int32_t), parameter :: header = 200 ! 0.2.0
    integer(c_int32_t), parameter :: n = 200
    integer(c_int32_t) :: row(n + 1), col(3 * n), i, entries
    real(c_double) :: val(3 * n), b(n), x(n), expected(n)

    entries = 0
    row(1) = 0
    do i = 1, n
        if (i > 1) call add(i - 1, -1d0)
        call add(i, 2d0)
        if (i < n) call add(i + 1, -1d0)
        row(i + 1) = entries
        expected(i) = i * (n + 1 - i) / 2d0
    end do
    b = 1
    x = 0
    if (vks_solve_csr_2(header, n, row, col, val, b, x, c_null_ptr, c_null_ptr) /= 0) stop 1
    print '(a, es8.1)', 'the error is at most', maxval(abs(x - expected))
    if (maxval(abs(x - expected)) > 1e-6 * maxval(expected)) stop 2
contains
    subroutine add(column, value)
        integer(c_int32_t), intent(in) :: column
        real(c_double), intent(in) :: value
        entries = entries + 1
        col(entries) = column - 1
        val(entries) = value
    end subroutine
end program
