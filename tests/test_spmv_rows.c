/* y = y + A x, and products of some rows: must have the bits of vks_spmv, in every format. */
#include "tests/support/alike.h"
#include "tests/support/device_matrix.h"
#include "tests/support/oracle.h"
#include "tests/support/vectors.h"
#include "vksolve/operator.h"

static vks_matrix *put_padded(vks_context *c, const struct host_csr *a, enum precision p, vks_format format)
{
    vks_matrix *A = NULL;
    vks_matrix_options o = {.precision = public_precision(p), .storage = {.format = format, .padding = 1000}};
    must_work(c, vks_matrix_from_csr(c, a->rows, a->cols, a->row, a->col, a->val, &o, &A));
    return A;
}

/* x, y, and A x by vks_spmv. */
struct product {
    const vks_matrix *A;
    enum precision p;
    uint32_t n;
    double *y, *product, *want;
    vks_vector *vx, *vy;
};

static struct product make_product(vks_context *c, const vks_matrix *A, enum precision p)
{
    uint32_t n = vks_matrix_rows(A), cols = vks_matrix_cols(A);
    double *x = random_vector(p, cols, 10, 1);
    struct product t = {A, p, n, random_vector(p, n, 10, 2), room(n, 8), room(n, 8), NULL, NULL};
    t.vx = put_vector(c, x, cols, p);
    t.vy = put_vector(c, t.y, n, p);
    must_work(c, vks_spmv(A, t.vx, t.vy));
    must_work(c, vks_vector_read(t.vy, 0, n, VKS_F64, t.product));
    free(x);
    return t;
}

static void free_product(struct product *t)
{
    vks_vector_destroy(t->vx);
    vks_vector_destroy(t->vy);
    free(t->y);
    free(t->product);
    free(t->want);
}

static bool is_atomic(const vks_matrix *A)
{
    return vks_matrix_format(A) == VKS_FORMAT_COO_ATOMIC || vks_matrix_format(A) == VKS_FORMAT_CSC_ATOMIC;
}

static void expect_sum(vks_context *c, const vks_matrix *A, enum precision p)
{
    struct product t = make_product(c, A, p);
    must_work(c, vks_vector_write(t.vy, 0, t.n, VKS_F64, t.y));
    must_work(c, vks_spmv_add(A, t.vx, t.vy));
    for (uint32_t i = 0; i < t.n; i++)
        t.want[i] = rounded(p, t.y[i] + t.product[i]);
    must_hold(t.vy, t.want, vks_format_name(vks_matrix_format(A)));
    free_product(&t);
}

/* The atomic formats must have the bits of CSR. */
static void expect_rows(vks_context *c, const vks_matrix *A, const vks_matrix *in_csr, enum precision p)
{
    struct product t = make_product(c, in_csr, p);
    uint32_t n = t.n, ranges[][2] = {{0, n},
                                     {0, 0},
                                     {n, 0},
                                     {0, n / 2},
                                     {n / 2, n - n / 2},
                                     {n / 3, n / 3},
                                     {n - (n > 0), n > 0}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        uint32_t first = ranges[k][0], count = ranges[k][1];
        must_work(c, vks_vector_write(t.vy, 0, n, VKS_F64, t.y));
        must_work(c, vks_spmv_rows(A, first, count, t.vx, t.vy));
        memcpy(t.want, t.y, n * sizeof *t.want);
        memcpy(t.want + first, t.product + first, count * sizeof *t.want);
        must_hold(t.vy, t.want, vks_format_name(vks_matrix_format(A)));
    }
    free_product(&t);
}

static void expect_all(vks_context *c, enum precision p, struct host_csr a)
{
    vks_matrix *in_csr = put_padded(c, &a, p, VKS_FORMAT_CSR);
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++) {
        vks_matrix *A = put_padded(c, &a, p, (vks_format)f);
        if (!is_atomic(A))
            expect_sum(c, A, p);
        expect_rows(c, A, in_csr, p);
        vks_matrix_destroy(A);
    }
    vks_matrix_destroy(in_csr);
    host_csr_free(&a);
}

static void walk_some(vks_context *c, enum precision p)
{
    static const uint32_t lengths[] = {257, 3, 256, 0, 1025, 1, 2, 1300, 4};
    expect_all(c, p, csr_of_lengths(p, 9, 1400, lengths, 3));
    expect_all(c, p, random_csr(p, 777, 500, 20, 2));
}

static void walk(vks_context *c, enum precision p)
{
    walk_some(c, p);
    expect_all(c, p, rows_of_length(p, 256, 300, 30));
    expect_all(c, p, random_csr(p, 1, 1, 1, 4));
    expect_all(c, p, random_csr(p, 0, 7, 0, 4));
}

Test(spmv_rows, and_sums_with_y_have_the_bits_of_the_product_in_every_format)
{
    in_both_precisions(open_host(), walk);
}

Test(spmv_rows, and_sums_with_y_have_the_bits_of_the_product_on_a_gpu)
{
    vks_context *c = open_gpu();
    walk_some(c, PRECISION_F64);
    close_context(c);
}

