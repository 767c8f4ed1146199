/* Multigrid that keeps its aggregates and prolongators for new values: what is kept, the cost in iterations,
 * and when levels are rebuilt. */
#include "tests/support/series.h"

static vks_precond_options with_refresh(vks_precond_options M, vks_amg_refresh refresh)
{
    M.amg.refresh = refresh;
    return M;
}

/* The models of a sequence: coefficients with growing jumps, then along one axis only. */
static struct host_csr model_of(int step)
{
    static const double contrasts[] = {10, 12, 20, 50, 50, 50};
    struct grid g = cube(10, contrasts[step]);
    g.weight[0] = step < 4 ? 1 : 1e-3;
    struct host_csr A = grid_csr(g);
    for (size_t k = 0; k < host_csr_entries(&A); k++)
        A.val[k] = (float)A.val[k];
    return A;
}

enum { ROWS = 1000, STEPS = 6, WORN = 4 /* by this step */ };

struct found {
    uint32_t kept[STEPS];
    double *x[STEPS];
};

static void follow(vks_context *c, enum precision p, const vks_precond_options *M, struct found *f)
{
    vks_precond_options keep = with_refresh(*M, VKS_AMG_KEEP), full = with_refresh(*M, VKS_AMG_FULL);
    OWNED_STRUCT(host_csr) first = model_of(0);
    OWNED_STRUCT(series) kept = begin_series(c, &first, p, &keep), again = begin_series(c, &first, p, &full);
    for (int i = 0; i < STEPS; i++) {
        OWNED_STRUCT(host_csr) A = model_of(i);
        OWNED(double) *x = room(A.rows, 8);
        f->x[i] = room(A.rows, 8);
        f->kept[i] = solve_next(&kept, &A, f->x[i]);
        (void)solve_next(&again, &A, x);
        if (i == 0 || i > WORN)
            must_equal(f->x[i], x, A.rows, "x with the levels of a full set-up");
        else
            cr_expect(memcmp(f->x[i], x, A.rows * sizeof *x), "step %d: the levels are new", i);
    }
}

static const struct {
    enum precision p;
    vks_precond_options M;
} ways[] = {{PRECISION_F64, {.kind = VKS_PRECOND_AMG}},
            {PRECISION_F64, {.kind = VKS_PRECOND_AMG, .in_f32 = 1}},
            {PRECISION_F32, {.kind = VKS_PRECOND_AMG}},
            {PRECISION_MIXED, {.kind = VKS_PRECOND_AMG, .in_f32 = 1}},
            {PRECISION_F64, {.kind = VKS_PRECOND_AMG, .in_f32 = 1, .amg = {.block = 2}}}};
enum { WAYS = sizeof ways / sizeof *ways };

static void forget(struct found *f)
{
    for (int k = 0; k < STEPS; k++)
        free(f->x[k]);
}

TestOnHost(amg_keep, keeps_levels_until_iterations_have_grown)
{
    for (int w = 0; w < WAYS; w++) {
        struct found f;
        follow(c, ways[w].p, &ways[w].M, &f);
        uint32_t first = f.kept[0], most = first * 3 / 2 > first + 5 ? first * 3 / 2 : first + 5;
        for (int k = 0; k < STEPS; k++)
            cr_expect(k == WORN ? f.kept[k] >= first + 5 : f.kept[k] <= most,
                      "way %d, step %d: %u iterations, and %u at first", w, k, f.kept[k], first);
        forget(&f);
    }
}

Test(amg_keep, has_the_same_bits_on_every_device)
{
    vks_context *c[2] = {open_host(), open_gpu()};
    for (int w = 1; w < WAYS; w += 3) {
        struct found f[2];
        for (int i = 0; i < 2; i++)
            follow(c[i], ways[w].p, &ways[w].M, &f[i]);
        for (int k = 0; k < STEPS; k++) {
            cr_expect_eq(f[0].kept[k], f[1].kept[k]);
            must_equal(f[0].x[k], f[1].x[k], ROWS, "x on both devices");
        }
        forget(&f[0]);
        forget(&f[1]);
    }
    close_context(c[0]);
    close_context(c[1]);
}

/* The same values for a solver that keeps its levels and for one that rebuilds them. */
struct pair {
    vks_context *c;
    struct host_csr A, other; /* the first values, and later ones */
    struct series kept, again;
    double *x, *want;
};

static struct pair begin_pair(const vks_precond_options *way)
{
    vks_precond_options keep = with_refresh(*way, VKS_AMG_KEEP);
    struct pair p = {.c = open_host(), .A = model_of(0), .other = model_of(2)};
    p.kept = begin_series(p.c, &p.A, PRECISION_F64, &keep);
    p.again = begin_series(p.c, &p.other, PRECISION_F64, way);
    p.x = room(p.A.rows, 8);
    p.want = room(p.A.rows, 8);
    solve_next(&p.kept, &p.A, p.x);
    return p;
}

