/* Systems that are claimed to be singular, and are not: the part of b - A x in the null space is not
 * ignored. */
#include "small_matrix.h"
#include "tests/support/solve.h"

enum { N = 24 };

/* A chain of springs with free ends, except for a weakly supported first quarter. */
static struct host_csr held_chain(double hold)
{
    struct host_csr A = tridiagonal(N, -1, 2, -1);
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            if (A.col[k] == i)
                A.val[k] -= (i == 0 || i + 1 == N) - (i < N / 4 ? hold : 0);
    return A;
}

/* A support that counts as zero before the solve, and is far too large for its tolerance. */
static double weak(enum precision p)
{
    return p == PRECISION_F32 ? 0x1p-13 : 0x1p-23;
}

/* A vector without mean. */
static void fill_wave(double b[N])
{
    for (uint32_t i = 0; i < N; i++)
        b[i] = i < N / 2 ? 1 + i % 3 : -1.0 - (N - 1 - i) % 3;
}

/* solve() checks the true residual of each. */
static struct solved solve_chain(vks_context *c, enum precision p, double hold, const double *x0,
                                 vks_solve_options o)
{
    OWNED_STRUCT(host_csr) A = held_chain(hold);
    double b[N];
    fill_wave(b);
    struct problem q = {&A, b, x0, p, o};
    q.options.singular = 1;
    return solve(c, &q);
}

static void must_not_be_singular(const struct solved *s)
{
    must_end(s, VKS_REASON_NOT_SINGULAR);
    cr_expect(strstr(s->report.detail, "A is not singular or not symmetric"), "%s", s->report.detail);
    cr_expect(strstr(s->report.detail, "||A v||"), "%s", s->report.detail);
    cr_expect_eq(s->report.row, UINT32_MAX);
}

/* The free chain converges. The x of the supported one cannot be improved: a solve from it ends at once. */
TestEverywhere(not_singular, is_the_reason_where_the_part_of_A_x_in_the_null_space_is_left)
{
    static const vks_solve_options all[] = {{.precond = VKS_PRECOND_JACOBI},
                                            {.precond = VKS_PRECOND_NONE},
                                            {.precond = VKS_PRECOND_BLOCK_JACOBI},
                                            {.iterate_in_f32 = 1}};
    for (int i = 0; i < (p == PRECISION_F32 ? 3 : 4); i++) {
        vks_solve_options o = all[i];
        o.rtol = p == PRECISION_F32 ? 5e-4 : 1e-8;
        OWNED_STRUCT(solved) held = solve_chain(c, p, weak(p), NULL, o);
        must_not_be_singular(&held);
        cr_expect_gt(held.report.iterations, 4);
        cr_expect_gt(held.report.true_residual, 2 * o.rtol);
        OWNED_STRUCT(solved) again = solve_chain(c, p, weak(p), held.x, o);
        must_not_be_singular(&again);
        cr_expect_eq(again.report.iterations, 0);
        OWNED_STRUCT(solved) free_one = solve_chain(c, p, 0, NULL, o);
        must_end(&free_one, VKS_REASON_CONVERGED);
    }
}

/* A v = 0, but v^T A is not. Iterations in f32 restart so often that their additions along v are discarded
 * before they do harm. */
TestOnBoth(not_singular, is_the_reason_where_the_null_space_is_not_that_of_the_transpose)
{
    OWNED_STRUCT(host_csr) A = held_chain(0);
    double b[N];
    fill_wave(b);
    for (uint32_t k = A.row[N / 2]; k < A.row[N]; k++)
        A.val[k] *= 1 + 0x1p-10;
    vks_solve_options o = {.iterate_in_f32 = 1, .singular = 1};
    struct problem q = {&A, b, NULL, PRECISION_F64, o};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_not_be_singular(&s);
    cr_expect_gt(s.report.true_residual, 1e-6);
}

/* Rounding of the part of b in the null space is ignored. */
TestOnBoth(not_singular, is_not_the_reason_where_b_has_much_in_the_null_space)
{
    OWNED_STRUCT(host_csr) A = held_chain(0);
    double b[N];
    fill_wave(b);
    for (uint32_t i = 0; i < N; i++)
        b[i] += 1e6;
    OWNED(vks_matrix) *m = matrix_from(c, &A, NULL);
    OWNED(vks_vector) *vb = vector_of(c, PRECISION_F64, b, N), *vx = vector_of(c, PRECISION_F64, NULL, N);
    vks_solve_report reported;
    must_work(c, vks_cg_solve(m, vb, vx, &(vks_solve_options){.singular = 1}, &reported));
    cr_expect_eq(reported.reason, VKS_REASON_CONVERGED, "%s", reported.detail);
    cr_expect_leq(reported.true_residual, 1e-8);
}

/* A solver that gets such values, and then others. */
TestOnBoth(not_singular, is_found_again_for_new_values)
{
    OWNED_STRUCT(host_csr) A = held_chain(0), held = held_chain(weak(PRECISION_F64));
    vks_solve_options o = {.singular = 1, .zero_guess = 1};
    double b[N], x[3][N];
    OWNED(vks_matrix) *m;
    OWNED(vks_solver) *solver;
    vks_solve_report reported;
    fill_wave(b);
    must_work(c, vks_matrix_from_csr(c, N, N, A.row, A.col, A.val, NULL, &m));
    OWNED(vks_vector) *vb = vector_of(c, PRECISION_F64, b, N), *vx = vector_of(c, PRECISION_F64, NULL, N);
    must_work(c, vks_solver_create(m, &o, &solver));
    for (int i = 0; i < 3; i++) {
        must_work(c, vks_matrix_set_values(m, VKS_F64, i == 1 ? held.val : A.val));
        must_work(c, vks_solver_solve(solver, vb, vx, &reported));
        cr_expect_eq(reported.reason, i == 1 ? VKS_REASON_NOT_SINGULAR : VKS_REASON_CONVERGED, "%s",
                     reported.detail);
        cr_expect_eq(reported.detail[0] != 0, i == 1);
        must_work(c, vks_vector_read(vx, 0, N, VKS_F64, x[i]));
    }
    must_equal(x[2], x[0], N, "x of the same values");
}

/* A guess that is not finite, and a tolerance that the residual of x = 0 satisfies. */
TestOnBoth(not_singular, a_guess_that_is_not_finite_is_no_solution)
{
    static const double guess[] = {NAN, INFINITY};
    double b[N], x0[N] = {0};
    fill_wave(b);
    OWNED_STRUCT(host_csr) A = held_chain(0);
    for (int p = PRECISION_F32; p <= PRECISION_F64; p++)
        for (int i = 0; i < 2; i++) {
            x0[N / 2] = guess[i];
            struct problem q = {&A, b, x0, (enum precision)p, {.singular = 1, .rtol = 2}};
            OWNED_STRUCT(solved) s = solve(c, &q);
            must_end(&s, VKS_REASON_NOT_FINITE);
        }
}