/* Sums of small integers, which are exact in any order. */
static void add_integers(vks_context *c, enum precision p)
{
    struct host_csr a = random_csr(p, 300, 200, 20, 2);
    double *want = room(300, 8);
    vks_vector *x = put_vector(c, want, 200, p), *y = put_vector(c, want, 300, p);
    for (uint32_t k = 0; k < a.row[300]; k++)
        a.val[k] = k % 7 - 3.0;
    for (uint32_t i = 0; i < 300; i++) {
        want[i] = 5;
        for (uint32_t k = a.row[i]; k < a.row[i + 1]; k++)
            want[i] += 2 * a.val[k];
    }
    must_work(c, vks_vector_fill(x, 2));
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++) {
        vks_matrix *A = put_padded(c, &a, p, (vks_format)f);
        must_work(c, vks_vector_fill(y, 5));
        must_work(c, vks_spmv_add(A, x, y));
        must_hold(y, want, vks_format_name((vks_format)f));
        vks_matrix_destroy(A);
    }
    vks_vector_destroy(x);
    vks_vector_destroy(y);
    host_csr_free(&a);
    free(want);
}

Test(spmv_rows, and_sums_with_y_of_integers_are_exact_in_formats_of_any_order)
{
    in_both_precisions(open_host(), add_integers);
}

Test(spmv_rows, and_sums_with_y_of_integers_are_exact_on_a_gpu)
{
    vks_context *c = open_gpu();
    add_integers(c, PRECISION_F32);
    close_context(c);
}

/* Values in f32 with vectors in f64. */
static void walk_mixed(vks_context *c)
{
    struct host_csr a = random_csr(PRECISION_F32, 300, 300, 20, 2);
    vks_matrix *A = NULL;
    vks_matrix_options o = {.precision = VKS_MIXED, .storage.format = VKS_FORMAT_SELL};
    must_work(c, vks_matrix_from_csr(c, 300, 300, a.row, a.col, a.val, &o, &A));
    cr_expect_eq(vks_matrix_value_bytes(A), 4);
    expect_sum(c, A, PRECISION_F64);
    expect_rows(c, A, A, PRECISION_F64);
    vks_matrix_destroy(A);
    host_csr_free(&a);
}

Test(spmv_rows, and_sums_take_values_in_f32)
{
    vks_context *c = open_host();
    walk_mixed(c);
    close_context(c);
}

Test(spmv_rows, and_sums_take_values_in_f32_on_a_gpu)
{
    vks_context *c = open_gpu();
    walk_mixed(c);
    close_context(c);
}

static void rows_twice(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x, double *y)
{
    (void)A;
    for (uint32_t i = first; i < first + count; i++)
        y[i] = 2 * x[i];
}

Test(spmv_rows, of_lean_matrices_and_operators_are_refused_but_sums_are_not)
{
    vks_context *c = open_host();
    struct host_csr a = random_csr(PRECISION_F64, 30, 30, 4, 1);
    vks_matrix *A = NULL, *O = NULL;
    vks_matrix_options o = {.storage = {.format = VKS_FORMAT_SELL, .lean = true, .padding = 1000}};
    vks_operator twice = {.rows_f64 = rows_twice};
    must_work(c, vks_matrix_from_csr(c, 30, 30, a.row, a.col, a.val, &o, &A));
    must_work(c, vks_operator_create(c, 30, &twice, &O));
    struct product t = make_product(c, A, PRECISION_F64);
    must_refuse(c, vks_spmv_rows(A, 0, 30, t.vx, t.vy), VKS_UNSUPPORTED, "a lean matrix keeps no CSR");
    must_refuse(c, vks_spmv_rows(O, 0, 30, t.vx, t.vy), VKS_UNSUPPORTED, "an operator");
    expect_sum(c, A, PRECISION_F64);
    free_product(&t);
    vks_matrix_destroy(A);
    vks_matrix_destroy(O);
    host_csr_free(&a);
    close_context(c);
}

Test(spmv_rows, beyond_the_matrix_or_of_vectors_that_do_not_fit_are_refused)
{
    vks_context *c = open_host();
    struct host_csr a = random_csr(PRECISION_F64, 30, 20, 4, 1);
    vks_matrix *A = put_padded(c, &a, PRECISION_F64, VKS_FORMAT_CSR);
    struct product t = make_product(c, A, PRECISION_F64);
    must_refuse(c, vks_spmv_rows(A, 20, 11, t.vx, t.vy), VKS_INVALID_ARGUMENT, "the rows of the matrix");
    must_refuse(c, vks_spmv_rows(A, UINT32_MAX, 2, t.vx, t.vy), VKS_INVALID_ARGUMENT,
                "the rows of the matrix");
    must_refuse(c, vks_spmv_rows(A, 0, 1, t.vy, t.vx), VKS_INVALID_ARGUMENT, "A is 30 x 20");
    must_refuse(c, vks_spmv_add(A, t.vy, t.vx), VKS_INVALID_ARGUMENT, "A is 30 x 20");
    free_product(&t);
    vks_matrix_destroy(A);
    host_csr_free(&a);
    close_context(c);
}
