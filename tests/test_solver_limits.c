/* Past bugs found in review: the limits of iterations, of the range of f32, and failing calls. */
#include "files/files.h"
#include "tests/small_matrix.h"
#include "tests/support/solve.h"

#include <math.h>

/* In f32 with an unreachable tolerance, so that the limit is before, at and after restarts. */
TestOnHost(solver_limits, the_iteration_limit_holds_across_restarts)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(2000, -1, 2.125, -1);
    OWNED(double) *b = random_vector(PRECISION_F32, 2000, 2, 1);
    uint32_t most_restarts = 0;
    for (uint32_t limit = 1; limit <= 120; limit++) {
        struct problem q = {
            &A, b, NULL, PRECISION_F32, {.max_iterations = limit, .history_capacity = 200, .rtol = 1e-9}};
        OWNED_STRUCT(solved) s = solve(c, &q); /* asserts iterations <= limit, and a history as long */
        if (s.report.restarts > most_restarts)
            most_restarts = s.report.restarts;
    }
    cr_expect_gt(most_restarts, 0, "no limit was late enough for a restart");
}

/* Every element of the right-hand side is b. */
static void solve_in_f32(double off_diagonal, double diagonal, double b)
{
    OWNED(vks_context) *c = open_host();
    OWNED_STRUCT(host_csr) A = tridiagonal(1000, off_diagonal, diagonal, off_diagonal);
    double all[1000];
    for (int i = 0; i < 1000; i++)
        all[i] = b;
    struct problem q = {&A, all, NULL, PRECISION_F32, {.rtol = 1e-5}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
}

Test(solver_limits, f32_solves_systems_near_the_ends_of_its_range)
{
    static const double scales[] = {0x1p122, 0x1p-100, 1};
    for (int i = 0; i < 3; i++)
        solve_in_f32(-scales[i], 3 * scales[i], scales[i]);
}

Test(solver_limits, a_large_right_hand_side_is_solved_in_f32)
{
    solve_in_f32(0, 2, 0x1p126);
}

Test(solver_limits, a_call_that_failed_does_not_look_converged)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    OWNED_STRUCT(host_csr) A = tridiagonal(10, -1, 2, -1);
    OWNED(vks_matrix) *m = matrix_from(c, &A, NULL);
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, 10),
                      *x = vector_of(other, PRECISION_F64, NULL, 10);
    vks_solve_report r;
    memset(&r, 0xAA, sizeof r);
    cr_assert_eq(vks_cg_solve(m, b, x, NULL, &r), VKS_INVALID_ARGUMENT);
    cr_expect_eq(r.reason, VKS_REASON_NOT_RUN);
    cr_expect(isnan(r.true_residual));
    cr_expect_str_eq(r.detail, vks_context_message(c));
    cr_expect(strstr(r.detail, "contexts"), "\"%s\"", r.detail);
}

static struct host_csr from_file(const char *path)
{
    OWNED_STRUCT(market) f;
    struct host_csr A;
    cr_assert_eq(files_read_matrix(NULL, path, &f), VKS_OK);
    cr_assert_eq(host_csr_assemble(NULL, &f.entries, &A), VKS_OK);
    return A;
}

/* From x = 0 if `far` is 0, else from a random x of that size. */
static void stop_early(vks_context *c, const struct host_csr *A, vks_method method, double far)
{
    OWNED(double) *b = random_vector(PRECISION_F64, A->rows, 1, 3),
                  *x0 = random_vector(PRECISION_F64, A->rows, 1, 4);
    for (uint32_t i = 0; i < A->rows; i++)
        x0[i] *= far;
    for (uint32_t limit = 1; limit <= 12; limit++) {
        struct problem q = {A, b, x0, PRECISION_F64, {.method = method, .max_iterations = limit}};
        OWNED_STRUCT(solved) s = solve(c, &q);
        cr_expect(s.report.true_residual <= s.report.initial_residual,
                  "%s, x0 %g, %u iterations: the residual was %g and became %g (%s)", vks_method_name(method),
                  far, limit, s.report.initial_residual, s.report.true_residual,
                  vks_reason_name(s.report.reason));
    }
}

TestOnHost(solver_limits, an_x_is_never_worse_than_the_one_that_was_given)
{
    static const vks_method methods[] = {VKS_METHOD_IDR, VKS_METHOD_BICGSTAB, VKS_METHOD_GMRES,
                                         VKS_METHOD_LSMR};
    static const char *const paths[] = {SOURCE_DIR "/matrices/west0067.mtx.gz",
                                        SOURCE_DIR "/matrices/pores_1.mtx.gz"};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        OWNED_STRUCT(host_csr) A = from_file(paths[k]);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            for (double far = 0; far <= 1e6; far = far > 0 ? far * 1e6 : 1)
                stop_early(c, &A, methods[m], far);
    }
}
