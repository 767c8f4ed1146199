/* Matrices on a device against those in host memory, bit for bit. */
#ifndef VKS_TESTS_ALGEBRA_H
#define VKS_TESTS_ALGEBRA_H

#include "sparse/matrix.h"
#include "tests/support/context.h"
#include "tests/support/matrix.h"

static inline vks_matrix *new_matrix(vks_context *c, enum precision p, const struct host_csr *a,
                                     vks_format format)
{
    vks_matrix *A = NULL;
    vks_matrix_options o = {.precision = public_precision(p), .format = format};
    must_work(c, vks_matrix_from_csr(c, a->rows, a->cols, a->row, a->col, a->val, &o, &A));
    return A;
}

static inline struct host_csr read_matrix(const vks_matrix *A)
{
    struct host_csr a = new_csr(vks_matrix_rows(A), vks_matrix_cols(A), vks_matrix_entries(A));
    must_work(A->context, vks_matrix_to_csr(A, a.row, a.col, VKS_F64, a.val));
    guards_check(A->context->device);
    return a;
}

static inline void must_be_equal(const struct host_csr *got, const struct host_csr *want, const char *what)
{
    size_t entries = host_csr_entries(want);
    cr_assert(got->rows == want->rows && got->cols == want->cols, "%s: %u x %u", what, got->rows, got->cols);
    for (uint32_t i = 0; i <= want->rows; i++)
        cr_assert_eq(got->row[i], want->row[i], "%s: row %u begins at %u instead of %u", what, i, got->row[i],
                     want->row[i]);
    for (size_t k = 0; k < entries; k++)
        cr_assert_eq(got->col[k], want->col[k], "%s: entry %zu has column %u instead of %u", what, k,
                     got->col[k], want->col[k]);
    must_equal(got->val, want->val, entries, what);
}

/* A is this matrix. */
static inline void must_be(const vks_matrix *A, const struct host_csr *want, const char *what)
{
    cr_assert_eq(vks_matrix_entries(A), host_csr_entries(want), "%s: %u entries instead of %zu", what,
                 vks_matrix_entries(A), host_csr_entries(want));
    struct host_csr got = read_matrix(A);
    must_be_equal(&got, want, what);
    host_csr_free(&got);
}

#endif
