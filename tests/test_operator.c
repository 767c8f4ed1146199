/* Operators compared with their matrices: the same bits, in products and in solves. */
#include "tests/support/operator.h"

enum { WIDTH_2D = 19, WIDTH_3D = 9 };

/* y = A x with the matrix in CSR and with the operator. */
static void compare_products(vks_context *c, enum precision p, uint32_t width, bool is_3d)
{
    OWNED_STRUCT(host_csr) host = poisson_matrix(width, is_3d);
    uint32_t n = host.rows;
    vks_operator d = poisson_operator(width, is_3d, public_precision(p));
    vks_matrix_options o = {.precision = d.precision, .storage.format = VKS_FORMAT_CSR};
    OWNED(vks_matrix) *B = NULL;
    OWNED(double) *v = random_vector(p, n, 20, n), *want = room(n, 8), *got = room(n, 8);
    OWNED(vks_matrix) *A = matrix_from(c, &host, &o);
    must_work(c, vks_operator_create(c, n, &d, &B));
    OWNED(vks_vector) *x = vector_of(c, p, v, n), *y = vector_of(c, p, NULL, n);
    must_work(c, vks_spmv(A, x, y));
    must_work(c, vks_vector_read(y, 0, n, VKS_F64, want));
    must_work(c, vks_vector_fill(y, 7));
    must_work(c, vks_spmv(B, x, y));
    must_work(c, vks_vector_read(y, 0, n, VKS_F64, got));
    guards_check(c->device);
    must_equal(got, want, n, "y");
}

TEST_BY(with_operators, operator, products_have_the_bits_of_the_assembled_matrix, vks_context *c,
        enum precision p)
{
    for (uint32_t width = 1; width <= 33; width += width < 3 ? 1 : 15) {
        compare_products(c, p, width, false);
        compare_products(c, p, width, true);
    }
}

/* A tridiagonal matrix that uses everything a text can access. */
static const char tridiagonal_glsl[] =
    "real entry(uint k) { return real(array0.at[k]) + real(array1.at[array2.at[k]]); }\n"
    "real row(uint i)\n"
    "{\n"
    "    real sum = entry(i) * x.at[i];\n"
    "    if (i > 0)     sum = sum + real(word0) * x.at[i - 1];\n"
    "    if (i + 1 < n) sum = sum + real(word7) * x.at[i + 1];\n"
    "    return sum;\n"
    "}\n";

#define TRIDIAGONAL_ROWS(name, real)                                                                     \
    static void name(const vks_operator_view *A, uint32_t first, uint32_t count, const real *x, real *y) \
    {                                                                                                    \
        const double *array0 = A->array[0];                                                              \
        const float *array1 = A->array[1];                                                               \
        const uint32_t *array2 = A->array[2];                                                            \
        cr_assert_null(A->array[3]);                                                                     \
        for (uint32_t i = first; i < first + count; i++) {                                               \
            real sum = ((real)array0[i] + (real)array1[array2[i]]) * x[i];                               \
            if (i > 0)                                                                                   \
                sum = sum + (real)A->word[0] * x[i - 1];                                                 \
            if (i + 1 < A->n)                                                                            \
                sum = sum + (real)A->word[7] * x[i + 1];                                                 \
            y[i] = sum;                                                                                  \
        }                                                                                                \
    }
TRIDIAGONAL_ROWS(tridiagonal_rows_f64, double)
TRIDIAGONAL_ROWS(tridiagonal_rows_f32, float)

static vks_array *array_of(vks_context *c, vks_type type, uint32_t n, const void *values)
{
    vks_array *a = NULL;
    must_work(c, vks_array_create(c, n, type, &a));
    must_work(c, vks_array_write(a, 0, n, values));
    return a;
}

