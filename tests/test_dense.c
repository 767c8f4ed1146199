/* Dense matrices: between host, files, sparse matrices and the device; and their products. */
#include "dense/dense.h"
#include "tests/support/context.h"
#include "tests/support/dense_oracle.h"
#include "tests/support/matrix.h"
#include "vksolve/dense.h"

#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

static vks_dense *dense_of(vks_context *c, enum precision p, uint32_t rows, uint32_t cols, const double *v)
{
    vks_dense *A = NULL;
    must_work(c, vks_dense_from_array(c, rows, cols, public_precision(p), VKS_F64, v, 0, &A));
    return A;
}

static vks_dense *new_dense(vks_context *c, enum precision p, uint32_t rows, uint32_t cols, uint32_t ld)
{
    vks_dense *A = NULL;
    must_work(c, vks_dense_create(c, rows, cols, ld, public_precision(p), &A));
    return A;
}

static void must_hold(vks_context *c, const vks_dense *A, const double *want, const char *what)
{
    size_t count = (size_t)vks_dense_rows(A) * vks_dense_cols(A);
    OWNED(double) *got = room(count, sizeof *got);
    must_work(c, vks_dense_get(A, VKS_F64, got, 0));
    must_equal(got, want, count, what);
}

/* 700 x 900 exceeds a piece of a transfer. */
TestEverywhere(dense, elements_come_back_with_any_leading_dimension)
{
    static const uint32_t shapes[][3] = {{0, 0, 0}, {0, 5, 5}, {5, 0, 3},       {1, 1, 1},
                                         {3, 4, 4}, {3, 4, 9}, {700, 900, 1000}};
    for (int k = 0; k < 7; k++) {
        uint32_t rows = shapes[k][0], cols = shapes[k][1], wide = cols + 2;
        OWNED(double) *v = random_vector(p, (size_t)rows * wide, 9, 5 + (uint64_t)k),
                      *got = room((size_t)rows * wide, 8);
        OWNED(vks_dense) *A = new_dense(c, p, rows, cols, shapes[k][2]);
        cr_expect_eq(vks_dense_ld(A), shapes[k][2]);
        must_work(c, vks_dense_set(A, VKS_F64, v, wide));
        for (size_t e = 0; e < (size_t)rows * wide; e++)
            got[e] = 7;
        must_work(c, vks_dense_get(A, VKS_F64, got, wide));
        for (size_t e = 0; e < (size_t)rows * wide; e++)
            v[e] = e % wide < cols ? v[e] : 7; /* nothing is written beyond the columns */
        must_equal(got, v, (size_t)rows * wide, "a dense matrix");
    }
}

TestOnHost(dense, a_new_one_is_zero_and_values_are_rounded_to_its_precision)
{
    double zeros[12] = {0}, third[] = {1.0 / 3}, narrow[] = {(float)(1.0 / 3)};
    OWNED(vks_dense) *A = new_dense(c, PRECISION_F64, 3, 4, 0), *B = dense_of(c, PRECISION_F32, 1, 1, third);
    must_hold(c, A, zeros, "a new matrix");
    must_hold(c, B, narrow, "a third in f32");
}

/* --- Files --- */

struct file {
    char path[64];
};

static struct file write_text(const char *text, bool compressed)
{
    struct file f;
    snprintf(f.path, sizeof f.path, "/tmp/vksolve-dense-%ld.mtx%s", (long)getpid(), compressed ? ".gz" : "");
    if (compressed) {
        gzFile to = gzopen(f.path, "wb");
        cr_assert(to && gzputs(to, text) > 0);
        gzclose(to);
    } else {
        FILE *to = fopen(f.path, "w");
        cr_assert(to && fputs(text, to) >= 0);
        fclose(to);
    }
    return f;
}

static void must_read(const char *text, uint32_t rows, uint32_t cols, const double *want, bool compressed)
{
    OWNED(vks_context) *c = open_host();
    struct file f = write_text(text, compressed);
    OWNED(vks_dense) *A = NULL;
    must_work(c, vks_dense_read(c, f.path, VKS_F64, &A));
    cr_expect(vks_dense_rows(A) == rows && vks_dense_cols(A) == cols);
    must_hold(c, A, want, text);
    unlink(f.path);
}

Test(dense, array_files_are_read_by_columns)
{
    const char *text = "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4.5\n5\n-6e1\n";
    must_read(text, 2, 3, (double[]){1, 3, 5, 2, 4.5, -60}, false);
    must_read(text, 2, 3, (double[]){1, 3, 5, 2, 4.5, -60}, true);
    must_read("%%MatrixMarket matrix array integer general\n1 2\n7\n-8\n", 1, 2, (double[]){7, -8}, false);
}

