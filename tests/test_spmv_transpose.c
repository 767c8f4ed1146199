/* y = A^T x: must have the bits of the transpose's own product, whatever the format of A, also after its
 * values have changed. */
#include "sparse/matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/oracle.h"
#include "tests/support/product_oracle.h"
#include "vksolve/algebra.h"

static double *product_of(vks_context *c, const vks_matrix *A, bool transposed, const double *x,
                          enum precision p)
{
    uint32_t rows = vks_matrix_rows(A), cols = vks_matrix_cols(A), n = transposed ? cols : rows;
    double *y = room(n, 8);
    vks_vector *vx = put_vector(c, x, transposed ? rows : cols, p), *vy = put_vector(c, y, n, p);
    must_work(c, (transposed ? vks_spmv_transpose : vks_spmv)(A, vx, vy));
    must_work(c, vks_vector_read(vy, 0, n, VKS_F64, y));
    vks_vector_destroy(vx);
    vks_vector_destroy(vy);
    return y;
}

/* Compared with vks_matrix_transpose, and with the definition. */
static void must_multiply_transposed(vks_context *c, const vks_matrix *A, const struct host_csr *a,
                                     enum precision p, const char *what)
{
    double *x = random_vector(p, a->rows, 3, 5);
    vks_matrix *T = NULL;
    must_work(c, vks_matrix_transpose(A, VKS_FORMAT_CSR, &T));
    double *got = product_of(c, A, true, x, p), *want = product_of(c, T, false, x, p);
    must_equal(got, want, a->cols, what);
    struct host_csr t = transpose_oracle(a);
    uint32_t lanes = csr_lanes(t.rows, t.row[t.rows]);
    for (uint32_t i = 0; i < t.rows; i++)
        want[i] = canonical_row(p, &t, x, i, lanes);
    must_equal(got, want, a->cols, what);
    vks_matrix_destroy(T);
    host_csr_free(&t);
    free(x);
    free(got);
    free(want);
}

/* Frees a. */
static void attempt(vks_context *c, enum precision p, struct host_csr a, const char *what)
{
    vks_matrix *A = put_on(c, &a, p, VKS_FORMAT_CSR);
    must_multiply_transposed(c, A, &a, p, what);
    for (size_t k = 0; k < host_csr_entries(&a); k++)
        a.val[k] *= -2; /* exact in f32, too */
    must_work(c, vks_matrix_set_values(A, VKS_F64, a.val));
    must_multiply_transposed(c, A, &a, p, what);
    must_be(c, A, &a, what);
    vks_matrix_destroy(A);
    host_csr_free(&a);
}

static void walk(vks_context *c, enum precision p)
{
    attempt(c, p, random_csr(p, 0, 0, 0, 1), "nothing");
    attempt(c, p, random_csr(p, 7, 0, 0, 1), "no columns");
    attempt(c, p, random_csr(p, 0, 7, 0, 1), "no rows");
    attempt(c, p, random_csr(p, 7, 5, 0, 1), "no entries");
    attempt(c, p, csr_of_lengths(p, 1, 1, (uint32_t[]){1}, 1), "one entry");
    attempt(c, p, random_csr(p, 1000, 1000, 20, 2), "square");
    attempt(c, p, random_csr(p, 3000, 90, 6, 3), "tall");
    attempt(c, p, random_csr(p, 90, 3000, 300, 4), "wide");
}

Test(spmv_transpose, has_the_bits_of_the_product_of_the_transpose_also_after_new_values)
{
    everywhere(walk);
}

static void walk_formats(vks_context *c)
{
    struct host_csr a = random_csr(PRECISION_F64, 200, 150, 20, 1);
    vks_matrix *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR);
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++) {
        vks_format_options o = {.format = (vks_format)f, .lean = true};
        vks_matrix *B = NULL;
        must_work(c, vks_matrix_convert(A, &o, &B));
        must_multiply_transposed(c, B, &a, PRECISION_F64, vks_format_name((vks_format)f));
        cr_expect_eq(B->held, 0);
        cr_expect_not(B->transposed_is_stale, "the transpose is gathered in each product");
        cr_expect(!B->lean || B->csr.val == NULL);
        vks_matrix_destroy(B);
    }
    vks_matrix_destroy(A);
    host_csr_free(&a);
}

