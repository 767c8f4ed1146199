/* Gauss-Jordan elimination over several panels, and the same bits on several devices. Lavapipe compiles both
 * precisions for host_and_lavapipe_give_the_same_bits, and otherwise f64. */
#include "dense/pivot_verbs.h"
#include "tests/support/dense_system.h"
#include "tests/support/gpu.h"

TestEverywhere(gauss_jordan_bits, a_column_of_zeros_and_a_nan_end_it_with_their_column)
{
    enum { ORDER = 150, BAD = 133 }; /* in the second panel */
    double *A = random_vector(p, ORDER * ORDER, 1, 5), B[ORDER] = {0};
    for (int i = 0; i < ORDER; i++)
        A[i * ORDER + BAD] = 0;
    OWNED_STRUCT(system) s = make_system(c, p, ORDER, 1, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_SINGULAR);
    cr_expect_eq(s.report.column, BAD, "column %u", s.report.column);
    system_free(&s);
    A[7 * ORDER + BAD] = NAN;
    s = make_system(c, p, ORDER, 1, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_NOT_FINITE);
    cr_expect_leq(s.report.column, BAD);
    free(A);
}

/* Every step takes a different row. */
TestEverywhere(gauss_jordan_bits, a_permuted_identity_is_solved_exactly)
{
    enum { ORDER = 141 };
    double A[ORDER * ORDER] = {0}, B[ORDER], X[ORDER];
    for (int i = 0; i < ORDER; i++) {
        int j = (i * 50 + 17) % ORDER;
        A[i * ORDER + j] = 1;
        B[i] = i;
        X[j] = i;
    }
    OWNED_STRUCT(system) s = make_system(c, p, ORDER, 1, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    must_hold_rhs(&s, X);
    cr_expect_eq(s.report.determinant_sign, parity(ORDER, 50, 17));
    cr_expect_eq(s.report.determinant_log, 0);
    cr_expect_float_eq(s.report.reciprocal_condition, 1, 200 * unit(p));
    cr_expect_eq(s.report.backward_error, 0);
}

/* Two panels; the second is not a multiple of any unit. */
enum { EQUAL = 171 };

static struct co_residency last_trial; /* on the other device */

static void give_bits(vks_context *c, enum precision p, double *x, double *inverse, struct system *s)
{
    double *A = random_vector(p, EQUAL * EQUAL, 1, 8), *B = random_vector(p, EQUAL * 3, 1, 9);
    vks_dense *I = NULL;
    *s = make_system(c, p, EQUAL, 3, A, B);
    cr_expect_eq(run_system(s, NULL), VKS_REASON_CONVERGED);
    must_work(c, vks_dense_get(s->B, VKS_F64, x, 0));
    must_work(c, vks_gauss_jordan_invert(s->A, &I, NULL, NULL));
    must_work(c, vks_dense_get(I, VKS_F64, inverse, 0));
    vks_dense_destroy(I);
    system_free(s);
    free(A);
    free(B);
    if (c->device->info.kind != DEVICE_HOST)
        last_trial = c->device->co_residency[KERNEL_pivot_panel][p];
    close_context(c);
}

static void must_give_equal_bits(enum precision p, vks_context *other)
{
    double x[2][EQUAL * 3], *inverse[2] = {room(EQUAL * EQUAL, 8), room(EQUAL * EQUAL, 8)};
    struct system s[2];
    give_bits(open_host(), p, x[0], inverse[0], &s[0]);
    give_bits(other, p, x[1], inverse[1], &s[1]);
    must_equal(x[1], x[0], EQUAL * 3, "x");
    must_equal(inverse[1], inverse[0], EQUAL * EQUAL, "the inverse");
    cr_expect_eq(s[0].report.determinant_log, s[1].report.determinant_log);
    cr_expect_eq(s[0].report.reciprocal_condition, s[1].report.reciprocal_condition);
    cr_expect_eq(s[0].report.residual, s[1].report.residual);
    free(inverse[0]);
    free(inverse[1]);
}

Test(gauss_jordan_bits, host_and_lavapipe_give_the_same_bits)
{
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        must_give_equal_bits(p, open_gpu());
    if (on_hardware()) /* others are not asked to */
        cr_expect_eq(last_trial.max_ok, 2, "the workgroups of a panel have not met");
}

Test(gauss_jordan_bits, the_number_of_workgroups_and_the_instruction_set_make_no_difference)
{
    must_give_equal_bits(PRECISION_F32, open_context(gpu_name(), (struct device_options){.max_groups = 3}));
    must_give_equal_bits(PRECISION_F64, open_context("host", (struct device_options){.host_isa = "base"}));
}

Test(gauss_jordan_bits, a_panel_in_one_dispatch_and_in_one_a_column_have_equal_bits)
{
    must_give_equal_bits(PRECISION_F64,
                         open_context(gpu_name(), (struct device_options){.no_waiting = true}));
}

Test(gauss_jordan_bits, smaller_tiles_have_equal_bits)
{
    for (int gpu = 0; gpu < 2; gpu++)
        for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
            vks_context *c = gpu ? open_gpu() : open_host();
            c->device->info.few_registers = true;
            if (walks_in(c->device, p))
                must_give_equal_bits(p, c);
            else
                close_context(c);
        }
}

