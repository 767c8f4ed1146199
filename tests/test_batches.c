/* Iterations are submitted in batches, whose length depends only on time. */
#include "report/clock.h"
#include "tests/support/repeated.h"
#include "vector/verbs.h"

#include <math.h>

/* Data of a progress function: iterations from one call to the next. */
struct watched {
    uint32_t last, calls, longest, first;
};

static int see(void *user, const vks_progress *p)
{
    struct watched *w = user;
    uint32_t done = p->iteration - w->last;
    w->longest = done > w->longest ? done : w->longest;
    w->last = p->iteration;
    w->first = w->first ? w->first : done;
    w->calls++;
    return 0;
}

static struct watched watch_solve(vks_context *c, struct problem q, double batch_seconds, const double *want)
{
    struct watched w = {0};
    q.options.batch_seconds = batch_seconds;
    q.options.progress = see;
    q.options.user = &w;
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    must_equal(s.x, want, N, "x");
    return w;
}

TestOnBoth(batches, are_as_short_as_is_asked_for_and_change_no_bit)
{
    const vks_precond_kind all[] = {VKS_PRECOND_JACOBI,
                                    VKS_PRECOND_BLOCK_JACOBI}; /* these never share a dispatch */
    OWNED_STRUCT(host_csr) A = tridiagonal(N, -1, 2.01, -1);
    OWNED(double) *b = random_vector(PRECISION_F32, N, 2, 5);
    for (int i = 0; i < 2; i++) {
        struct problem q = {&A, b, NULL, PRECISION_F64, {.precond = all[i]}};
        OWNED_STRUCT(solved) s = solve(c, &q);
        struct watched shortest = watch_solve(c, q, 1e-300, s.x), longest = watch_solve(c, q, 1000, s.x);
        struct watched usual = watch_solve(c, q, 0, s.x);
        cr_expect_eq(usual.first, 1, "%u iterations in the first batch that is watched", usual.first);
        cr_expect_gt(s.report.iterations, 100);
        cr_expect_eq(shortest.longest, 1, "%u iterations in a batch", shortest.longest);
        cr_expect_geq(longest.longest, 8, "%u iterations in a batch", longest.longest);
        cr_expect_lt(longest.calls, shortest.calls / 4);
    }
}

/* The method checks the residual after eight iterations. */
TestOnBoth(batches, of_jacobi_have_eight_iterations_at_least)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(N, -1, 2.5, -1);
    OWNED(double) *b = random_vector(PRECISION_F32, N, 2, 5);
    struct problem q = {&A, b, NULL, PRECISION_F64, {.method = VKS_METHOD_JACOBI}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    struct watched shortest = watch_solve(c, q, 1e-300, s.x);
    struct watched usual = watch_solve(c, q, 0, s.x);
    cr_expect_eq(shortest.longest, 8, "%u iterations in a batch", shortest.longest);
    cr_expect_eq(usual.first, 8, "%u iterations in the first batch that is watched", usual.first);
}

TestOnHost(batches, of_a_time_or_a_tolerance_that_is_none_are_refused)
{
    OWNED_STRUCT(repeated) r = make_repeated(c, (vks_matrix_options){0}, (vks_solve_options){0});
    const double bad[] = {-1e-300, INFINITY, NAN};
    vks_solver *none;
    for (int i = 0; i < 3; i++) {
        vks_solve_options time = {.batch_seconds = bad[i]}, relative = {.rtol = bad[i]},
                          absolute = {.atol = bad[i]};
        must_refuse(c, vks_solver_create(r.A, &time, &none), VKS_INVALID_ARGUMENT, "batch_seconds");
        must_refuse(c, vks_cg_solve(r.A, r.b, r.x, &time, NULL), VKS_INVALID_ARGUMENT, "batch_seconds");
        must_refuse(c, vks_cg_solve(r.A, r.b, r.x, &relative, NULL), VKS_INVALID_ARGUMENT, "rtol");
        must_refuse(c, vks_cg_solve(r.A, r.b, r.x, &absolute, NULL), VKS_INVALID_ARGUMENT, "atol");
    }
}

static vks_status no_span(struct rec *r, double *seconds)
{
    *seconds = 0;
    return fail(r->device->message, VKS_DEVICE_LOST, "the clock stopped");
}

TestOnHost(batches, whose_clock_fails_end_the_solve)
{
    OWNED_STRUCT(repeated) r = make_repeated_of(c, tridiagonal(N, -1, 2.001, -1), (vks_matrix_options){0},
                                                (vks_solve_options){ANYWHERE});
    const struct device_ops *working = c->device->ops;
    struct device_ops broken = *working;
    vks_solve_report reported;
    broken.span = no_span;
    c->device->ops = &broken;
    must_refuse(c, vks_solver_solve(r.solver, r.b, r.x, &reported), VKS_DEVICE_LOST, "the clock stopped");
    c->device->ops = working;
    cr_expect_eq(reported.reason, VKS_REASON_NOT_RUN);
    must_work(c, vks_solver_solve(r.solver, r.b, r.x, &reported));
    cr_expect_eq(reported.reason, VKS_REASON_CONVERGED);
}

/* Times a recording of some length, with or without a timestamp after each dispatch. */
static void time_recording(const char *device, bool timestamps, bool spanned)
{
    OWNED(vks_context) *c = open_context(device, (struct device_options){.timestamps = timestamps});
    enum { WORDS = 1 << 18 };
    OWNED_BY(rec_destroy) struct rec r;
    double span = -1, wall = 0;
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F32, NULL, WORDS);
    OWNED(vks_vector) *y = vector_of(c, PRECISION_F32, NULL, WORDS);
    rec_create(&r, c->device, PRECISION_F32);
    r.spanned = spanned;
    for (int i = 0; i < 20; i++)
        copy_words(&r, words_of(&x->memory), words_of(&y->memory), WORDS);
    for (int k = 0; k < 2; k++) {
        double begun = clock_seconds();
        must_work(c, rec_run(&r));
        wall = clock_seconds() - begun;
        must_work(c, rec_span(&r, &span));
        if (spanned)
            cr_expect(span > 0 && span <= wall, "%s: %g s of %g s", device, span, wall);
        else
            cr_expect(isnan(span));
    }
}

Test(batches, are_timed_as_a_whole_by_the_device)
{
    const char *devices[] = {"host", gpu_name()};
    for (int i = 0; i < 8; i++)
        time_recording(devices[i & 1], i & 2, i & 4);
}
