/* Rows of more than 256 entries, which separate kernels sum for every format: products, the true residual and
 * whole solves. */
#include "sparse/matrix.h"
#include "tests/support/alike.h"
#include "tests/support/device_matrix.h"
#include "tests/support/oracle.h"
#include "vksolve/solver.h"

static vks_matrix *put_lean(vks_context *c, const struct host_csr *a, enum precision p, vks_format format,
                            bool lean)
{
    vks_matrix_options o = {.precision = public_precision(p),
                            .storage = {.format = format, .padding = 1000, .lean = lean}};
    return matrix_from(c, a, &o);
}

static double *product_of(vks_context *c, const vks_matrix *A, const double *v, enum precision p)
{
    double *y = random_vector(p, vks_matrix_rows(A), 3, 5);
    OWNED(vks_vector) *vx = put_vector(c, v, vks_matrix_cols(A), p),
                      *vy = put_vector(c, y, vks_matrix_rows(A), p);
    must_work(c, vks_spmv(A, vx, vy));
    must_work(c, vks_vector_read(vy, 0, vks_matrix_rows(A), VKS_F64, y));
    return y;
}

/* In every format, lean or not, with the values of A and then with others; for the longest rows, each format
 * in only one or two of these ways. */
static void multiply_in_all_formats(vks_context *c, struct host_csr a, enum precision p, const char *what)
{
    uint32_t n = a.rows, lanes = csr_lanes(n, a.row[n]);
    OWNED(double) *x = random_vector(p, a.cols, 10, 1), *want = room(n, 8);
    for (int turn = 0; turn<4 * (VKS_FORMAT_COUNT_ - 1); turn += a.cols> 4096 ? 3 : 1) {
        vks_format format = (vks_format)(1 + turn / 4);
        OWNED(vks_matrix) *A = put_lean(c, &a, p, format, turn % 2);
        for (uint32_t k = 0; turn / 2 % 2 && k < a.row[n]; k++)
            a.val[k] *= -2;
        must_work(c, vks_matrix_set_values(A, VKS_F64, a.val));
        for (uint32_t i = 0; i < n; i++)
            want[i] = canonical_row(p, &a, x, i, lanes);
        OWNED(double) *got = product_of(c, A, x, p);
        must_be_alike(A, p, &a, x, got, want, what);
        must_be(c, A, &a, what);
    }
    host_csr_free(&a);
}

static struct host_csr one_row(enum precision p, uint32_t length)
{
    return csr_of_lengths(p, 1, length, &length, 3);
}

/* n rows of three entries; row 77 is full if `row`, otherwise column 5 is. */
static struct host_csr with_a_full_line(enum precision p, uint32_t n, bool row)
{
    OWNED(uint32_t) *lengths = room(n, 4);
    for (uint32_t i = 0; i < n; i++)
        lengths[i] = row && i == 77 ? n : 3;
    struct host_csr a = csr_of_lengths(p, n, n, lengths, 4);
    for (uint32_t i = 0; !row && i < n; i++)
        a.col[a.row[i]] = 5;
    return a;
}

/* Row i has about n / (i + 1) entries. */
static struct host_csr powerlaw(enum precision p, uint32_t n)
{
    OWNED(uint32_t) *lengths = room(n, 4);
    for (uint32_t i = 0; i < n; i++)
        lengths[i * (uint64_t)7919 % n] = n / (i + 1);
    return csr_of_lengths(p, n, n, lengths, 4);
}

static struct host_csr all_long(enum precision p)
{
    uint32_t lengths[40];
    for (int i = 0; i < 40; i++)
        lengths[i] = 300 + 37 * (uint32_t)i;
    return csr_of_lengths(p, 40, 2000, lengths, 4);
}

TestOnBoth(long_rows, have_the_defined_bits_in_every_format)
{
    static const uint32_t of[] = {255, 256, 257, 1023, 1024, 1025, 2048, 2049, 256 * 1024, 256 * 1024 + 1};
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        for (size_t i = 0; i < sizeof of / sizeof *of; i++)
            if (of[i] < 4096 || of[i] % 2 == (p == PRECISION_F64)) /* the longest in one precision each */
                multiply_in_all_formats(c, one_row(p, of[i]), p, "one row");
        multiply_in_all_formats(c, with_a_full_line(p, 1500, true), p, "a full row");
        multiply_in_all_formats(c, with_a_full_line(p, 1500, false), p, "a full column");
        multiply_in_all_formats(c, powerlaw(p, 3001), p, "a power law");
        multiply_in_all_formats(c, all_long(p), p, "only long rows");
        multiply_in_all_formats(c, csr_of_long_rows(p, 30, 8), p, "long and short rows in turn");
    }
}

