! What the tests of the module vksolve share: a chain of springs, whose solution is known, and their count of failures.
module chain
    use vksolve
    implicit none
    integer(c_size_t), bind(c) :: failing_size ! allocations.c has it
    integer(c_int32_t), parameter :: n = 200
    type(vks_context) :: context
    integer(c_int32_t) :: row(n + 1), col(3 * n - 2)
    real(c_double) :: val(3 * n - 2), expected(n), b(n), x(n)
    integer(c_int) :: stat
    character(200) :: errmsg
    integer :: failures = 0
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
end module
