! vksolve.f90 -- vksolve for programs in Fortran 2018. Compile it with the program: the files of modules that compilers
! write suit one compiler alone. The headers are the manual of what calls do; here stands what differs.
!
!     type(vks_context) :: context
!     type(vks_matrix) :: A
!     type(vks_solver) :: solver
!     call vks_context_create(context)
!     call vks_matrix_from_csr(context, n, n, row, col, val, A) ! row(1) = 1
!     call vks_solver_create(A, solver)
!     call vks_solver_solve(solver, b, x, report)               ! from the x that is given
!     call vks_destroy(solver)                                  ! and so on, in any order
!
! Rows, columns and elements are counted from 1, also report%row. What the pointers of options lead to is C's, from 0.
!
! Handles: vks_context, vks_matrix, vks_vector, vks_solver and vks_precond. Nothing destroys them but vks_destroy, after
! which they may be made again (before it, that would leave the former object behind); of a handle that was never made it
! does nothing. A copy by assignment is the same object.
! Their component c is the C handle, for calls that are not here.
!
! Errors: with `stat`, a call sets it to a vks_status, VKS_OK where it succeeded, and errmsg, where it failed and errmsg is
! given. Without `stat`, a failure ends the program with that text, as of an allocate statement. A solve that ran has
! succeeded, however it ended: that is report%reason.
!
! Values are real(c_double) or real(c_float). A matrix of the latter is VKS_F32, unless options are given.
!
! Integers are of the default kind, also where a flag makes that 8 bytes (-fdefault-integer-8); those of options and
! reports are of C's kinds. Flags that change the kinds of C are refused below. -freal-4-real-8 is none of them: with
! it values are real(c_double) alone.
!
! Threads: as vksolve/context.h says.

! The C interface itself, for what the module below leaves out.
module vksolve_c
    use, intrinsic :: iso_c_binding
    implicit none

    ! Flags that make other kinds of them fail here: the library takes them as C has them.
    real(merge(c_double, -1, storage_size(0.0_c_double) == 64)), parameter, private :: c_double_stays_of_8_bytes = 0
    real(merge(c_double, -1, storage_size(0.0_c_float) <= 64)), parameter, private :: c_float_stays_of_4_or_8_bytes = 0
    integer(merge(c_int, -1, storage_size(0_c_int32_t) == 32)), parameter, private :: c_int32_t_stays_of_4_bytes = 0
    type, bind(c), private :: aligned
        integer(c_int8_t) :: a
        real(c_double) :: b
    end type
    integer(merge(c_int, -1, storage_size(aligned(0_c_int8_t, 0.0_c_double)) == 128)), parameter, private :: types_stay_aligned = 0

    include 'types.inc'
    include 'calls.inc'
end module

module vksolve
    use, intrinsic :: iso_c_binding
    use vksolve_c
    implicit none

    ! c_float; where that is made c_double, a kind that is not used.
    integer, parameter, private :: single = merge(c_float, selected_real_kind(16), storage_size(0.0_c_float) == 32)
    integer, parameter, private :: largest = huge(0_c_int32_t)

    private :: c_context_create, c_context_destroy, c_context_message, c_matrix_from_csr, c_matrix_from_coo, c_matrix_read, &
        c_matrix_write, c_matrix_set_values, c_matrix_destroy, c_matrix_rows, c_matrix_cols, c_matrix_entries, &
        c_matrix_precision, c_spmv, c_vector_create, c_vector_destroy, c_vector_length, c_vector_write, c_vector_read, &
        c_vector_fill, c_vector_axpy, c_vector_dot, c_precond_create, c_precond_apply, c_precond_update, c_precond_report, &
        c_precond_destroy, c_solve, c_solver_create, c_solver_update, c_solver_set_limits, c_solver_solve, &
        c_solver_destroy, c_version, c_status_text, c_reason_name, c_reason_text, c_method_name, c_precond_name, c_strlen
    private :: finish, failed, text_of, c_string, csr_f64, csr_f32, coo_f64, coo_f32, from_csr, from_coo, rows_from_0, set_values, &
        set_f64, set_f32, write_f64, write_f32, read_f64, read_f32, solve_vectors, solve_f64, solve_f32, solve_columns_f64, &
        solve_columns_f32, solve_columns, solve_column, column, wrong_size, from_0, finish_create, &
        destroy_context, destroy_matrix, destroy_vector, destroy_solver, destroy_precond

    type :: vks_context
        type(c_ptr) :: c = c_null_ptr
    end type
    type :: vks_matrix
        type(c_ptr) :: c = c_null_ptr, context = c_null_ptr
    end type
    type :: vks_vector
        type(c_ptr) :: c = c_null_ptr, context = c_null_ptr
    end type
    type :: vks_precond
        type(c_ptr) :: c = c_null_ptr, context = c_null_ptr
    end type
    type :: vks_solver ! b and x are for solves from arrays
        type(c_ptr) :: c = c_null_ptr, context = c_null_ptr, b = c_null_ptr, x = c_null_ptr
        integer(c_int32_t) :: rows = 0, cols = 0
    end type

    interface vks_destroy
        procedure destroy_context, destroy_matrix, destroy_vector, destroy_solver, destroy_precond
    end interface
    interface vks_matrix_from_csr ! (context, rows, cols, row, col, val, A, options, stat, errmsg)
        procedure csr_f64, csr_f32
    end interface
    interface vks_matrix_from_coo ! (context, rows, cols, row, col, val, A, options, stat, errmsg)
        procedure coo_f64, coo_f32
    end interface
    interface vks_matrix_set_values ! (A, val, stat, errmsg)
        procedure set_f64, set_f32
    end interface
    interface vks_vector_write ! (x, values, first, stat, errmsg)
        procedure write_f64, write_f32
    end interface
    interface vks_vector_read ! (x, values, first, stat, errmsg)
        procedure read_f64, read_f32
    end interface
    ! (solver, b, x, report, stat, errmsg): b and x are vectors, arrays, or arrays of columns; report is then an array
    interface vks_solver_solve
        procedure solve_vectors, solve_f64, solve_f32, solve_columns_f64, solve_columns_f32
    end interface

contains
    include 'texts.inc'
    include 'matrices.inc'
    include 'vectors.inc'
    include 'solves.inc'
end module