static void multiply_tridiagonal(vks_context *c, enum precision p, uint32_t n)
{
    vks_operator d = {.precision = public_precision(p),
                      .glsl = tridiagonal_glsl,
                      .rows_f64 = tridiagonal_rows_f64,
                      .rows_f32 = tridiagonal_rows_f32,
                      .word = {3, 0, 0, 0, 0, 0, 0, 5}};
    OWNED(double) *wide = random_vector(PRECISION_F32, n, 2, 1), *v = random_vector(p, n, 20, 2),
                  *got = room(n, 8);
    float narrow[] = {0.5f, -2, 8};
    OWNED(uint32_t) *which = room(n, 4);
    for (uint32_t i = 0; i < n; i++)
        which[i] = i % 3;
    vks_array *arrays[] = {array_of(c, VKS_TYPE_F64, n, wide), array_of(c, VKS_TYPE_F32, 3, narrow),
                           array_of(c, VKS_TYPE_U32, n, which)};
    memcpy(d.array, arrays, sizeof arrays);
    vks_matrix *A = NULL;
    must_work(c, vks_operator_create(c, n, &d, &A));
    vks_vector *x = vector_of(c, p, v, n), *y = vector_of(c, p, NULL, n);
    for (int turn = 0; turn < 2; turn++) {
        must_work(c, vks_spmv(A, x, y));
        must_work(c, vks_vector_read(y, 0, n, VKS_F64, got));
        for (uint32_t i = 0; i < n; i++) {
            double want = rounded(p, rounded(p, wide[i] + (double)narrow[which[i]]) * v[i]);
            if (i > 0)
                want = rounded(p, want + rounded(p, 3 * v[i - 1]));
            if (i + 1 < n)
                want = rounded(p, want + rounded(p, 5 * v[i + 1]));
            cr_assert(same_bits(got[i], want), "row %u of %u: %.17g instead of %.17g", i, n, got[i], want);
        }
        narrow[0] = 1024; /* the next product sees it */
        must_work(c, vks_array_write(arrays[1], 0, 3, narrow));
    }
    vks_vector_destroy(x);
    vks_vector_destroy(y);
    vks_matrix_destroy(A);
    for (int k = 0; k < 3; k++)
        vks_array_destroy(arrays[k]);
}

