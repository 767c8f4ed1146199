/* Operators in kept solvers, and on devices without 64-bit floats. */
#include "tests/support/operator.h"

enum { WIDTH = 12, N = WIDTH * WIDTH };

/* A = D + the 5-point Laplacian, D = array0. */
static const char screened_glsl[] = "real row(uint i)\n"
                                    "{\n"
                                    "    uint w = word0, column = i % w;\n"
                                    "    real sum = (real(4) + real(array0.at[i])) * x.at[i];\n"
                                    "    if (i >= w)         sum = sum - x.at[i - w];\n"
                                    "    if (column > 0)     sum = sum - x.at[i - 1];\n"
                                    "    if (column + 1 < w) sum = sum - x.at[i + 1];\n"
                                    "    if (i + w < n)      sum = sum - x.at[i + w];\n"
                                    "    return sum;\n"
                                    "}\n";

#define SCREENED_ROWS(name, real, element)                                                               \
    static void name(const vks_operator_view *A, uint32_t first, uint32_t count, const real *x, real *y) \
    {                                                                                                    \
        const element *array0 = A->array[0];                                                             \
        uint32_t w = A->word[0];                                                                         \
        for (uint32_t i = first; i < first + count; i++) {                                               \
            uint32_t column = i % w;                                                                     \
            real sum = (4 + (real)array0[i]) * x[i];                                                     \
            if (i >= w)                                                                                  \
                sum = sum - x[i - w];                                                                    \
            if (column > 0)                                                                              \
                sum = sum - x[i - 1];                                                                    \
            if (column + 1 < w)                                                                          \
                sum = sum - x[i + 1];                                                                    \
            if (i + w < A->n)                                                                            \
                sum = sum - x[i + w];                                                                    \
            y[i] = sum;                                                                                  \
        }                                                                                                \
    }
SCREENED_ROWS(wide_screened_f64, double, double)
SCREENED_ROWS(screened_f64, double, float)
SCREENED_ROWS(screened_f32, float, float)

/* The same as a matrix. */
static struct host_csr screened_matrix(const double *d)
{
    struct host_csr A = poisson_matrix(WIDTH, false);
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            if (A.col[k] == i)
                A.val[k] += d[i];
    return A;
}

static void fill_in(double *d, double *diagonal, double value)
{
    for (uint32_t i = 0; i < N; i++) {
        d[i] = value * (i % 5);
        diagonal[i] = 4 + d[i];
    }
}

struct screened {
    double d[N], of_diagonal[N], b[N], got[N];
    vks_vector *screen, *diagonal, *b_vector, *x;
    vks_matrix *A;
};

/* Solves with the solver, and compares with a solve by a new operator. */
static void solve_and_compare(vks_context *c, vks_solver *solver, struct screened *w)
{
    OWNED_STRUCT(host_csr) host = screened_matrix(w->d);
    struct problem q = {&host, w->b, NULL, PRECISION_F64, {.method = VKS_METHOD_CG}};
    struct solved s = {.x = w->got};
    must_work(c, vks_vector_fill(w->x, 0));
    must_work(c, vks_solver_solve(solver, w->b_vector, w->x, &s.report));
    must_work(c, vks_vector_read(w->x, 0, N, VKS_F64, w->got));
    guards_check(c->device);
    must_end(&s, VKS_REASON_CONVERGED);
    check_report(&q, &s);
    vks_solve_report fresh;
    double again[N];
    must_work(c, vks_vector_fill(w->x, 0));
    must_work(c, vks_solve(w->A, w->b_vector, w->x, NULL, &fresh));
    must_work(c, vks_vector_read(w->x, 0, N, VKS_F64, again));
    must_equal(w->got, again, N, "x");
    cr_expect_eq(fresh.iterations, s.report.iterations);
}

TestOnBoth(operator_solver, solves_again_and_again_and_takes_what_has_changed)
{
    struct screened *w = room(1, sizeof *w);
    vks_solver *solver = NULL;
    double *b = random_vector(PRECISION_F64, N, 3, 5);
    memcpy(w->b, b, sizeof w->b);
    free(b);
    fill_in(w->d, w->of_diagonal, 1);
    w->screen = vector_of(c, PRECISION_F64, w->d, N);
    w->diagonal = vector_of(c, PRECISION_F64, w->of_diagonal, N);
    w->b_vector = vector_of(c, PRECISION_F64, w->b, N);
    w->x = vector_of(c, PRECISION_F64, NULL, N);
    vks_operator d = {.glsl = screened_glsl,
                      .rows_f64 = wide_screened_f64,
                      .array = {vks_vector_array(w->screen)},
                      .word = {WIDTH},
                      .diagonal = w->diagonal};
    if (c->device->info.kind == DEVICE_HOST || compiles(c)) {
        must_work(c, vks_operator_create(c, N, &d, &w->A));
        must_work(c, vks_solver_create(w->A, NULL, &solver));
        solve_and_compare(c, solver, w);
        solve_and_compare(c, solver, w);
        fill_in(w->d, w->of_diagonal, 100); /* without a new diagonal it would need more iterations */
        must_work(c, vks_vector_write(w->screen, 0, N, VKS_F64, w->d));
        must_work(c, vks_vector_write(w->diagonal, 0, N, VKS_F64, w->of_diagonal));
        must_work(c, vks_operator_changed(w->A));
        solve_and_compare(c, solver, w);
        vks_matrix_destroy(w->A); /* the solver keeps it */
        must_work(c, vks_solver_solve(solver, w->b_vector, w->x, NULL));
        vks_solver_destroy(solver);
    }
    vks_vector_destroy(w->screen);
    vks_vector_destroy(w->diagonal);
    vks_vector_destroy(w->b_vector);
    vks_vector_destroy(w->x);
    free(w);
}