/* Three strips, the last not a whole number of panels; a zero column is in the second one. */
static void passes_strips(enum precision p)
{
    enum { N = 1100, BAD = 700 };
    OWNED(vks_context) *c = open_host();
    double *A = random_vector(p, N * N, 1, 3), *x = random_vector(p, N, 1, 4), *b = room(N, 8), largest = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i] += A[i * N + j] * x[j];
    OWNED_STRUCT(system) s = make_system(c, p, N, 1, A, b);
    vks_dense *inverse = NULL, *product = NULL;
    cr_expect_eq(run_system(&s, &(vks_gauss_jordan_options){.no_refinement = 1}), VKS_REASON_CONVERGED);
    cr_expect_lt(s.report.backward_error, 100 * unit(p), "%g", s.report.backward_error);
    must_work(c, vks_gauss_jordan_invert(s.A, &inverse, NULL, NULL));
    must_work(c, vks_dense_create(c, N, N, 0, public_precision(p), &product));
    must_work(c, vks_gemm(s.A, inverse, product));
    OWNED(double) *I = room(N * N, 8);
    must_work(c, vks_dense_get(product, VKS_F64, I, 0));
    for (int e = 0; e < N * N; e++)
        largest = fmax(largest, fabs(I[e] - (e % (N + 1) == 0)));
    cr_expect_lt(largest, 1e5 * unit(p), "A X - I has %g", largest);
    vks_dense_destroy(inverse);
    vks_dense_destroy(product);
    system_free(&s);
    for (int i = 0; i < N; i++)
        A[i * N + BAD] = 0;
    s = make_system(c, p, N, 1, A, b);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_SINGULAR);
    cr_expect_eq(s.report.column, BAD, "column %u", s.report.column);
    free(A);
    free(x);
    free(b);
}

Test(gauss_jordan_bits, strips_tell_all_others_what_they_did)
{
    passes_strips(PRECISION_F64);
    passes_strips(PRECISION_F32);
}

/* As if co-residency had been observed before, but now workgroups do not wait for each other. */
Test(gauss_jordan_bits, workgroups_that_do_not_meet_are_done_without)
{
    vks_context *c = open_gpu();
    c->device->co_residency[KERNEL_pivot_panel][PRECISION_F64].max_ok = PIVOT_GROUPS;
    c->device->info.polls = 0;
    must_give_equal_bits(PRECISION_F64, c);
    cr_expect_eq(last_trial.min_failed, 2, "%u workgroups were to meet", last_trial.min_failed);
    cr_expect_eq(last_trial.max_ok, 1);
}
