/* x = M x + c by iterating it. */
#include "small_matrix.h"
#include "tests/support/solve.h"

/* x = x / 2 + 1 tends to 2 in eight unknowns (n = 8, M = I / 2, c = 1). */
TestEverywhere(fixed_point, of_half_of_x_and_one_is_two)
{
    OWNED_STRUCT(host_csr) M = tridiagonal(8, 0, 0.5, 0);
    vks_matrix_options options = {.precision = public_precision(p)};
    double ones[8], x[8];
    for (int i = 0; i < 8; i++)
        ones[i] = 1;
    OWNED(vks_matrix) *m = matrix_from(c, &M, &options);
    OWNED(vks_vector) *right = vector_of(c, p, ones, 8), *at = vector_of(c, p, NULL, 8);
    vks_solve_report r;
    must_work(c, vks_fixed_point_solve(m, right, at, NULL, &r));
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
    cr_expect_float_eq(r.contraction, 0.5, p == PRECISION_F32 ? 0.02 : 1e-12); /* b + q rounds */
    must_work(c, vks_vector_read(at, 0, 8, VKS_F64, x));
    /* after k iterations x is 2 - 2^(1 - k), and c + M x - x is 2^-k */
    for (int i = 0; i < 8; i++)
        cr_expect_eq(x[i], 2 - ldexp(1, 1 - (int)r.iterations));
    cr_expect_eq(r.true_residual, ldexp(1, -(int)r.iterations));
    cr_expect_eq(r.iterations, p == PRECISION_F32 ? 24 : 32); /* 2^-17 and 2^-27 are below 1e-5 and 1e-8 */
}

TestOnBoth(fixed_point, is_not_zero_where_the_matrix_is_not_finite)
{
    OWNED_STRUCT(host_csr) M = tridiagonal(8, NAN, 0.5, 0);
    OWNED(vks_matrix) *m = matrix_from(c, &M, NULL);
    OWNED(vks_vector) *right = vector_of(c, PRECISION_F64, NULL, 8),
                      *at = vector_of(c, PRECISION_F64, NULL, 8);
    vks_solve_report r;
    must_work(c, vks_fixed_point_solve(m, right, at, NULL, &r));
    cr_expect_eq(r.reason, VKS_REASON_NOT_FINITE, "%s", vks_reason_name(r.reason));
}

/* The fixed point of D^-1 (D - A) x + D^-1 b is the solution, and each iterate equals that of Jacobi up to
 * rounding. */
TestOnHost(fixed_point, converges_as_jacobi_does_and_tells_divergence)
{
    enum { N = 300 };
    OWNED_STRUCT(host_csr) A = tridiagonal(N, -1, 2.25, -1), M = tridiagonal(N, 1 / 2.25, 0, 1 / 2.25);
    double b[N], right[N], x[N];
    for (int i = 0; i < N; i++)
        right[i] = (b[i] = (double)(i * 7 % 11) - 5) / 2.25;
    struct problem q = {.A = &A, .b = b, .p = PRECISION_F64, .options = {.method = VKS_METHOD_JACOBI}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    OWNED(vks_matrix) *m = matrix_from(c, &M, NULL);
    OWNED(vks_vector) *vc = vector_of(c, PRECISION_F64, right, N), *vx = vector_of(c, PRECISION_F64, NULL, N);
    vks_solve_report r;
    must_work(c, vks_fixed_point_solve(m, vc, vx, NULL, &r));
    must_work(c, vks_vector_read(vx, 0, N, VKS_F64, x));
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
    cr_expect_eq(r.iterations, s.report.iterations);
    cr_expect_float_eq(r.contraction, s.report.contraction, 1e-6);
    for (int i = 0; i < N; i++)
        cr_expect_float_eq(x[i], s.x[i], 1e-13);
    must_refuse(c, vks_fixed_point_solve(m, vc, vx, &(vks_solve_options){.weight = 0.5}, NULL),
                VKS_INVALID_ARGUMENT, "no weight");
    for (uint32_t k = 0; k < M.row[N]; k++)
        M.val[k] *= 1.25;
    must_work(c, vks_matrix_set_values(m, VKS_F64, M.val));
    must_work(c, vks_fixed_point_solve(m, vc, vx, &(vks_solve_options){.zero_guess = 1}, &r));
    cr_expect_eq(r.reason, VKS_REASON_DIVERGED);
    cr_expect_float_eq(r.contraction, 2.5 / 2.25, 0.01);
}