TEST_BY(with_operators, operator, products_see_arrays_and_words_at_every_size, vks_context *c,
        enum precision p)
{
    static const uint32_t sizes[] = {0, 1, 31, 32, 33, 255, 256, 257, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        multiply_tridiagonal(c, p, sizes[i]);
}

/* Solves with the matrix in CSR and with the operator. */
static void compare_solves(vks_context *c, enum precision p, bool is_3d, const vks_solve_options *options,
                           bool with_diagonal)
{
    uint32_t width = is_3d ? WIDTH_3D : WIDTH_2D;
    OWNED_STRUCT(host_csr) host = poisson_matrix(width, is_3d);
    uint32_t n = host.rows;
    OWNED(double) *b = random_vector(p, n, 4, 3), *x0 = random_vector(p, n, 2, 4);
    struct problem q = {&host, b, x0, p, *options};
    vks_operator d = poisson_operator(width, is_3d, public_precision(p));
    OWNED(vks_vector) *diagonal = vector_of(c, p, NULL, n);
    must_work(c, vks_vector_fill(diagonal, d.word[2]));
    q.options.history_capacity = 300;
    d.diagonal = with_diagonal ? diagonal : NULL;
    OWNED_STRUCT(solved) matrix = solve_in(c, &q, VKS_FORMAT_CSR), own = solve_operator(c, &q, &d);
    must_match(&own, &matrix, n, is_3d ? "poisson3d" : "poisson2d");
    must_end(&own, VKS_REASON_CONVERGED);
    cr_expect_gt(own.report.iterations, 5);
    cr_expect_eq(own.report.precond, matrix.report.precond);
    if (!matrix.report.together) /* otherwise it keeps vectors in registers */
        cr_expect_lt(own.report.bytes_per_iteration, matrix.report.bytes_per_iteration);
}

TEST_BY(with_operators, operator, conjugate_gradients_have_the_bits_of_the_assembled_matrix, vks_context *c,
        enum precision p)
{
    vks_solve_options o = {.method = VKS_METHOD_CG, .precond = VKS_PRECOND_NONE};
    compare_solves(c, p, false, &o, false);
    compare_solves(c, p, true, &o, true);
}

TEST_BY(with_operators, operator, a_given_diagonal_is_the_preconditioner, vks_context *c, enum precision p)
{
    compare_solves(c, p, false, &(vks_solve_options){.method = VKS_METHOD_CG}, true);
    compare_solves(c, p, true, &(vks_solve_options){.precond = VKS_PRECOND_JACOBI, .method = VKS_METHOD_CG},
                   true);
}

TEST_BY(with_operators, operator, the_jacobi_iteration_has_the_bits_of_the_assembled_matrix, vks_context *c,
        enum precision p)
{
    compare_solves(c, p, true,
                   &(vks_solve_options){.method = VKS_METHOD_JACOBI, .weight = 0.875, .rtol = 1e-3}, true);
}

/* With iterations in f32; host and lavapipe must agree. */
static struct solved solve_in_f32(vks_context *c, const struct host_csr *host, const double *b)
{
    struct problem q = {
        host, b, NULL, PRECISION_F64, {.iterate_in_f32 = 1, .rtol = 1e-10, .method = VKS_METHOD_CG}};
    vks_operator d = poisson_operator(WIDTH_3D, true, VKS_F64);
    OWNED(vks_vector) *diagonal = vector_of(c, PRECISION_F64, NULL, host->rows);
    must_work(c, vks_vector_fill(diagonal, 6));
    d.diagonal = diagonal;
    struct solved s = solve_operator(c, &q, &d);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect(s.report.iterated_in == VKS_F32 && s.report.rounded && s.report.refinements > 1);
    return s;
}

Test(operator, iterations_in_f32_reach_the_tolerances_of_f64_with_the_same_bits_everywhere)
{
    OWNED_STRUCT(host_csr) host = poisson_matrix(WIDTH_3D, true);
    OWNED(double) *b = random_vector(PRECISION_F64, host.rows, 4, 3);
    OWNED(vks_context) *h = open_host(), *g = open_gpu();
    OWNED_STRUCT(solved) on_host = solve_in_f32(h, &host, b);
    if (compiles(g)) {
        OWNED_STRUCT(solved) on_gpu = solve_in_f32(g, &host, b);
        must_match(&on_gpu, &on_host, host.rows, "x");
    }
}

/* x = x / 4 + 3 has the solution 4. */
static void quarter_f64(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x,
                        double *y)
{
    (void)A;
    for (uint32_t i = first; i < first + count; i++)
        y[i] = 0.25 * x[i];
}

static void quarter_f32(const vks_operator_view *A, uint32_t first, uint32_t count, const float *x, float *y)
{
    (void)A;
    for (uint32_t i = first; i < first + count; i++)
        y[i] = 0.25f * x[i];
}

TEST_BY(with_operators, operator, a_fixed_point_is_found, vks_context *c, enum precision p)
{
    vks_operator d = {.precision = public_precision(p),
                      .glsl = "real row(uint i) { return real(0.25) * x.at[i]; }",
                      .rows_f64 = quarter_f64,
                      .rows_f32 = quarter_f32};
    OWNED(vks_matrix) *M = NULL;
    vks_solve_report r;
    double got[40];
    must_work(c, vks_operator_create(c, 40, &d, &M));
    OWNED(vks_vector) *v = vector_of(c, p, NULL, 40), *x = vector_of(c, p, NULL, 40);
    must_work(c, vks_vector_fill(v, 3));
    must_work(c, vks_fixed_point_solve(M, v, x, NULL, &r));
    must_work(c, vks_vector_read(x, 0, 40, VKS_F64, got));
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s", r.detail);
    for (int i = 0; i < 40; i++)
        cr_expect_float_eq(got[i], 4, 1e-3);
}