Test(spmv_transpose, is_that_of_csr_whatever_the_format)
{
    on_both(walk_formats);
}

/* Calls that change values in place, each after a product that has made the transpose. */
static void change_values(vks_context *c)
{
    struct host_csr a = random_csr(PRECISION_F64, 120, 120, 12, 5), b;
    vks_matrix *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_SELL);
    double *v = random_vector(PRECISION_F64, 120, 3, 1);
    vks_vector *left = put_vector(c, v, 120, PRECISION_F64);
    must_multiply_transposed(c, A, &a, PRECISION_F64, "as made");
    must_work(c, vks_matrix_scale(A, left, NULL));
    b = read_back(c, A);
    must_multiply_transposed(c, A, &b, PRECISION_F64, "scaled");
    vks_vector_destroy(left);
    vks_matrix_destroy(A);
    free(v);
    host_csr_free(&a);
    host_csr_free(&b);
}

Test(spmv_transpose, follows_values_that_are_scaled)
{
    on_both(change_values);
}

Test(spmv_transpose, is_refused_where_shapes_contexts_or_precisions_differ)
{
    vks_context *c = open_host(), *other = open_host();
    struct host_csr a = random_csr(PRECISION_F64, 30, 20, 4, 1);
    double zeros[30] = {0};
    vks_matrix *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR);
    vks_vector *x = put_vector(c, zeros, 30, PRECISION_F64), *y = put_vector(c, zeros, 20, PRECISION_F64),
               *narrow = put_vector(c, zeros, 20, PRECISION_F32),
               *foreign = put_vector(other, zeros, 20, PRECISION_F64);
    must_refuse(c, vks_spmv_transpose(A, y, x), VKS_INVALID_ARGUMENT,
                "y = A^T x: A is 30 x 20, x has 20 elements and y has 30");
    must_refuse(c, vks_spmv_transpose(A, x, narrow), VKS_INVALID_ARGUMENT, "differ in precision");
    must_refuse(c, vks_spmv_transpose(A, x, foreign), VKS_INVALID_ARGUMENT, "different contexts");
    must_work(c, vks_spmv_transpose(A, x, y));
    vks_vector_destroy(x);
    vks_vector_destroy(y);
    vks_vector_destroy(narrow);
    vks_vector_destroy(foreign);
    vks_matrix_destroy(A);
    host_csr_free(&a);
    close_context(c);
    close_context(other);
}

/* The transpose of 1,000 entries needs an array of 8,000 bytes, as A does; its sort 4,000 more. */
Test(spmv_transpose, fails_without_memory_and_may_then_be_repeated)
{
    vks_context *c = open_host();
    uint32_t lengths[10];
    for (int i = 0; i < 10; i++)
        lengths[i] = 100;
    struct host_csr a = csr_of_lengths(PRECISION_F64, 10, 100, lengths, 1);
    vks_matrix *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR);
    uint64_t largest = c->device->info.largest_array;
    double v[100] = {0};
    vks_vector *x = put_vector(c, v, 10, PRECISION_F64), *y = put_vector(c, v, 100, PRECISION_F64);
    c->device->info.largest_array = 7999;
    must_refuse(c, vks_spmv_transpose(A, x, y), VKS_DEVICE_MEMORY,
                "8000 bytes for matrix values are too many");
    cr_expect_null(A->transposed.T);
    c->device->info.largest_array = largest;
    must_multiply_transposed(c, A, &a, PRECISION_F64, "after a failure");
    vks_vector_destroy(x);
    vks_vector_destroy(y);
    vks_matrix_destroy(A);
    host_csr_free(&a);
    close_context(c);
}
