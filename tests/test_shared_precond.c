/* Preconditioners that a program holds: applied, shared by solves, and updated with new values. */
#include "small_matrix.h"
#include "tests/support/solve.h"
#include "tests/support/system.h"
#include "vksolve/precond.h"

enum { N = 700 };

static struct system make_system(vks_context *c)
{
    return system_of(c, random_spd(PRECISION_F64, N, 3));
}

/* Doubles the values, and triples those on the diagonal. */
static void change_values(const struct system *s)
{
    uint32_t entries = s->host.row[N];
    OWNED(double) *val = room(entries, 8);
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t k = s->host.row[i]; k < s->host.row[i + 1]; k++)
            val[k] = s->host.val[k] * (s->host.col[k] == i ? 3 : 2);
    must_work(s->c, vks_matrix_set_values(s->A, VKS_F64, val));
}

static vks_solve_report solve_from_zero(const struct system *s, const vks_solve_options *options, double *x)
{
    vks_solve_report report;
    must_work(s->c, vks_vector_fill(s->x, 0));
    must_work(s->c, vks_solve(s->A, s->b, s->x, options, &report));
    must_work(s->c, vks_vector_read(s->x, 0, N, VKS_F64, x));
    cr_expect_eq(report.reason, VKS_REASON_CONVERGED, "%s", report.detail);
    return report;
}

static const vks_precond_kind kinds[] = {VKS_PRECOND_NONE, VKS_PRECOND_JACOBI, VKS_PRECOND_BLOCK_JACOBI};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Solves with a shared preconditioner must have the bits of solves that make their own. */
static void share(vks_context *c)
{
    struct system s = make_system(c);
    OWNED(double) *x = room(N, 8), *want = room(N, 8);
    for (int k = 0; k < KINDS; k++) {
        vks_precond *M = NULL;
        vks_solver *solver[2];
        must_work(c, vks_precond_create(s.A, &(vks_precond_options){.kind = kinds[k]}, &M));
        vks_solve_report own = solve_from_zero(&s, &(vks_solve_options){.precond = kinds[k]}, want), report;
        const vks_solve_options shared = {.shared_precond = M};
        cr_expect_eq(solve_from_zero(&s, &shared, x).iterations, own.iterations);
        must_equal(x, want, N, "x of vks_solve");
        for (int i = 0; i < 2; i++)
            must_work(c, vks_solver_create(s.A, &shared, &solver[i]));
        vks_precond_destroy(M); /* the solvers keep it alive */
        for (int i = 0; i < 4; i++) {
            must_work(c, vks_vector_fill(s.x, 0));
            must_work(c, vks_solver_solve(solver[i % 2], s.b, s.x, &report));
            must_work(c, vks_vector_read(s.x, 0, N, VKS_F64, x));
            must_equal(x, want, N, "x of a solver");
        }
        vks_solver_destroy(solver[0]);
        vks_solver_destroy(solver[1]);
    }
    system_free(&s);
    close_context(c);
}

Test(shared_precond, gives_several_solves_the_bits_of_one_of_their_own)
{
    share(open_host());
    share(open_gpu());
}