Test(dense, symmetric_and_skew_symmetric_array_files_are_expanded)
{
    must_read("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", 3, 3,
              (double[]){1, 2, 3, 2, 4, 5, 3, 5, 6}, false);
    must_read("%%MatrixMarket matrix array real skew-symmetric\n3 3\n2\n3\n5\n", 3, 3,
              (double[]){0, -2, -3, 2, 0, -5, 3, 5, 0}, true);
}

Test(dense, coordinate_files_fill_the_rest_with_zeros)
{
    must_read("%%MatrixMarket matrix coordinate real general\n2 3 3\n1 2 5\n2 3 7\n1 2 0.5\n", 2, 3,
              (double[]){0, 5.5, 0, 0, 0, 7}, false);
}

TestOnHost(dense, what_is_written_is_read_bit_for_bit)
{
    OWNED(double) *v = random_vector(PRECISION_F64, 35 * 67, 300, 4);
    vks_dense *A = dense_of(c, PRECISION_F64, 35, 67, v), *B = NULL;
    for (int compressed = 0; compressed < 2; compressed++) {
        struct file f = write_text("%", compressed);
        must_work(c, vks_dense_write(A, f.path));
        must_work(c, vks_dense_read(c, f.path, VKS_F64, &B));
        must_hold(c, B, v, "a file");
        unlink(f.path);
        vks_dense_destroy(B);
    }
    vks_dense_destroy(A);
}

TestOnHost(dense, a_malformed_file_is_refused_with_its_line)
{
    OWNED(vks_dense) *A = (vks_dense *)1;
    struct file f = write_text("%%MatrixMarket matrix array real general\n2 1\n1\nx\n", false);
    must_refuse(c, vks_dense_read(c, f.path, VKS_F64, &A), VKS_FORMAT, ":4: ");
    cr_expect_null(A);
    unlink(f.path);
    must_refuse(c, vks_dense_read(c, "/nonexistent.mtx", VKS_F64, &A), VKS_FILE, "nonexistent");
    A = dense_of(c, PRECISION_F64, 1, 2, (double[]){1, INFINITY});
    must_refuse(c, vks_dense_write(A, f.path), VKS_INVALID_ARGUMENT, "row 1, column 2");
    cr_expect_neq(access(f.path, F_OK), 0, "a file that was not written whole");
}

/* --- Sparse --- */

TestEverywhere(dense, comes_from_sparse_matrices_of_any_format_and_goes_back_without_zeros)
{
    OWNED_STRUCT(host_csr) h = random_csr(PRECISION_F32, 45, 61, 20, 3);
    OWNED(double) *want = room(45 * 61, 8);
    for (uint32_t i = 0; i < 45; i++)
        for (uint32_t k = h.row[i]; k < h.row[i + 1]; k++)
            want[i * 61 + h.col[k]] = h.val[k];
    static const vks_matrix_options stored[] = {{.storage.format = VKS_FORMAT_CSR},
                                                {.storage = {.format = VKS_FORMAT_SELL, .lean = true}},
                                                {.storage = {.format = VKS_FORMAT_COO, .lean = true}}};
    for (int k = 0; k < 6; k++) {
        vks_matrix_options o = stored[k % 3];
        o.precision = p == PRECISION_F32 ? VKS_F32 : k < 3 ? VKS_F64 : VKS_MIXED;
        OWNED(vks_matrix) *back = NULL;
        OWNED(vks_dense) *A = NULL;
        OWNED(vks_matrix) *S = matrix_from(c, &h, &o);
        must_work(c, vks_dense_from_matrix(S, &A));
        cr_expect_eq(vks_dense_precision(A), public_precision(p));
        must_hold(c, A, want, "a sparse matrix");
        must_work(c, vks_dense_to_matrix(A, NULL, &back));
        uint32_t row[46], col[45 * 61];
        double val[45 * 61];
        cr_assert_eq(vks_matrix_entries(back), h.row[45]);
        must_work(c, vks_matrix_to_csr(back, row, col, VKS_F64, val));
        cr_expect_arr_eq(row, h.row, sizeof row);
        cr_expect_arr_eq(col, h.col, 4 * h.row[45]);
        must_equal(val, h.val, h.row[45], "back");
    }
}

/* --- Products --- */

/* The same matrix with all its entries, as a sparse one. */
static vks_matrix *full_csr(vks_context *c, enum precision p, uint32_t rows, uint32_t cols, const double *v)
{
    OWNED(uint32_t) *row = room(rows + (size_t)1, 4), *col = room((size_t)rows * cols, 4);
    for (uint32_t i = 0; i <= rows; i++)
        row[i] = i * cols;
    for (uint32_t e = 0; e < rows * cols; e++)
        col[e] = e % cols;
    vks_matrix_options o = {.precision = public_precision(p), .storage.format = VKS_FORMAT_CSR};
    vks_matrix *S = NULL;
    must_work(c, vks_matrix_from_csr(c, rows, cols, row, col, v, &o, &S));
    return S;
}