/* In f32, with the true residual by the host's function if `has_rows`. */
static void solve_without_f64(vks_context *c, bool has_rows)
{
    double d[N], of_diagonal[N], *b = random_vector(PRECISION_F32, N, 3, 5);
    fill_in(d, of_diagonal, 1);
    OWNED_STRUCT(host_csr) host = screened_matrix(d);
    struct problem q = {
        &host, b, NULL, PRECISION_F32, {.method = VKS_METHOD_CG, .precond = VKS_PRECOND_NONE}};
    OWNED(vks_vector) *screen = vector_of(c, PRECISION_F32, d, N);
    vks_operator o = {.precision = VKS_F32,
                      .glsl = screened_glsl,
                      .rows_f64 = has_rows ? screened_f64 : NULL,
                      .rows_f32 = screened_f32,
                      .array = {vks_vector_array(screen)},
                      .word = {WIDTH}};
    if (has_rows) {
        struct solved s = solve_operator(c, &q, &o);
        must_end(&s, VKS_REASON_CONVERGED);
        solved_free(&s);
    } else {
        OWNED(vks_matrix) *A = NULL;
        OWNED(vks_vector) *right = vector_of(c, PRECISION_F32, b, N),
                          *x = vector_of(c, PRECISION_F32, NULL, N);
        must_work(c, vks_operator_create(c, N, &o, &A));
        must_refuse(c, vks_solve(A, right, x, NULL, NULL), VKS_UNSUPPORTED, "needs the rows_f64");
    }
    free(b);
}

Test(operator_solver, without_f64_the_true_residual_is_by_the_function_of_the_host)
{
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.without_f64 = true});
    if (compiles(c)) {
        solve_without_f64(c, true);
        solve_without_f64(c, false);
        vks_operator d = poisson_operator(WIDTH, false, VKS_F64);
        vks_matrix *A = NULL;
        must_refuse(c, vks_operator_create(c, N, &d, &A), VKS_UNSUPPORTED, "64-bit floats");
    }
}

/* With f64, a GPU needs no host function. */
TestOnGpu(operator_solver, with_f64_the_true_residual_is_by_the_text_in_doubles)
{
    OWNED_STRUCT(host_csr) host = poisson_matrix(WIDTH, false);
    OWNED(double) *b = random_vector(PRECISION_F32, N, 3, 5);
    struct problem q = {&host, b, NULL, PRECISION_F32, {.method = VKS_METHOD_CG, .rtol = 1e-12}};
    vks_operator d = poisson_operator(WIDTH, false, VKS_F32);
    d.rows_f64 = NULL;
    d.rows_f32 = NULL;
    if (compiles(c)) {
        OWNED_STRUCT(solved) s = solve_operator(c, &q, &d);
        must_end(&s, VKS_REASON_STAGNATED);
    }
}

TEST_BY(with_operators, operator_solver, a_zero_on_the_given_diagonal_is_named, vks_context *c,
        enum precision p)
{
    vks_operator d = poisson_operator(WIDTH, false, public_precision(p));
    OWNED(vks_vector) *diagonal = vector_of(c, p, NULL, N), *x = vector_of(c, p, NULL, N),
                      *b = vector_of(c, p, NULL, N);
    OWNED(vks_matrix) *A = NULL;
    vks_solve_report r;
    must_work(c, vks_vector_fill(diagonal, 4));
    must_work(c, vks_vector_write(diagonal, 7, 1, VKS_F64, &(double){0}));
    must_work(c, vks_vector_fill(b, 1));
    d.diagonal = diagonal;
    must_work(c, vks_operator_create(c, N, &d, &A));
    must_work(c, vks_solve(A, b, x, NULL, &r));
    cr_expect_eq(r.reason, VKS_REASON_ZERO_DIAGONAL);
    cr_expect_eq(r.row, 7);
}

/* A rod with free ends; word0 is added to the diagonal. */
static const char rod_glsl[] = "real row(uint i)\n"
                               "{\n"
                               "    real sum = (real(i > 0) + real(i + 1 < n) + real(word0)) * x.at[i];\n"
                               "    if (i > 0)     sum = sum - x.at[i - 1];\n"
                               "    if (i + 1 < n) sum = sum - x.at[i + 1];\n"
                               "    return sum;\n"
                               "}\n";