/* Solves with the solver that keeps its levels and the bad values. */
static vks_solve_report solve_bad(const struct pair *p, const double *val)
{
    vks_solve_report r;
    must_work(p->c, vks_matrix_set_values(p->kept.A, VKS_F64, val));
    must_work(p->c, vks_solver_solve(p->kept.solver, p->kept.right, p->kept.x, &r));
    return r;
}

static void expect_new_levels(struct pair *p)
{
    solve_next(&p->kept, &p->other, p->x);
    solve_next(&p->again, &p->other, p->want);
    must_equal(p->x, p->want, p->A.rows, "x with new levels");
    series_free(&p->again);
    series_free(&p->kept);
    host_csr_free(&p->other);
    host_csr_free(&p->A);
    free(p->want);
    free(p->x);
    close_context(p->c);
}

Test(amg_keep, makes_new_levels_after_a_refusal)
{
    struct pair p = begin_pair(&ways[1].M);
    p.A.val[0] = -1;
    vks_solve_report r = solve_bad(&p, p.A.val);
    cr_expect(r.reason == VKS_REASON_NOT_POSITIVE_DEFINITE && r.row == 0, "%s", r.detail);
    expect_new_levels(&p);
}

/* Couples pairs of unknowns so that A is indefinite: the solve fails at once. */
Test(amg_keep, makes_new_levels_after_a_solve_that_failed)
{
    struct pair p = begin_pair(&ways[0].M);
    for (uint32_t i = 0; i < p.A.rows; i++)
        for (uint32_t k = p.A.row[i]; k < p.A.row[i + 1]; k++)
            if (p.A.col[k] == (i ^ 1u))
                p.A.val[k] = 1000 * fabs(p.A.val[k]);
    vks_solve_report r = solve_bad(&p, p.A.val);
    cr_expect_eq(r.reason, VKS_REASON_NOT_POSITIVE_DEFINITE, "%s", r.detail);
    cr_expect(strstr(r.detail, "in iteration"), "%s", r.detail);
    expect_new_levels(&p);
}

/* A shared one counts the solves that others do with it. */
TestOnHost(amg_keep, learns_of_solves_that_share_it)
{
    OWNED_STRUCT(host_csr) A = model_of(0), other = model_of(WORN);
    vks_precond_options keep = with_refresh(ways[0].M, VKS_AMG_KEEP);
    vks_precond_options around = {
        .kind = VKS_PRECOND_INNER, .method = VKS_METHOD_RICHARDSON, .steps = 1, .inner = &keep};
    for (int nested = 0; nested < 2; nested++) {
        OWNED_STRUCT(series) s = begin_series(c, &A, PRECISION_F64, &keep);
        OWNED(vks_precond) *M = NULL;
        uint32_t iterations[4];
        must_work(c, vks_precond_create(s.A, nested ? &around : &keep, &M));
        for (int i = 0; i < 4; i++) {
            vks_solve_report r;
            must_work(c, vks_matrix_set_values(s.A, VKS_F64, i ? other.val : A.val));
            must_work(c, vks_precond_update(M));
            must_work(c, vks_solve(s.A, s.right, s.x,
                                   &(vks_solve_options){.shared_precond = M, .zero_guess = 1}, &r));
            iterations[i] = r.iterations;
        }
        cr_expect(iterations[1] > iterations[0] + 5 && iterations[2] < iterations[1] - 5, "%d: %u, %u, %u",
                  nested, iterations[0], iterations[1], iterations[2]);
        cr_expect_eq(iterations[3], iterations[2]);
    }
}

/* Two vectors on aggregates of two rows: coarsening stalls. */
TestOnHost(amg_keep, goes_on_warning_of_levels_that_stalled)
{
    OWNED_STRUCT(host_csr) A = lone_csr(1200, 2);
    OWNED(double) *vectors = random_vector(PRECISION_F64, 2400, 2, 7);
    vks_precond_options M = {.kind = VKS_PRECOND_AMG,
                             .amg = {.vectors = 2, .near_null = vectors, .refresh = VKS_AMG_KEEP}};
    OWNED_STRUCT(series) s = begin_series(c, &A, PRECISION_F64, &M);
    for (int i = 0; i < 2; i++) {
        vks_solve_report r;
        must_work(c, vks_matrix_set_values(s.A, VKS_F64, A.val));
        must_work(c, vks_solver_solve(s.solver, s.right, s.x, &r));
        cr_expect(strstr(r.warning, "coarsening stalled: level 1 "), "\"%s\"", r.warning);
    }
}
