/* A preconditioner whose matrix gets values that move its arrays, while a kept solver shares it. */
#include "command/models/generate_matrix.h"
#include "small_matrix.h"
#include "tests/support/solve.h"
#include "vksolve/precond.h"

/* A stays the same; the preconditioner is of B, whose entries are codes at first. */
struct world {
    vks_context *c;
    uint32_t n;
    struct host_csr host;
    vks_matrix *A, *B;
    vks_vector *b, *x, *z;
};

static struct world make_world(vks_context *c, uint32_t size, vks_precision stored, vks_format format)
{
    struct world w = {.c = c};
    struct host_csr *h = &w.host;
    vks_matrix_options o = {.precision = stored, .storage.format = format};
    must_work(c, generate_matrix(NULL, "poisson2d", size, h));
    w.n = h->rows;
    must_work(c, vks_matrix_from_csr(c, w.n, w.n, h->row, h->col, h->val, NULL, &w.A));
    must_work(c, vks_matrix_from_csr(c, w.n, w.n, h->row, h->col, h->val, &o, &w.B));
    OWNED(double) *values = random_vector(PRECISION_F64, w.n, 2, 5);
    w.b = vector_of(c, PRECISION_F64, values, w.n);
    w.x = vector_of(c, PRECISION_F64, NULL, w.n);
    w.z = vector_of(c, PRECISION_F64, NULL, w.n);
    return w;
}

static void world_free(struct world *w)
{
    vks_vector_destroy(w->b);
    vks_vector_destroy(w->x);
    vks_vector_destroy(w->z);
    vks_matrix_destroy(w->A);
    vks_matrix_destroy(w->B);
    host_csr_free(&w->host);
}

/* A different diagonal value in each row of B, which f32 can hold or not. */
static void move(const struct world *w, double step)
{
    OWNED(double) *val = room(w->host.row[w->n], 8);
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t k = w->host.row[i]; k < w->host.row[i + 1]; k++)
            val[k] = w->host.col[k] == i ? 4 + step * i : w->host.val[k];
    must_work(w->c, vks_matrix_set_values(w->B, VKS_F64, val));
}

static double *solve_by(const struct world *w, vks_solver *solver)
{
    vks_solve_report report;
    double *x = room(w->n, 8);
    must_work(w->c, vks_vector_fill(w->x, 0));
    must_work(w->c, vks_solver_solve(solver, w->b, w->x, &report));
    cr_assert_eq(report.reason, VKS_REASON_CONVERGED, "%s: %s", vks_reason_name(report.reason),
                 report.detail);
    must_work(w->c, vks_vector_read(w->x, 0, w->n, VKS_F64, x));
    return x;
}

static double *apply(const struct world *w, vks_precond *M)
{
    double *z = room(w->n, 8);
    must_work(w->c, vks_precond_apply(M, w->b, w->z));
    must_work(w->c, vks_vector_read(w->z, 0, w->n, VKS_F64, z));
    return z;
}

/* Options of a solve with M, by a method that supports it. */
static vks_solve_options options_with(vks_precond *M, const vks_precond_options *o)
{
    return (vks_solve_options){.method = o->kind == VKS_PRECOND_ILUT ? VKS_METHOD_IDR : VKS_METHOD_AUTO,
                               .shared_precond = M};
}

/* M and a solver that shares it, compared with new ones. */
static void compare_with_new(const struct world *w, const vks_precond_options *o, vks_precond *M,
                             vks_solver *solver)
{
    OWNED(vks_precond) *fresh = NULL;
    OWNED(vks_solver) *other = NULL;
    must_work(w->c, vks_precond_create(w->B, o, &fresh));
    vks_solve_options with = options_with(fresh, o);
    must_work(w->c, vks_solver_create(w->A, &with, &other));
    OWNED(double) *z = apply(w, M), *new_z = apply(w, fresh), *x = solve_by(w, solver),
                  *new_x = solve_by(w, other);
    must_equal(z, new_z, w->n, vks_precond_name(o->kind));
    must_equal(x, new_x, w->n, vks_precond_name(o->kind));
}

/* Before the update, solves use the old preconditioner, unless B now stores its values in f64. */
static void follow(vks_context *c, uint32_t size, vks_precision stored, vks_format format,
                   const vks_precond_options *o)
{
    static const double steps[] = {0x1p-10, 0, 0.001};
    OWNED_STRUCT(world) w = make_world(c, size, stored, format);
    OWNED(vks_precond) *M = NULL;
    OWNED(vks_solver) *solver = NULL;
    must_work(c, vks_precond_create(w.B, o, &M));
    vks_solve_options with = options_with(M, o);
    must_work(c, vks_solver_create(w.A, &with, &solver));
    free(solve_by(&w, solver));
    for (int k = 0; k < 3; k++) {
        move(&w, steps[k]);
        if (k == 2 && stored == VKS_MIXED) {
            const char *part = "call vks_precond_update first";
            must_refuse(c, vks_precond_apply(M, w.b, w.z), VKS_INVALID_ARGUMENT, part);
            must_refuse(c, vks_solver_solve(solver, w.b, w.x, NULL), VKS_INVALID_ARGUMENT, part);
            must_refuse(c, vks_solve(w.A, w.b, w.x, &with, NULL), VKS_INVALID_ARGUMENT, part);
        } else {
            free(solve_by(&w, solver));
        }
        must_work(c, vks_precond_update(M));
        compare_with_new(&w, o, M, solver);
    }
}

/* FSAI keeps its pattern, so a new one differs. Unless it is small, a dense inverse, including that of the
 * coarsest level of multigrid, takes seconds on a software device. */
static void follow_each(vks_context *c, int step)
{
    for (int kind = VKS_PRECOND_NONE; kind < VKS_PRECOND_COUNT_; kind++)
        for (int variant = 0; variant < 6 && kind != VKS_PRECOND_FSAI; variant += step) {
            vks_precond_options o = {.kind = (vks_precond_kind)kind, .in_f32 = variant % 2};
            follow(c, kind == VKS_PRECOND_DENSE || kind == VKS_PRECOND_AMG ? 8 : 16,
                   variant / 2 ? VKS_MIXED : VKS_F64, variant / 4 ? VKS_FORMAT_CSR : VKS_FORMAT_AUTO, &o);
        }
}

Test(shared_values, solvers_and_applications_follow_a_matrix_whose_arrays_move)
{
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    follow_each(host, 1);
    follow_each(gpu, 3); /* the same arrays move, and lavapipe is slow */
}

struct ended {
    vks_precond *M;
    int calls;
};

static int end_it(void *user, const vks_progress *progress)
{
    struct ended *e = user;
    (void)progress;
    if (!e->calls++)
        vks_precond_destroy(e->M);
    return 0;
}

TestOnBoth(shared_values, a_solve_keeps_what_its_progress_function_destroys)
{
    OWNED_STRUCT(world) w = make_world(c, 24, VKS_F64, VKS_FORMAT_AUTO);
    struct ended e = {0};
    vks_solve_report report;
    must_work(c, vks_precond_create(w.B, &(vks_precond_options){.kind = VKS_PRECOND_CHEBYSHEV}, &e.M));
    vks_solve_options o = {.shared_precond = e.M, .progress = end_it, .user = &e};
    must_work(c, vks_solve(w.A, w.b, w.x, &o, &report));
    cr_expect_eq(report.reason, VKS_REASON_CONVERGED);
    cr_expect_eq(report.precond, VKS_PRECOND_CHEBYSHEV);
    cr_expect_gt(e.calls, 0);
}
