/* Matrices on a device, compared with those in host memory. */
#ifndef VKS_TESTS_DEVICE_MATRIX_H
#define VKS_TESTS_DEVICE_MATRIX_H

#include "tests/support/context.h"
#include "tests/support/matrix.h"
#include "vksolve/matrix.h"

static inline vks_matrix *put_on(vks_context *c, const struct host_csr *a, enum precision p,
                                 vks_format format)
{
    vks_matrix_options o = {.storage.format = format, .precision = public_precision(p)};
    return matrix_from(c, a, &o);
}

/* One of the matrices that are shipped with the library. */
static inline vks_matrix *read_shipped(vks_context *c, const char *name)
{
    char path[512];
    vks_matrix *A = NULL;
    snprintf(path, sizeof path, SOURCE_DIR "/matrices/%s.mtx.gz", name);
    must_work(c, vks_matrix_read(c, path, NULL, &A));
    return A;
}

static inline vks_vector *put_vector(vks_context *c, const double *v, uint32_t n, enum precision p)
{
    vks_vector *x = NULL;
    must_work(c, vks_vector_create(c, n, public_precision(p), &x));
    must_work(c, vks_vector_write(x, 0, n, VKS_F64, v));
    return x;
}

static inline struct host_csr read_back(const vks_context *c, const vks_matrix *A)
{
    struct host_csr a = new_csr(vks_matrix_rows(A), vks_matrix_cols(A), vks_matrix_entries(A));
    must_work(c, vks_matrix_to_csr(A, a.row, a.col, VKS_F64, a.val));
    guards_check(c->device);
    return a;
}

/* Compares the shape, every offset and column, and the bits of every value. */
static inline void must_be(const vks_context *c, const vks_matrix *A, const struct host_csr *want,
                           const char *what)
{
    cr_assert_eq(vks_matrix_rows(A), want->rows, "%s: %u rows", what, vks_matrix_rows(A));
    cr_assert_eq(vks_matrix_cols(A), want->cols, "%s: %u columns", what, vks_matrix_cols(A));
    cr_assert_eq(vks_matrix_entries(A), host_csr_entries(want), "%s: %u entries instead of %zu", what,
                 vks_matrix_entries(A), host_csr_entries(want));
    OWNED_STRUCT(host_csr) got = read_back(c, A);
    for (uint32_t i = 0; i <= want->rows; i++)
        cr_assert_eq(got.row[i], want->row[i], "%s: row %u begins at %u instead of %u", what, i, got.row[i],
                     want->row[i]);
    for (size_t k = 0; k < host_csr_entries(want); k++)
        cr_assert_eq(got.col[k], want->col[k], "%s: entry %zu is in column %u instead of %u", what, k,
                     got.col[k], want->col[k]);
    must_equal(got.val, want->val, host_csr_entries(want), what);
}

/* y = A x in the format of A, and in CSR made from what A reads back. */
static inline void must_multiply_as_csr(vks_context *c, const vks_matrix *A, enum precision p)
{
    OWNED_STRUCT(host_csr) a = read_back(c, A);
    OWNED(double) *v = random_vector(p, a.cols, 3, 5), *got = room(a.rows, 8), *want = room(a.rows, 8);
    OWNED(vks_matrix) *B = put_on(c, &a, p, VKS_FORMAT_CSR);
    OWNED(vks_vector) *x = put_vector(c, v, a.cols, p), *y = put_vector(c, got, a.rows, p);
    must_work(c, vks_spmv(A, x, y));
    must_work(c, vks_vector_read(y, 0, a.rows, VKS_F64, got));
    must_work(c, vks_spmv(B, x, y));
    must_work(c, vks_vector_read(y, 0, a.rows, VKS_F64, want));
    must_equal(got, want, a.rows, "y = A x");
}

/* A small matrix, row by row: `length` columns and values for each. */
static inline struct host_csr small_csr(uint32_t rows, uint32_t cols, const uint32_t *length,
                                        const uint32_t *col, const double *val)
{
    size_t entries = 0;
    for (uint32_t i = 0; i < rows; i++)
        entries += length[i];
    struct host_csr a = new_csr(rows, cols, entries);
    for (uint32_t i = 0; i < rows; i++)
        a.row[i + 1] = a.row[i] + length[i];
    memcpy(a.col, col, 4 * entries);
    memcpy(a.val, val, 8 * entries);
    return a;
}

#endif
