/* Solves with algebraic multigrid: iterations, how they end, and what they refuse. */
#include "small_matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/multigrid_models.h"
#include "tests/support/solve.h"
#include "vksolve/precond.h"

static const vks_precond_options kinds[] = {{.kind = VKS_PRECOND_AMG},
                                            {.kind = VKS_PRECOND_AMG, .in_f32 = 1}};
static const char *const kind_names[] = {"amg", "amg/f32"};

static struct host_csr of_kind(const char *kind, uint32_t size)
{
    return model(kind, size);
}

/* Solves for this b, or b = A x for a random x, and checks everything that must hold for a solve. */
static struct solved solve_by(vks_context *c, const struct host_csr *A, const double *b, enum precision p,
                              vks_solve_options o, const vks_precond_options *M)
{
    uint32_t n = A->rows;
    OWNED(double) *x = random_vector(real_precision(p), n, 2, 5), *right = room(n, 8);
    host_multiply(A, x, right);
    for (uint32_t i = 0; i < n; i++)
        right[i] = rounded(real_precision(p), b ? b[i] : right[i]);
    o.precond_options = M;
    struct problem q = {.A = A, .b = right, .p = p, .options = o};
    return solve(c, &q);
}

/* b of ones; the iterations may differ by at most one from a prototype of the same algorithm. */
static void expect_iterations(vks_context *c, struct host_csr A, uint32_t want, const char *name)
{
    OWNED(double) *ones = room(A.rows, 8);
    for (uint32_t i = 0; i < A.rows; i++)
        ones[i] = 1;
    for (int k = 0; k < 2; k++) {
        OWNED_STRUCT(solved) s = solve_by(c, &A, ones, PRECISION_F64, (vks_solve_options){0}, &kinds[k]);
        must_end(&s, VKS_REASON_CONVERGED);
        cr_expect(s.report.iterations + 1 >= want && s.report.iterations <= want + 1,
                  "%s, %s: %u iterations instead of %u", name, kind_names[k], s.report.iterations, want);
    }
    host_csr_free(&A);
}

TestOnHost(amg_solve, takes_few_iterations_on_poisson_problems)
{
    expect_iterations(c, of_kind("poisson3d", 32), 10, "poisson3d 32");
    expect_iterations(c, of_kind("poisson2d", 128), 12, "poisson2d 128");
    expect_iterations(c, of_kind("poisson2d", 256), 14, "poisson2d 256");
    expect_iterations(c, of_kind("poisson3d27", 40), 8, "poisson3d27 40");
}

TestOnHost(amg_solve, takes_few_iterations_where_coefficients_jump_or_are_anisotropic)
{
    struct grid thin = cube(24, 0);
    thin.weight[0] = 1e-3;
    expect_iterations(c, grid_csr(cube(24, 1000)), 9, "jumps, 24");
    expect_iterations(c, grid_csr(cube(32, 1000)), 10, "jumps, 32");
    expect_iterations(c, grid_csr(square(64, 1e-3)), 13, "anisotropic, 64");
    expect_iterations(c, grid_csr(square(128, 1e-3)), 14, "anisotropic, 128");
    expect_iterations(c, grid_csr(thin), 10, "anisotropic in 3D, 24");
}

/* The bits must be the same on the host and on lavapipe. */
static void solve_on_both(vks_context *const c[2], const struct host_csr *A, enum precision p,
                          vks_solve_options o, const vks_precond_options *M, const char *name)
{
    struct solved s[2];
    o.history_capacity = 100;
    for (int i = 0; i < 2; i++) {
        s[i] = solve_by(c[i], A, NULL, p, o, M);
        must_end(&s[i], VKS_REASON_CONVERGED);
        cr_expect(s[i].report.iterations > 0 && s[i].report.iterations < 40, "%s: %u iterations", name,
                  s[i].report.iterations);
        cr_expect_eq(s[i].report.precond, VKS_PRECOND_AMG);
    }
    must_match(&s[0], &s[1], A->rows, name);
    solved_free(&s[0]);
    solved_free(&s[1]);
}