/* A solver uses the old values until the preconditioner is updated, and then has the bits of a new one. */
static void update(vks_context *c)
{
    struct system s = make_system(c);
    OWNED(double) *x = room(N, 8), *want = room(N, 8);
    for (int k = 1; k < KINDS; k++) {
        OWNED(vks_precond) *M = NULL;
        OWNED(vks_solver) *solver = NULL;
        vks_solve_report report, fresh;
        must_work(c, vks_matrix_set_values(s.A, VKS_F64, s.host.val));
        must_work(c, vks_precond_create(s.A, &(vks_precond_options){.kind = kinds[k]}, &M));
        must_work(c, vks_solver_create(s.A, &(vks_solve_options){.shared_precond = M}, &solver));
        change_values(&s);
        fresh = solve_from_zero(&s, &(vks_solve_options){.precond = kinds[k]}, want);
        must_work(c, vks_vector_fill(s.x, 0));
        must_work(c, vks_solver_solve(solver, s.b, s.x, &report));
        must_work(c, vks_vector_read(s.x, 0, N, VKS_F64, x));
        cr_expect_eq(report.reason, VKS_REASON_CONVERGED);
        cr_expect(memcmp(x, want, N * sizeof *x), "the preconditioner was updated by itself");
        must_work(c, vks_precond_update(M));
        must_work(c, vks_vector_fill(s.x, 0));
        must_work(c, vks_solver_solve(solver, s.b, s.x, &report));
        must_work(c, vks_vector_read(s.x, 0, N, VKS_F64, x));
        cr_expect_eq(report.iterations, fresh.iterations);
        must_equal(x, want, N, "x after an update");
    }
    system_free(&s);
    close_context(c);
}

Test(shared_precond, takes_new_values_when_asked_to)
{
    update(open_host());
    update(open_gpu());
}

static int try_update(void *user, const vks_progress *progress)
{
    vks_precond *M = user;
    (void)progress;
    cr_expect_eq(vks_precond_update(M), VKS_INVALID_ARGUMENT);
    return 0;
}

TestOnHost(shared_precond, is_not_updated_while_a_solve_uses_it)
{
    OWNED_STRUCT(system) s = make_system(c);
    OWNED(vks_precond) *M = NULL;
    vks_solver *solver = NULL;
    must_work(c, vks_precond_create(s.A, NULL, &M));
    must_work(c, vks_solver_create(s.A, &(vks_solve_options){.shared_precond = M}, &solver));
    must_work(c, vks_solver_submit(solver, s.b, s.x));
    must_refuse(c, vks_precond_update(M), VKS_INVALID_ARGUMENT, "still under way");
    must_work(c, vks_solver_wait(solver, 60, NULL));
    must_work(c, vks_precond_update(M));
    must_work(c, vks_vector_fill(s.x, 0));
    must_work(c,
              vks_solve(s.A, s.b, s.x,
                        &(vks_solve_options){.shared_precond = M, .progress = try_update, .user = M}, NULL));
    must_work(c, vks_solver_submit(solver, s.b, s.x));
    vks_solver_destroy(solver); /* in the middle of its solve */
    must_work(c, vks_precond_update(M));
}

/* z = D^-1 r, and what is refused. */
static void apply(vks_context *c)
{
    struct system s = make_system(c);
    vks_precond *M = NULL;
    vks_precond_facts facts;
    OWNED(double) *z = room(N, 8), *b = room(N, 8);
    must_work(c, vks_vector_read(s.b, 0, N, VKS_F64, b));
    must_work(c, vks_precond_create(s.A, NULL, &M));
    must_work(c, vks_precond_apply(M, s.b, s.x));
    must_work(c, vks_vector_read(s.x, 0, N, VKS_F64, z));
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t k = s.host.row[i]; k < s.host.row[i + 1]; k++)
            if (s.host.col[k] == i)
                cr_assert(same_bits(z[i], 1 / s.host.val[k] * b[i]), "element %u", i);
    must_refuse(c, vks_precond_apply(M, s.x, s.x), VKS_INVALID_ARGUMENT, "the same vector");
    must_work(c, vks_precond_report(M, &facts));
    cr_expect_eq(facts.kind, VKS_PRECOND_JACOBI);
    cr_expect_eq(facts.reason, VKS_REASON_NOT_RUN);
    cr_expect(facts.bytes >= N * 8 && facts.levels == 1 && facts.seconds_setup > 0);
    vks_precond_destroy(M);
    system_free(&s);
    close_context(c);
}

Test(shared_precond, is_applied_to_a_vector)
{
    apply(open_host());
    apply(open_gpu());
}

