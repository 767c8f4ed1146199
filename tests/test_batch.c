/* Batches of small systems: solutions, bits, and new values. */
#include "tests/support/batch.h"
#include "tests/support/cg_case.h"

/* Sizes around each change of the arrangement of lanes. */
static const uint32_t sizes[] = {1,   2,   3,   31,  32,  33,  63,  64,   65,   127, 128,
                                 129, 255, 256, 257, 511, 512, 513, 1000, 1023, 1024};
enum { SIZES = sizeof sizes / sizeof *sizes };

static double tolerance_of(enum precision p)
{
    return p == PRECISION_F64 ? 1e-8 : 1e-5;
}

static void must_be_solved(const struct systems *s)
{
    for (uint32_t k = 0; k < s->count; k++) {
        const vks_batch_report *r = &s->report[k];
        double residual = residual_of_system(s, k);
        cr_expect_eq(r->reason, VKS_REASON_CONVERGED, "system %u of %u rows: %s", k, s->A[k].rows,
                     vks_reason_name(r->reason));
        cr_expect_leq(residual, tolerance_of(s->p) * (1 + 1e-5), "system %u: %g", k, residual);
        cr_expect_float_eq(r->true_residual, residual, 1e-5 * residual + 1e-17, "%g reported, and it is %g",
                           r->true_residual, residual);
        cr_expect_leq(r->residual, 2 * tolerance_of(s->p));
        cr_expect_eq(r->row, UINT32_MAX);
        cr_expect_gt(r->iterations, 0);
    }
}

TestEverywhere(batch, systems_of_every_size_are_solved_side_by_side)
{
    OWNED_STRUCT(systems) s = systems_of(p, sizes, SIZES);
    const vks_batch_options o = batch_options(p);
    solve_systems(c, &s, &o);
    must_be_solved(&s);
}

TestEverywhere(batch, systems_without_a_preconditioner_are_solved)
{
    OWNED_STRUCT(systems) s = systems_of(p, sizes, SIZES);
    vks_batch_options o = batch_options(p);
    o.precond = VKS_PRECOND_NONE;
    solve_systems(c, &s, &o);
    must_be_solved(&s);
}

/* x after `iterations` of the textbook algorithm, and how many it took. */
static uint32_t textbook(const struct systems *s, uint32_t k, uint32_t iterations, bool jacobi, double *x)
{
    uint32_t n = s->A[k].rows;
    int e;
    double largest = 0;
    OWNED(double) *r = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(s->b[s->first[k] + i]));
    frexp(largest, &e);
    for (uint32_t i = 0; i < n; i++)
        r[i] = ldexp(s->b[s->first[k] + i], 1 - e);
    const struct cg_job j = {.p = s->p,
                             .A = &s->A[k],
                             .r0 = r,
                             .jacobi = jacobi,
                             .lanes = 1,
                             .scale = ldexp(1, e - 1),
                             .limit = iterations,
                             .submit = iterations};
    struct cg_result out = {room(n, 8), room(n, 8), room(iterations, 8), 0, 0};
    cg_expect(&j, &out);
    memcpy(x, out.x, n * sizeof *x);
    uint32_t taken = out.iteration;
    cg_result_free(&out);
    return taken;
}

static void compare_with_textbook(vks_context *c, enum precision p, uint32_t iterations, bool jacobi)
{
    OWNED_STRUCT(systems) s = systems_of(p, sizes, SIZES);
    vks_batch_options o = batch_options(p);
    o.max_iterations = iterations;
    o.rtol = 1e-30;
    o.precond = jacobi ? VKS_PRECOND_JACOBI : VKS_PRECOND_NONE;
    solve_systems(c, &s, &o);
    for (uint32_t k = 0; k < s.count; k++) {
        OWNED(double) *x = room(s.A[k].rows, 8);
        uint32_t taken = textbook(&s, k, iterations, jacobi, x);
        if (s.report[k].restarts || s.report[k].iterations != taken)
            continue; /* a small system, solved exactly */
        must_equal(s.x + s.first[k], x, s.A[k].rows, "x of the textbook algorithm");
    }
    cr_expect_eq(s.report[SIZES - 1].iterations, iterations);
    cr_expect_eq(s.report[SIZES - 1].reason, VKS_REASON_ITERATION_LIMIT);
}

TestEverywhere(batch, iterations_have_the_same_bits_as_the_textbook_algorithm)
{
    compare_with_textbook(c, p, 1, true);
    compare_with_textbook(c, p, 2, false);
    compare_with_textbook(c, p, 7, true);
}

Test(batch, have_the_same_bits_on_host_and_gpu)
{
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        OWNED_STRUCT(systems) s = systems_of(p, sizes, SIZES);
        OWNED_STRUCT(systems) t = systems_of(p, sizes, SIZES);
        vks_batch_options o = batch_options(p);
        solve_systems(host, &s, &o);
        solve_systems(gpu, &t, &o);
        must_agree(&s, &t, precision_name(p));
    }
}

/* Each system alone, and one thread, against all systems together. */
TestEverywhere(batch, equal_bits_whichever_systems_stand_beside)
{
    static const uint32_t n[] = {40, 5, 300, 40, 128, 700, 64};
    OWNED_STRUCT(systems) s = systems_of(p, n, 7);
    const vks_batch_options o = batch_options(p);
    solve_systems(c, &s, &o);
    for (uint32_t k = 0; k < s.count; k++) {
        OWNED(double) *b = room(n[k], 8), *x = room(n[k], 8);
        memcpy(b, s.b + s.first[k], n[k] * sizeof *b);
        struct systems alone = {
            .p = p, .count = 1, .rows = n[k], .A = {s.A[k]}, .first = {0, n[k]}, .b = b, .x = x};
        solve_systems(c, &alone, &o);
        must_equal(alone.x, s.x + s.first[k], n[k], "x of a system alone");
        cr_expect_eq(alone.report[0].iterations, s.report[k].iterations);
    }
}