static void read_vector(vks_context *c, const vks_vector *v, double *to)
{
    must_work(c, vks_vector_read(v, 0, vks_vector_length(v), VKS_F64, to));
}

TestEverywhere(dense, products_with_vectors_have_the_bits_of_the_sparse_product_in_every_form)
{
    static const uint32_t shapes[][2] = {{1, 1}, {70, 5}, {33, 40}, {9, 200}, {7, 300}, {3, 3000}, {600, 9}};
    for (int k = 0; k < 7; k++) {
        uint32_t rows = shapes[k][0], cols = shapes[k][1];
        double *v = random_vector(p, (size_t)rows * cols, 3, 9), *x = random_vector(p, cols, 3, 10);
        double *b = random_vector(p, rows, 3, 11), *want = room(rows, 8), *got = room(rows, 8);
        vks_dense *A = dense_of(c, p, rows, cols, v);
        vks_matrix *S = full_csr(c, p, rows, cols, v);
        vks_vector *vx = vector_of(c, p, x, cols), *vb = vector_of(c, p, b, rows),
                   *y = vector_of(c, p, b, rows);
        must_work(c, vks_spmv(S, vx, y));
        read_vector(c, y, want);
        for (int form = 0; form < VKS_GEMV_COUNT_; form++) {
            must_work(c, vks_gemv(A, vx, NULL, (vks_gemv_form)form, y));
            read_vector(c, y, got);
            must_equal(got, want, rows, vks_gemv_form_name((vks_gemv_form)form));
        }
        for (uint32_t i = 0; i < rows; i++)
            want[i] = rounded(p, want[i] + b[i]);
        must_work(c, vks_gemv(A, vx, vb, VKS_GEMV_AUTO, y));
        read_vector(c, y, got);
        must_equal(got, want, rows, "with b");
        vks_dense_destroy(A);
        vks_matrix_destroy(S);
        vks_vector_destroy(vx);
        vks_vector_destroy(vb);
        vks_vector_destroy(y);
        free(v), free(x), free(b), free(want), free(got);
    }
}

Test(dense, the_form_of_a_product_follows_from_the_shape)
{
    cr_expect_eq(vks_gemv_choice(1000000, 11), VKS_GEMV_ROWS, "tall");
    cr_expect_eq(vks_gemv_choice(4096, 4096), VKS_GEMV_STRIPS, "square");
    cr_expect_eq(vks_gemv_choice(16384, 16384), VKS_GEMV_GROUPS, "large");
    cr_expect_eq(vks_gemv_choice(3, 1000000), VKS_GEMV_STRIPS, "wide");
    cr_expect_str_eq(vks_gemv_form_name(VKS_GEMV_GROUPS), "groups");
    cr_expect_str_eq(vks_gemv_form_name((vks_gemv_form)77), "?");
}

static void multiply_matrices(vks_context *c, enum precision p, uint32_t m, uint32_t n, uint32_t depth)
{
    double *a = random_vector(p, m * depth, 5, 1), *b = random_vector(p, depth * n, 5, 2),
           *want = room(m * n, 8);
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t k = 0; k < depth; k++)
                want[i * n + j] = rounded_once(p, a[i * depth + k], b[k * n + j], want[i * n + j]);
    vks_dense *A = new_dense(c, p, m, depth, depth + 5), *B = dense_of(c, p, depth, n, b),
              *C = new_dense(c, p, m, n, n + 20);
    must_work(c, vks_dense_set(A, VKS_F64, a, 0));
    must_work(c, vks_gemm(A, B, C));
    must_hold(c, C, want, "A B");
    vks_dense_destroy(A);
    vks_dense_destroy(B);
    vks_dense_destroy(C);
    free(a), free(b), free(want);
}

/* 1,300 terms exceed what software devices add in one dispatch. */
TestEverywhere(dense, products_of_matrices_add_in_ascending_order_with_one_rounding_each)
{
    multiply_matrices(c, p, 37, 70, 19);
    multiply_matrices(c, p, 3, 5, 1300);
    multiply_matrices(c, p, 3, 5, 0);
}

/* --- Refusals --- */