static struct host_csr in_f32(struct host_csr A)
{
    for (size_t k = 0; k < host_csr_entries(&A); k++)
        A.val[k] = (float)A.val[k];
    return A;
}

/* In each precision of a matrix, and with iterations in f32. */
Test(amg_solve, converges_with_the_same_bits_on_the_host_and_on_lavapipe)
{
    static const struct {
        enum precision p;
        vks_solve_options o;
        const char *name;
    } ways[] = {{PRECISION_F64, {0}, "f64"},
                {PRECISION_F32, {.rtol = 1e-4}, "f32"},
                {PRECISION_MIXED, {0}, "mixed"},
                {PRECISION_F64, {.iterate_in_f32 = 1}, "iterations in f32"},
                {PRECISION_MIXED, {.iterate_in_f32 = 1}, "mixed, iterations in f32"}};
    vks_context *c[2] = {open_host(), open_gpu()};
    struct host_csr A = in_f32(mesh_csr(9));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int k = 0; k < 2; k++)
            solve_on_both(c, &A, ways[i].p, ways[i].o, &kinds[k], ways[i].name);
    host_csr_free(&A);
    close_context(c[0]);
    close_context(c[1]);
}

TestOnHost(amg_solve, converges_for_matrices_of_every_shape)
{
    struct host_csr all[] = {lone_csr(900, 3),
                             lone_csr(700, 0),
                             star_csr((struct star){3000, 11, 0.5}),
                             of_kind("poisson2d", 1),
                             lone_csr(2500, 0),
                             grid_csr(cube(12, 1e6)),
                             mesh_csr(11),
                             of_kind("dense", 9)};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        for (int k = 0; k < 2; k++) {
            OWNED_STRUCT(solved) s =
                solve_by(c, &all[i], NULL, PRECISION_F64, (vks_solve_options){0}, &kinds[k]);
            must_end(&s, VKS_REASON_CONVERGED);
            cr_expect_leq(s.report.iterations, 20, "matrix %zu, %s: %u iterations", i, kind_names[k],
                          s.report.iterations);
        }
        host_csr_free(&all[i]);
    }
}

/* b is one in rows 333 and 334. */
static void must_refuse_matrix(vks_context *c, const struct host_csr *A, vks_reason reason, const char *part)
{
    uint32_t n = A->rows;
    OWNED(vks_matrix) *M = put_on(c, A, PRECISION_F64, VKS_FORMAT_AUTO);
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, n), *x = vector_of(c, PRECISION_F64, NULL, n);
    must_work(c, vks_vector_write(b, 333, 2, VKS_F64, (double[]){1, 1}));
    for (int k = 0; k < 2; k++) {
        vks_solve_report r;
        vks_solve_options o = {.method = VKS_METHOD_CG, .precond_options = &kinds[k], .zero_guess = 1};
        must_work(c, vks_solve(M, b, x, &o, &r));
        cr_expect_eq(r.reason, reason, "%s, %s: %s instead of %s: %s", part, kind_names[k],
                     vks_reason_name(r.reason), vks_reason_name(reason), r.detail);
        cr_expect(strstr(r.detail, part), "\"%s\" does not say \"%s\"", r.detail, part);
    }
}

/* The entry of row and column i. */
static double *diagonal_of(struct host_csr *A, uint32_t i)
{
    uint32_t k = A->row[i];
    while (A->col[k] != i)
        k++;
    return &A->val[k];
}

TestOnBoth(amg_solve, refuses_a_diagonal_that_is_not_positive)
{
    static const struct {
        double value;
        vks_reason reason;
        const char *part;
    } cases[] = {{-4, VKS_REASON_NOT_POSITIVE_DEFINITE, "row 334"},
                 {0, VKS_REASON_ZERO_DIAGONAL, "row 334"},
                 {NAN, VKS_REASON_NOT_FINITE, ""}};
    for (uint32_t size = 20; size <= 30; size += 10)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            OWNED_STRUCT(host_csr) A = of_kind("poisson2d", size);
            *diagonal_of(&A, 333) = cases[i].value;
            must_refuse_matrix(c, &A, cases[i].reason, cases[i].part);
        }
}