static vks_status create_shared(vks_context *c, const struct systems *s, const vks_batch_options *o,
                                const double *values, vks_batch **batch)
{
    return vks_batch_create(c, s->count, s->A[0].rows, s->A[0].row, s->A[0].col, VKS_F64, values, o, batch);
}

TestEverywhere(batch, equal_bits_with_a_shared_pattern_and_with_own_ones)
{
    for (uint32_t n = 20; n < 400; n += 350) {
        OWNED_STRUCT(systems) s = equal_systems(p, n, 11);
        share_pattern(&s);
        OWNED_STRUCT(systems) t = systems_copy(&s);
        OWNED(double) *values = joined_values(&s);
        const vks_batch_options o = batch_options(p);
        OWNED(vks_batch) *batch = NULL;
        must_work(c, create_shared(c, &s, &o, values, &batch));
        cr_expect_eq(vks_batch_systems(batch), 11);
        cr_expect_eq(vks_batch_rows(batch), 11 * n);
        cr_expect_eq(vks_batch_entries(batch), 11 * s.A[0].row[n]);
        run_batch(c, batch, &s);
        must_be_solved(&s);
        solve_systems(c, &t, &o);
        must_agree(&s, &t, "shared and own patterns");
    }
}

/* New values from the host, in the other precision, and from the device. */
TestEverywhere(batch, new_values_have_the_same_bits_as_a_new_batch)
{
    OWNED_STRUCT(systems) s = equal_systems(PRECISION_F32, 33, 9);
    share_pattern(&s);
    s.p = p;
    OWNED_STRUCT(systems) other = systems_copy(&s);
    for (uint32_t k = 0; k < other.count; k++)
        for (uint32_t e = 0; e < other.A[k].row[33]; e++)
            other.A[k].val[e] *= 1 + k % 3;
    OWNED(double) *values = joined_values(&s), *new_values = joined_values(&other);
    OWNED(float) *narrow = room(9 * s.A[0].row[33], 4);
    for (uint32_t e = 0; e < 9 * s.A[0].row[33]; e++)
        narrow[e] = (float)values[e];
    const vks_batch_options o = batch_options(p);
    OWNED(vks_batch) *batch = NULL, *made_new = NULL;
    must_work(c, create_shared(c, &s, &o, values, &batch));
    must_work(c, create_shared(c, &s, &o, new_values, &made_new));
    OWNED(vks_vector) *v = vector_of(c, p, new_values, vks_batch_entries(batch));
    must_work(c, vks_batch_update_from(batch, v));
    OWNED_STRUCT(systems) t = systems_copy(&other);
    run_batch(c, batch, &other);
    run_batch(c, made_new, &t);
    must_agree(&other, &t, "values from the device");
    must_work(c, vks_batch_update(batch, VKS_F32, narrow));
    OWNED_STRUCT(systems) u = systems_copy(&s);
    run_batch(c, batch, &u);
    solve_systems(c, &s, &o);
    must_agree(&s, &u, "values from the host");
}

/* A slow system, so that lavapipe needs several dispatches, and the host has one. */
Test(batch, many_dispatches_have_the_same_bits_as_one)
{
    enum { ROWS = 200 };
    static const uint32_t n[] = {ROWS, 50};
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    struct systems of[2];
    for (int k = 0; k < 2; k++) {
        of[k] = systems_of(PRECISION_F64, n, 2);
        for (uint32_t i = 0; i < ROWS; i++)
            for (uint32_t e = of[k].A[0].row[i]; e < of[k].A[0].row[i + 1]; e++) {
                uint32_t j = of[k].A[0].col[e];
                of[k].A[0].val[e] = i == j ? 2 + 1e-9 : i + 1 == j || j + 1 == i ? -1 : 0;
            }
        const vks_batch_options o = {.rtol = 1e-13, .precond = VKS_PRECOND_NONE};
        solve_systems(k ? gpu : host, &of[k], &o);
    }
    cr_expect_geq(of[0].report[0].iterations, ROWS);
    must_agree(&of[0], &of[1], "one dispatch and several");
    systems_free(&of[0]);
    systems_free(&of[1]);
}

/* The exact solution of a system of integers. */
TestEverywhere(batch, the_textbook_solution_is_found)
{
    static const uint32_t row[] = {0, 2, 5, 7}, col[] = {0, 1, 0, 1, 2, 1, 2};
    static const double values[] = {2, -1, -1, 2, -1, -1, 2, 4, -1, -1, 4, -1, -1, 4};
    static const double rhs[] = {1, 0, 1, 3, 2, 3}, want[] = {1, 1, 1, 1, 1, 1};
    double got[6];
    vks_batch_options o = batch_options(p);
    o.zero_guess = 1;
    OWNED(vks_batch) *batch = NULL;
    must_work(c, vks_batch_create(c, 2, 3, row, col, VKS_F64, values, &o, &batch));
    OWNED(vks_vector) *b = vector_of(c, p, rhs, 6), *x = vector_of(c, p, (double[]){9, NAN, 9, 9, 9, 9}, 6);
    must_work(c, vks_batch_solve(batch, b, x, NULL));
    must_work(c, vks_vector_read(x, 0, 6, VKS_F64, got));
    for (int i = 0; i < 6; i++)
        cr_expect_float_eq(got[i], want[i], 10 * tolerance_of(p), "x[%d] is %g", i, got[i]);
}
