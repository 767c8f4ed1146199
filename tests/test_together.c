/* Conjugate gradients whose workgroups iterate together: the bits are those of one dispatch for each step,
 * even without co-residency. */
#include "small_matrix.h"
#include "solvers/method/cg.h"
#include "tests/support/cg_case.h"
#include "tests/support/gpu.h"
#include "tests/support/solve.h"

/* More unknowns if several workgroups can be co-resident. */
static uint32_t unknowns(void)
{
    return on_hardware() ? 5000 : 250;
}

/* Solves on a device whose workgroups poll this many times for each other; -1: a device without that. */
static struct solved solve_with(const struct problem *q, int polls)
{
    OWNED(vks_context) *c = open_gpu();
    if (polls >= 0)
        make_co_resident(c);
    else
        c->device->info.memory_model = false;
    if (polls == 0)
        c->device->info.polls = 0;
    for (int p = 0; p < PRECISIONS && polls == 0; p++)
        c->device->co_residency[KERNEL_cg_together_csr][p].max_ok = TOGETHER_MOST;
    struct solved s = solve(c, q);
    if (polls == 0)
        cr_expect_gt(c->device->co_residency[KERNEL_cg_together_csr][q->p].min_failed, 0, "they have met");
    return s;
}

static void compare(enum precision p)
{
    uint32_t n = unknowns();
    OWNED_STRUCT(host_csr) A = tridiagonal(n, -1, 2.015625, -1);
    OWNED(double) *b = random_vector(p, n, 2, 3);
    struct problem q = {&A, b, NULL, p, {.max_iterations = 400, .history_capacity = 400}};
    OWNED_STRUCT(solved) apart = solve_with(&q, -1), together = solve_with(&q, 1000),
                         missed = solve_with(&q, 0);
    cr_expect_gt(apart.report.iterations, 70, "which takes batches");
    must_match(&together, &apart, n, "together");
    must_match(&missed, &apart, n, "who did not meet");
    cr_expect_eq(apart.report.together, 0);
    cr_expect_eq(apart.report.dispatches_per_iteration, 3);
    cr_expect_eq(together.report.together, (n - 1) / 256 + 1);
    cr_expect_eq(together.report.dispatches_per_iteration, 0);
    cr_expect_eq(missed.report.together, 0);
}

Test(together, iterations_that_share_a_dispatch_have_the_bits_of_those_that_do_not)
{
    compare(PRECISION_F32);
    compare(PRECISION_F64);
}

/* The number of workgroups that iterate together on a device with these multiprocessors. Its x must have the
 * bits of `want`. */
static uint32_t groups_on(uint32_t multiprocessors, const struct problem *q, const double *want)
{
    OWNED(vks_context) *c = on_hardware() ? open_gpu() : open_host();
    make_co_resident(c);
    c->device->info.multiprocessors = multiprocessors;
    OWNED_STRUCT(solved) s = solve_in(c, q, VKS_FORMAT_SELL);
    uint32_t groups = s.report.together;
    must_equal(s.x, want, q->A->rows, "x");
    return groups;
}

/* Checks the workgroups for numbers of multiprocessors (0: unknown). The bits must not change. */
static void check_groups(const char *kind, uint32_t size, const uint32_t (*expected)[2], uint32_t count)
{
    OWNED_STRUCT(host_csr) A = model(kind, size);
    OWNED(double) *b = random_vector(PRECISION_F64, A.rows, 2, 3);
    struct problem q = {&A, b, NULL, PRECISION_F64, {.max_iterations = 3}};
    OWNED(vks_context) *c = open_host();
    OWNED_STRUCT(solved) apart = solve_in(c, &q, VKS_FORMAT_SELL);
    cr_expect_eq(apart.report.together, 0);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t groups = groups_on(expected[i][0], &q, apart.x);
        cr_expect_eq(groups, expected[i][1], "%s %u on %u: %u", kind, size, expected[i][0], groups);
    }
}

Test(together, short_rows_share_workgroups_until_there_is_one_for_each_multiprocessor)
{
    check_groups("poisson2d", 140, (const uint32_t[][2]){{0, 77}, {140, 77}, {60, 77}},
                 3); /* no distribution has fewer */
    check_groups("poisson2d", 256, (const uint32_t[][2]){{0, 256}, {140, 128}, {108, 64}}, 3);
    check_groups("poisson2d", 277, (const uint32_t[][2]){{0, 300}, {140, 172}}, 2);  /* 108 are too many */
    check_groups("poisson3d27", 41, (const uint32_t[][2]){{0, 270}, {140, 270}}, 2); /* long rows */
}