Test(long_rows, have_the_defined_bits_where_three_groups_stride_over_them)
{
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.max_groups = 3});
    multiply_in_all_formats(c, csr_of_long_rows(PRECISION_F64, 66, 8), PRECISION_F64, "long and short rows");
    multiply_in_all_formats(c, powerlaw(PRECISION_F32, 2000), PRECISION_F32, "a power law");
}

/* Row and column 3 are full, the diagonal dominates. */
static double in_arrow(uint32_t i, uint32_t j, uint32_t n)
{
    if (i == j)
        return i == 3 ? 2.0 * n : 3 + 1.0 / (i + 1);
    return -1.0 / (1 + i + j);
}

/* The whole matrix if `full`, else only those rows and columns. */
static struct host_csr arrow(enum precision p, uint32_t n, bool full)
{
    struct host_csr a = new_csr(n, n, full ? n * (size_t)n : 3 * (size_t)n);
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            if (full || i == 3 || j == 3 || i == j) {
                a.col[k] = j;
                a.val[k++] = rounded(p, in_arrow(i, j, n));
            }
        a.row[i + 1] = k;
    }
    return a;
}

struct solved {
    double x[1500];
    vks_solve_report r;
};

static void solve_on(vks_context *c, const struct host_csr *a, enum precision p, vks_format format, bool lean,
                     struct solved *out)
{
    OWNED(vks_matrix) *A = put_lean(c, a, p, format, lean);
    *out = (struct solved){0};
    OWNED(vks_vector) *x = put_vector(c, out->x, a->rows, p), *b = put_vector(c, out->x, a->rows, p);
    must_work(c, vks_vector_fill(b, 1));
    must_work(c, vks_cg_solve(A, b, x, NULL, &out->r));
    must_work(c, vks_vector_read(x, 0, a->rows, VKS_F64, out->x));
    cr_expect_eq(out->r.reason, VKS_REASON_CONVERGED);
}

/* Every other format is lean. */
static void solve_alike(enum precision p, uint32_t n, bool full, struct device_options o)
{
    OWNED_STRUCT(host_csr) a = arrow(p, n, full);
    double ones[1500];
    struct solved want, got;
    vks_context *sides[] = {open_context("host", (struct device_options){0}), open_context(gpu_name(), o)};
    solve_on(sides[0], &a, p, VKS_FORMAT_CSR, false, &want);
    for (uint32_t i = 0; i < n; i++)
        ones[i] = 1;
    cr_expect_float_eq(want.r.true_residual, precise_residual(&a, want.x, ones), 1e-14);
    for (int f = 1; f < VKS_FORMAT_COUNT_; f++)
        for (int k = 0; k < 2; k++) {
            solve_on(sides[k], &a, p, (vks_format)f, f % 2 == 0, &got);
            must_equal(got.x, want.x, n, vks_format_name((vks_format)f));
            cr_expect_eq(got.r.iterations, want.r.iterations);
            cr_expect_eq(got.r.true_residual, want.r.true_residual);
        }
    close_context(sides[0]);
    close_context(sides[1]);
}

Test(long_rows, are_solved_with_the_same_bits_in_every_format_on_host_and_lavapipe)
{
    solve_alike(PRECISION_F64, 1500, false, (struct device_options){0});
    solve_alike(PRECISION_F32, 1500, false, (struct device_options){0});
    solve_alike(PRECISION_F64, 270, true, (struct device_options){0});
}

Test(long_rows, have_their_true_residual_on_the_host_where_there_are_no_64_bit_floats)
{
    solve_alike(PRECISION_F32, 1500, false, (struct device_options){.without_f64 = true});
}

TestOnGpu(long_rows, are_not_stored_in_slices)
{
    uint32_t lengths[2048];
    for (uint32_t i = 0; i < 2048; i++)
        lengths[i] = i == 500 ? 2000 : 8;
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F64, 2048, 2000, lengths, 2);
    OWNED(vks_matrix) *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_AUTO);
    cr_expect_eq(vks_matrix_format(A), VKS_FORMAT_SELL);
    cr_expect_eq(A->long_rows.rows, 1);
    cr_expect_eq(A->long_rows.pieces, 2);
    cr_expect_eq(A->long_rows.entries, 2000);
}