/* Sets an off-diagonal entry in both triangles. */
static void set_pair(struct host_csr *A, uint32_t i, uint32_t k, double v)
{
    for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++)
        A->val[e] = A->col[e] == k ? v : A->val[e];
    for (uint32_t e = A->row[k]; e < A->row[k + 1]; e++)
        A->val[e] = A->col[e] == i ? v : A->val[e];
}

TestOnBoth(amg_solve, refuses_entries_that_are_not_finite_and_an_indefinite_matrix)
{
    bool is_host = c->device->info.kind == DEVICE_HOST;
    for (uint32_t size = is_host ? 20 : 30; size <= 30; size += 10) {
        OWNED_STRUCT(host_csr) A = of_kind("poisson2d", size);
        set_pair(&A, 333, 334, NAN);
        must_refuse_matrix(c, &A, VKS_REASON_NOT_FINITE, "");
        set_pair(&A, 333, 334, INFINITY);
        must_refuse_matrix(c, &A, VKS_REASON_NOT_FINITE, "");
        set_pair(&A, 333, 334, -9);
        must_refuse_matrix(c, &A, VKS_REASON_NOT_POSITIVE_DEFINITE, "");
    }
}

static vks_solve_report report_with(vks_context *c, const struct host_csr *A, const vks_precond_options *M)
{
    OWNED_STRUCT(solved) s = solve_by(c, A, NULL, PRECISION_F64, (vks_solve_options){0}, M);
    vks_solve_report r = s.report;
    must_end(&s, VKS_REASON_CONVERGED);
    return r;
}

TestOnHost(amg_solve, tells_the_levels_of_one_that_is_nested)
{
    static const vks_precond_options nested[] = {
        {.kind = VKS_PRECOND_CHEBYSHEV, .inner = &kinds[0]},
        {.kind = VKS_PRECOND_CHEBYSHEV, .inner = &kinds[1], .in_f32 = 1},
        {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_RICHARDSON, .inner = &kinds[1], .steps = 2},
        {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_RICHARDSON, .inner = &nested[0], .steps = 2}};
    OWNED_STRUCT(host_csr) A = of_kind("poisson2d", 30);
    for (int i = 0; i < 4; i++) {
        vks_solve_report r = report_with(c, &A, &nested[i]);
        cr_expect_eq(r.hierarchy.levels, 2, "%d: %u levels", i, r.hierarchy.levels);
        cr_expect(r.hierarchy.level[0].rows == 900 && r.hierarchy.level[1].rows > 20);
        cr_expect_gt(r.precond_bytes, 12 * (uint64_t)r.hierarchy.level[1].entries);
    }
}

/* Two vectors on aggregates of two rows: the next level would be as large. */
TestOnHost(amg_solve, warns_where_coarsening_stalls)
{
    OWNED_STRUCT(host_csr) A = lone_csr(1200, 2), alone = lone_csr(1200, 0);
    OWNED(double) *vectors = random_vector(PRECISION_F64, 2400, 2, 7);
    vks_precond_options M = {.kind = VKS_PRECOND_AMG, .amg = {.vectors = 2, .near_null = vectors}};
    vks_solve_report r = report_with(c, &A, &M);
    cr_expect_str_eq(r.warning,
                     "coarsening stalled: level 1 of multigrid has 1200 rows, and the smoother takes "
                     "the place of its inverse");
    M.in_f32 = 1;
    cr_expect(strstr(report_with(c, &A, &M).warning, "coarsening stalled"));
    cr_expect_str_eq(report_with(c, &A, &kinds[0]).warning, "");
    cr_expect_str_eq(report_with(c, &alone, &M).warning, "", "a diagonal has no strong entries");
}
