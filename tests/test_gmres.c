/* GMRES(m): its residuals are those of the definition, its bits are the same on host and GPU, it reports the
 * reason of its ending, and it refuses an invalid restart. */
#include "tests/support/krylov.h"

enum { N = 120, M = 6, COUNT = 18 };

typedef long double wide[N];

/* The least ||b - A x|| over x of the restarted Krylov spaces: r minus its part in the span of A times those
 * spaces, with an orthonormal basis by Gram-Schmidt. Uses no Hessenberg matrix, and no rotation. */
static void definition(const struct host_csr *A, const double *b, double *norm)
{
    static wide image[M], r, rest, power;
    wide_copy(N, b, r);
    for (uint32_t done = 0; done < COUNT; done++) {
        uint32_t j = done % M;
        memcpy(power, j ? image[j - 1] : r, sizeof power);
        memcpy(rest, r, sizeof rest);
        wide_product(A, power, image[j]);
        for (int twice = 0; twice < 2; twice++)
            for (uint32_t k = 0; k < j; k++)
                wide_take_off(N, wide_dot(N, image[k], image[j]), image[k], image[j]);
        long double length = sqrtl(wide_dot(N, image[j], image[j]));
        for (uint32_t i = 0; i < N; i++)
            image[j][i] /= length;
        for (uint32_t k = 0; k <= j; k++)
            wide_take_off(N, wide_dot(N, image[k], rest), image[k], rest);
        norm[done] = wide_norm(N, rest);
        if (j + 1 == M)
            memcpy(r, rest, sizeof r);
    }
}

TestInBothPrecisions(gmres, residuals_are_those_of_the_definition)
{
    OWNED_STRUCT(host_csr) A = random_unsymmetric(p, N, 3);
    double *b = random_right_side(&A, p, 5), norm[COUNT], bb = 0;
    vks_solve_options o = {.precond = VKS_PRECOND_NONE,
                           .rtol = 1e-14,
                           .zero_guess = 1,
                           .restart = M,
                           .max_iterations = COUNT,
                           .history_capacity = COUNT};
    struct problem q = problem_of(VKS_METHOD_GMRES, &A, b, p, o);
    OWNED_STRUCT(solved) s = solve(c, &q);
    definition(&A, b, norm);
    for (uint32_t i = 0; i < N; i++)
        bb += b[i] * b[i];
    uint32_t same = s.report.history_count;
    cr_assert_geq(same, M + 2);
    same = p == PRECISION_F32 ? M + 2 : same;
    for (uint32_t i = 0; i < same; i++) {
        double want = norm[i] / sqrt(bb), slack = p == PRECISION_F32 ? 1e-5 : 1e-13;
        cr_assert(fabs(s.history[i] - want) <= slack, "iteration %u: %.17g, not %.17g", i + 1, s.history[i],
                  want);
    }
    free(b);
}

Test(gmres, host_and_gpu_give_the_same_bits_in_f64)
{
    walk_over_sizes(VKS_METHOD_GMRES, PRECISION_F64, (vks_solve_options){.restart = 11});
}

Test(gmres, host_and_gpu_give_the_same_bits_in_f32)
{
    walk_over_sizes(VKS_METHOD_GMRES, PRECISION_F32, (vks_solve_options){.restart = 2});
}

/* b is the first unit vector. */
static void must_end_as(vks_context *c, const struct host_csr *A, uint32_t restart, vks_reason reason,
                        const char *part)
{
    OWNED(double) *b = room(A->rows, 8);
    b[0] = 1;
    must_end_so(c, VKS_METHOD_GMRES, A, b, (vks_solve_options){.restart = restart}, reason, part);
}

TestOnHost(gmres, of_a_cyclic_shift_is_done_in_n_iterations_or_stagnates)
{
    OWNED_STRUCT(host_csr) A = cyclic_shift(40);
    double b[40] = {1};
    struct solved s = solve_to_the_end(c, VKS_METHOD_GMRES, &A, b, (vks_solve_options){.restart = 40});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.iterations, 40);
    solved_free(&s);
    must_end_as(c, &A, 39, VKS_REASON_STAGNATED, "in 300 iterations");
}

/* GMRES's own residual never rises. It diverges if a product after the first one overflows. */
TestOnHost(gmres, ends_with_the_reason)
{
    OWNED_STRUCT(host_csr) zero = tridiagonal(40, 0, 0, 0), huge = tridiagonal(6, 1, 1, 0);
    huge.val[huge.row[3] + 1] = 1e200;
    must_end_as(c, &zero, 0, VKS_REASON_BREAKDOWN, "iteration 1: A is singular");
    must_end_as(c, &huge, 0, VKS_REASON_DIVERGED, "grew by more than 1e+10");
    must_end_at_limits_and_nans(c, VKS_METHOD_GMRES);
}

static int stop_late(void *user, const vks_progress *progress)
{
    return progress->iteration >= *(uint32_t *)user;
}

/* Cancels in the middle of a cycle. */
TestOnHost(gmres, that_is_cancelled_has_the_x_of_as_many_iterations)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(400, -1.3, 2.1, -0.7);
    for (uint32_t after = 10; after <= 60; after += 25) {
        vks_solve_options o = {
            .rtol = 1e-12, .restart = 100, .zero_guess = 1, .progress = stop_late, .user = &after};
        OWNED_STRUCT(solved) s = solve_to_the_end(c, VKS_METHOD_GMRES, &A, NULL, o);
        must_end(&s, VKS_REASON_CANCELLED);
        cr_expect_gt(s.report.iterations, after);
        o.progress = NULL;
        o.max_iterations = s.report.iterations;
        OWNED_STRUCT(solved) limited = solve_to_the_end(c, VKS_METHOD_GMRES, &A, NULL, o);
        cr_expect_eq(s.report.true_residual, limited.report.true_residual, "%g and %g after %u",
                     s.report.true_residual, limited.report.true_residual, s.report.iterations);
    }
}

TestOnHost(gmres, alone_takes_a_restart_of_1_to_100)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(4, -1, 4, 2);
    OWNED(vks_matrix) *m = matrix_from(c, &A, NULL);
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, 4), *x = vector_of(c, PRECISION_F64, NULL, 4);
    vks_solve_options o = {.method = VKS_METHOD_GMRES, .restart = 101};
    must_refuse(c, vks_solve(m, b, x, &o, NULL), VKS_INVALID_ARGUMENT, "101");
    o = (vks_solve_options){.method = VKS_METHOD_BICGSTAB, .restart = 5};
    must_refuse(c, vks_solve(m, b, x, &o, NULL), VKS_INVALID_ARGUMENT, "bicgstab has no restart, but 5");
}