Test(dense, shapes_that_are_too_large_are_refused_with_the_limit)
{
    OWNED(vks_context) *c = open_context("host", (struct device_options){.largest_array = 1 << 20});
    vks_dense *A = (vks_dense *)1;
    must_refuse(c, vks_dense_create(c, 65536, 65536, 0, VKS_F64, &A), VKS_LIMIT, "4278190080 elements");
    cr_expect_null(A);
    must_refuse(c, vks_dense_create(c, UINT32_MAX, 0, 0, VKS_F64, &A), VKS_LIMIT, "4278190080");
    must_refuse(c, vks_dense_create(c, 1024, 1024, 0, VKS_F64, &A), VKS_DEVICE_MEMORY, "1048576");
    must_refuse(c, vks_dense_create(c, 4, 5, 4, VKS_F64, &A), VKS_INVALID_ARGUMENT,
                "a leading dimension of 4 for 5 columns");
    must_refuse(c, vks_dense_create(c, 4, 5, 0, VKS_MIXED, &A), VKS_INVALID_ARGUMENT, "VKS_MIXED");
    cr_expect_null(A);
}

TestOnGpu(dense, software_devices_refuse_rows_that_their_loops_would_not_reach_the_end_of)
{
    vks_dense *A = (vks_dense *)1;
    if (c->device->info.kind == DEVICE_SOFTWARE) {
        must_refuse(c, vks_dense_create(c, 1, (1 << 20) + 1, 0, VKS_F32, &A), VKS_LIMIT, "1048577 columns");
        cr_expect_null(A);
        must_work(c, vks_dense_create(c, 1, 1 << 20, 0, VKS_F32, &A));
        vks_dense_destroy(A);
    }
}

Test(dense, operands_that_do_not_fit_are_refused)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    double v[12] = {0};
    vks_dense *A = dense_of(c, PRECISION_F64, 3, 4, v), *B = dense_of(c, PRECISION_F64, 4, 3, v);
    vks_dense *C = dense_of(c, PRECISION_F64, 3, 3, v), *narrow = dense_of(c, PRECISION_F32, 4, 3, v);
    vks_dense *foreign = dense_of(other, PRECISION_F64, 4, 3, v);
    vks_vector *x = vector_of(c, PRECISION_F64, v, 4), *y = vector_of(c, PRECISION_F64, v, 3);
    vks_vector *x32 = vector_of(c, PRECISION_F32, v, 4), *far = vector_of(other, PRECISION_F64, v, 4);
    must_refuse(c, vks_gemm(A, B, A), VKS_INVALID_ARGUMENT, "C 3 x 4");
    must_refuse(c, vks_gemm(B, A, C), VKS_INVALID_ARGUMENT, "A is 4 x 3");
    must_refuse(c, vks_gemm(A, narrow, C), VKS_INVALID_ARGUMENT, "precision");
    must_refuse(c, vks_gemm(A, foreign, C), VKS_INVALID_ARGUMENT, "contexts");
    must_refuse(c, vks_gemm(C, C, C), VKS_INVALID_ARGUMENT, "C is the same matrix as A");
    must_refuse(c, vks_gemv(A, y, NULL, VKS_GEMV_AUTO, y), VKS_INVALID_ARGUMENT, "x has 3");
    must_refuse(c, vks_gemv(A, x, NULL, VKS_GEMV_AUTO, x), VKS_INVALID_ARGUMENT, "y has 4");
    must_refuse(c, vks_gemv(A, x, x, VKS_GEMV_AUTO, y), VKS_INVALID_ARGUMENT, "b has 4");
    must_refuse(c, vks_gemv(C, y, NULL, VKS_GEMV_AUTO, y), VKS_INVALID_ARGUMENT, "same vector as x");
    must_refuse(c, vks_gemv(A, x, y, VKS_GEMV_AUTO, y), VKS_INVALID_ARGUMENT, "same vector as b");
    must_refuse(c, vks_gemv(A, x32, NULL, VKS_GEMV_AUTO, y), VKS_INVALID_ARGUMENT, "precision");
    must_refuse(c, vks_gemv(A, far, NULL, VKS_GEMV_AUTO, y), VKS_INVALID_ARGUMENT, "contexts");
    must_refuse(c, vks_gemv(A, x, NULL, (vks_gemv_form)9, y), VKS_INVALID_ARGUMENT,
                "9 is not a vks_gemv_form");
    must_refuse(c, vks_dense_set(A, VKS_F64, v, 3), VKS_INVALID_ARGUMENT, "leading dimension of 3");
    must_refuse(c, vks_dense_get(A, VKS_MIXED, v, 4), VKS_INVALID_ARGUMENT, "precision");
    vks_dense *all[] = {A, B, C, narrow, foreign};
    for (int k = 0; k < 5; k++)
        vks_dense_destroy(all[k]);
    vks_dense_destroy(NULL);
    vks_vector *vectors[] = {x, y, x32, far};
    for (int k = 0; k < 4; k++)
        vks_vector_destroy(vectors[k]);
}