#define ROD_ROWS(name, real)                                                                             \
    static void name(const vks_operator_view *A, uint32_t first, uint32_t count, const real *x, real *y) \
    {                                                                                                    \
        for (uint32_t i = first; i < first + count; i++) {                                               \
            y[i] = ((real)(i > 0) + (real)(i + 1 < A->n) + (real)A->word[0]) * x[i];                     \
            if (i > 0)                                                                                   \
                y[i] = y[i] - x[i - 1];                                                                  \
            if (i + 1 < A->n)                                                                            \
                y[i] = y[i] - x[i + 1];                                                                  \
        }                                                                                                \
    }
ROD_ROWS(rod_f64, double)
ROD_ROWS(rod_f32, float)

TEST_BY(with_operators, operator_solver, a_null_space_is_kept_out_and_looked_at_without_a_diagonal,
        vks_context *c, enum precision p)
{
    vks_solve_options o = {.singular = 1, .rtol = 1e-4};
    vks_operator d = {
        .precision = public_precision(p), .glsl = rod_glsl, .rows_f64 = rod_f64, .rows_f32 = rod_f32};
    OWNED(vks_matrix) *A = NULL;
    vks_solve_report r;
    double sum = 0, got[N], *b = random_vector(p, N, 3, 5);
    OWNED(vks_vector) *right = vector_of(c, p, b, N), *x = vector_of(c, p, NULL, N);
    must_work(c, vks_operator_create(c, N, &d, &A));
    must_work(c, vks_solve(A, right, x, &o, &r));
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s", r.detail);
    must_work(c, vks_vector_read(x, 0, N, VKS_F64, got));
    for (uint32_t i = 0; i < N; i++)
        sum += got[i];
    cr_expect_float_eq(sum, 0, p == PRECISION_F32 ? 1 : 1e-9);
    vks_matrix_destroy(A);

    d.word[0] = 1; /* now the rod is supported */
    must_work(c, vks_operator_create(c, N, &d, &A));
    must_refuse(c, vks_solve(A, right, x, &o, &r), VKS_INVALID_ARGUMENT, "have the given null space");
    free(b);
}

/* The null space is then most of the space. */
TEST_BY(with_operators, operator_solver, a_null_space_of_few_rows_is_seen, vks_context *c, enum precision p)
{
    vks_operator d = {
        .precision = public_precision(p), .glsl = rod_glsl, .rows_f64 = rod_f64, .rows_f32 = rod_f32};
    for (uint32_t n = 0; n < 5; n++) {
        OWNED(vks_matrix) *A = NULL;
        must_work(c, vks_operator_create(c, n, &d, &A));
        OWNED(vks_vector) *b = vector_of(c, p, (double[]){1, -1, 0, 0, 0}, n), *x = vector_of(c, p, NULL, n);
        must_work(c, vks_solve(A, b, x, &(vks_solve_options){.singular = 1}, NULL));
    }
}

/* True residuals use copies of the arrays on the host. */
static void solve_changing(vks_context *c)
{
    double d[N], of_diagonal[N], *b = random_vector(PRECISION_F32, N, 3, 5);
    fill_in(d, of_diagonal, 1);
    OWNED(vks_vector) *screen = vector_of(c, PRECISION_F32, d, N), *right = vector_of(c, PRECISION_F32, b, N),
                      *x = vector_of(c, PRECISION_F32, NULL, N);
    vks_operator o = {.precision = VKS_F32,
                      .glsl = screened_glsl,
                      .rows_f64 = screened_f64,
                      .array = {vks_vector_array(screen)},
                      .word = {WIDTH}};
    OWNED(vks_matrix) *A = NULL;
    OWNED(vks_solver) *solver = NULL;
    must_work(c, vks_operator_create(c, N, &o, &A));
    must_work(c, vks_solver_create(A, NULL, &solver));
    for (int turn = 0; turn < 3; turn++) {
        struct host_csr host = screened_matrix(d);
        struct problem q = {&host, b, NULL, PRECISION_F32, {.method = VKS_METHOD_CG}};
        double got[N];
        struct solved s = {.x = got};
        must_work(c, vks_vector_fill(x, 0));
        must_work(c, vks_solver_solve(solver, right, x, &s.report));
        must_work(c, vks_vector_read(x, 0, N, VKS_F64, got));
        must_end(&s, VKS_REASON_CONVERGED);
        check_report(&q, &s);
        host_csr_free(&host);
        fill_in(d, of_diagonal, 10 * (turn + 1));
        must_work(c, vks_vector_write(screen, 0, N, VKS_F64, d));
        must_work(c, vks_operator_changed(A));
    }
    free(b);
}

Test(operator_solver, without_f64_a_solver_takes_what_has_changed)
{
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.without_f64 = true});
    if (compiles(c))
        solve_changing(c);
}