TestOnGpu(together, a_solver_whose_workgroups_have_parted_says_so_from_then_on)
{
    uint32_t n = unknowns();
    OWNED_STRUCT(host_csr) host = tridiagonal(n, -1, 2.015625, -1);
    OWNED(vks_matrix) *A;
    OWNED(vks_solver) *solver;
    make_co_resident(c);
    c->device->info.polls = 0;
    c->device->co_residency[KERNEL_cg_together_csr][PRECISION_F64].max_ok = TOGETHER_MOST;
    must_work(c, vks_matrix_from_csr(c, n, n, host.row, host.col, host.val, NULL, &A));
    must_work(c, vks_solver_create(A, NULL, &solver));
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, n), *x = vector_of(c, PRECISION_F64, NULL, n);
    must_work(c, vks_vector_fill(b, 1));
    for (int i = 0; i < 2; i++) {
        vks_solve_report reported;
        must_work(c, vks_vector_fill(x, 0));
        must_work(c, vks_solver_solve(solver, b, x, &reported));
        cr_expect_eq(reported.reason, VKS_REASON_CONVERGED);
        cr_expect_eq(reported.together, 0, "solve %d: %u workgroups", i, reported.together);
    }
}

/* Acts as a workgroup that has timed out in the middle of an iteration. */
static int make_inconsistent(void *user, const vks_progress *progress)
{
    static const uint32_t inconsistent = STATE_INCONSISTENT;
    struct cg_run *t = user;
    (void)progress;
    if (t->s.it.batches.groups)
        must_work(t->c, device_write(t->s.it.device, &t->s.it.column.state.words, 0, &inconsistent,
                                     sizeof inconsistent));
    return 0;
}

TestOnGpu(together, a_solve_that_is_inconsistent_starts_again_from_where_it_is)
{
    enum { N = 200 };
    OWNED_STRUCT(host_csr) A = tridiagonal(N, -1, 2.0001, -1);
    OWNED(double) *r0 = random_vector(PRECISION_F64, N, 2, 3), *x = room(N, 8);
    struct cg_job j = {PRECISION_F64, &A, r0, true, 1, 1, 1000, 1, VKS_FORMAT_CSR, 0, true};
    OWNED_BY(cg_end) struct cg_run t;
    make_co_resident(c);
    cg_begin(&t, c, &j);
    must_work(c, vks_vector_write(t.b, 0, N, VKS_F64, r0));
    t.s.options.rtol = 1e-10;
    t.s.options.progress = make_inconsistent;
    t.s.options.user = &t;
    must_work(c, solve_begin(&t.s));
    must_work(c, solve_advance(&t.s, INFINITY));
    cr_expect_eq(t.s.report.reason, VKS_REASON_CONVERGED, "%s", t.s.report.detail);
    cr_expect_eq(t.s.report.restarts, 1);
    cr_expect_eq(t.s.report.together, 0);
    must_work(c, vks_vector_read(t.x, 0, N, VKS_F64, x));
    cr_expect_lt(precise_residual(&A, x, r0), 2e-10);
}

/* From the next dispatch on, workgroups do not wait for each other. */
static int part_ways(void *user, const vks_progress *progress)
{
    static const uint32_t polls = 0;
    struct cg_run *t = user;
    struct cg *own = t->s.it.krylov.own;
    if (progress->iteration >= 8 && t->s.it.batches.groups)
        must_work(t->c, device_write(t->s.it.device, &own->sync_words, RENDEZVOUS_POLLS * sizeof polls,
                                     &polls, sizeof polls));
    return 0;
}

/* x and the report of a solve, which `progress` interferes with. */
static vks_solve_report drive_to_the_end(const struct host_csr *A, double *r0,
                                         int (*progress)(void *user, const vks_progress *progress), double *x)
{
    OWNED(vks_context) *c = open_gpu();
    struct cg_job j = {PRECISION_F64, A, r0, true, 1, 1, 1000, 1, VKS_FORMAT_CSR, 0, true};
    OWNED_BY(cg_end) struct cg_run t;
    make_co_resident(c);
    cg_begin(&t, c, &j);
    must_work(c, vks_vector_write(t.b, 0, A->rows, VKS_F64, r0));
    t.s.options.rtol = 1e-10;
    t.s.options.progress = progress;
    t.s.options.user = &t;
    must_work(c, solve_begin(&t.s));
    must_work(c, solve_advance(&t.s, INFINITY));
    must_work(c, vks_vector_read(t.x, 0, A->rows, VKS_F64, x));
    vks_solve_report report = t.s.report;
    return report;
}

Test(together, workgroups_that_part_on_the_way_leave_the_bits_as_they_are)
{
    enum { N = 200 };
    OWNED_STRUCT(host_csr) A = tridiagonal(N, -1, 2.0001, -1);
    OWNED(double) *r0 = random_vector(PRECISION_F64, N, 2, 3), *want = room(N, 8), *x = room(N, 8);
    vks_solve_report met = drive_to_the_end(&A, r0, NULL, want),
                     parted = drive_to_the_end(&A, r0, part_ways, x);
    cr_expect_gt(met.iterations, 50);
    cr_expect_eq(parted.iterations, met.iterations);
    cr_expect_eq(met.together, 1);
    cr_expect_eq(parted.together, 0);
    cr_expect_eq(parted.restarts, met.restarts);
    must_equal(x, want, N, "who parted");
}