TestOnHost(shared_precond, of_a_matrix_that_does_not_suit_says_why)
{
    static const uint32_t row[] = {0, 1, 2}, col[] = {0, 1};
    static const double val[] = {1, 0};
    OWNED(vks_matrix) *A = NULL;
    OWNED(vks_precond) *M = NULL;
    vks_precond_facts facts;
    vks_solve_report report;
    must_work(c, vks_matrix_from_csr(c, 2, 2, row, col, val, NULL, &A));
    must_work(c, vks_precond_create(A, NULL, &M));
    must_work(c, vks_precond_report(M, &facts));
    cr_expect_eq(facts.reason, VKS_REASON_ZERO_DIAGONAL);
    cr_expect_eq(facts.row, 1);
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, (double[]){1, 1}, 2),
                      *x = vector_of(c, PRECISION_F64, NULL, 2);
    must_refuse(c, vks_precond_apply(M, b, x), VKS_INVALID_ARGUMENT, "row 2 has a zero");
    must_work(c, vks_solve(A, b, x, &(vks_solve_options){.shared_precond = M}, &report));
    cr_expect_eq(report.reason, VKS_REASON_ZERO_DIAGONAL);
    cr_expect_eq(report.row, 1);
}

static void refuse_create(const vks_context *c, const vks_matrix *A, vks_precond_options o,
                          vks_status expected, const char *part)
{
    vks_precond *M = (vks_precond *)(uintptr_t)A;
    must_refuse(c, vks_precond_create(A, &o, &M), expected, part);
    cr_expect_null(M);
}

Test(shared_precond, options_that_do_not_fit_are_refused)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    OWNED_STRUCT(system) s = make_system(c), foreign = make_system(other);
    OWNED(vks_precond) *M = NULL;
    refuse_create(c, s.A, (vks_precond_options){.kind = (vks_precond_kind)77}, VKS_INVALID_ARGUMENT,
                  "unknown preconditioner");
    refuse_create(c, s.A, (vks_precond_options){.block_size = 3}, VKS_INVALID_ARGUMENT,
                  "jacobi has no block size");
    refuse_create(c, s.A, (vks_precond_options){.kind = VKS_PRECOND_BLOCK_JACOBI, .block_size = 33},
                  VKS_INVALID_ARGUMENT, "blocks of 33 rows");
    refuse_create(c, s.A, (vks_precond_options){.steps = 3}, VKS_INVALID_ARGUMENT, "no number of steps");
    must_work(other, vks_precond_create(foreign.A, NULL, &M));
    must_refuse(c, vks_solve(s.A, s.b, s.x, &(vks_solve_options){.shared_precond = M}, NULL),
                VKS_INVALID_ARGUMENT, "another context");
    vks_precond_destroy(M);
    must_work(c, vks_precond_create(s.A, NULL, &M));
    static const vks_precond_options dense = {.kind = VKS_PRECOND_DENSE};
    const vks_solve_options clashing[] = {
        {.precond = VKS_PRECOND_JACOBI}, {.block_size = 3}, {.precond_options = &dense}};
    for (int i = 0; i < 3; i++) {
        vks_solve_options o = clashing[i];
        o.shared_precond = M;
        must_refuse(c, vks_solve(s.A, s.b, s.x, &o, NULL), VKS_INVALID_ARGUMENT,
                    "excludes precond, block_size and precond_options");
    }
    const vks_precond_options idle[] = {{.degree = 3}, {.kind = VKS_PRECOND_NONE, .in_f32 = 1}};
    for (int i = 0; i < 2; i++)
        must_refuse(c,
                    vks_jacobi_solve(s.A, s.b, s.x, &(vks_solve_options){.precond_options = &idle[i]}, NULL),
                    VKS_INVALID_ARGUMENT, "jacobi takes no preconditioner, but options of one were given");
    must_refuse(c, vks_jacobi_solve(s.A, s.b, s.x, &(vks_solve_options){.shared_precond = M}, NULL),
                VKS_INVALID_ARGUMENT, "jacobi takes no preconditioner, but a shared one was given");
}
