/* Matrices of VKS_MIXED, compared with the same in f64. */
#ifndef VKS_TESTS_MIXED_H
#define VKS_TESTS_MIXED_H

#include "tests/support/alike.h"
#include "tests/support/device_matrix.h"
#include "tests/support/narrow_oracle.h"

static inline vks_matrix *put_stored(vks_context *c, const struct host_csr *a, vks_precision p,
                                     vks_format_options storage)
{
    vks_matrix *A = NULL;
    vks_matrix_options o = {.precision = p, .storage = storage};
    must_work(c, vks_matrix_from_csr(c, a->rows, a->cols, a->row, a->col, a->val, &o, &A));
    return A;
}

/* All values survive f32, or all except the last one, which is the largest. */
static inline struct host_csr mixed_csr(uint32_t rows, uint32_t cols, uint32_t most, bool survive,
                                        uint64_t seed)
{
    struct host_csr a = random_csr(PRECISION_F32, rows, cols, most, seed);
    if (!survive)
        a.val[host_csr_entries(&a) - 1] = 0x1p30 + 0.1;
    return a;
}

/* Checks how A is stored, and why, against its values; there must be some. */
static inline void must_be_stored_for(const vks_matrix *A, const struct host_csr *a, const char *what)
{
    uint32_t k = 0, entries = (uint32_t)host_csr_entries(a), row = 0, lost_row = 77, lost_col = 77;
    double value = 77;
    while (k < entries && survives_naively(a->val[k]))
        k++;
    bool lost = k < entries;
    cr_assert_eq(vks_matrix_precision(A), VKS_MIXED, "%s", what);
    cr_assert_eq(vks_matrix_value_bytes(A), lost ? 8 : 4, "%s: %u bytes", what, vks_matrix_value_bytes(A));
    cr_assert_eq(vks_matrix_lost_value(A, &lost_row, &lost_col, &value), lost, "%s", what);
    while (lost && a->row[row + 1] <= k)
        row++;
    cr_assert_eq(lost_row, lost ? row : 77, "%s: row %u instead of %u", what, lost_row, row);
    cr_assert_eq(lost_col, lost ? a->col[k] : 77, "%s: column %u", what, lost_col);
    cr_assert_eq(bits_of(value), bits_of(lost ? a->val[k] : 77), "%s: value %.17g", what, value);
}

static inline double *product_with(vks_context *c, const vks_matrix *A, const double *x, bool transposed)
{
    uint32_t rows = vks_matrix_rows(A), cols = vks_matrix_cols(A);
    uint32_t n = transposed ? rows : cols, m = transposed ? cols : rows;
    double *y = room(m, 8);
    OWNED(vks_vector) *vx = put_vector(c, x, n, PRECISION_F64), *vy = put_vector(c, y, m, PRECISION_F64);
    must_work(c, transposed ? vks_spmv_transpose(A, vx, vy) : vks_spmv(A, vx, vy));
    must_work(c, vks_vector_read(vy, 0, m, VKS_F64, y));
    guards_check(c->device);
    return y;
}

/* Both products have the bits of those of F, the same matrix in f64; if the format has its own order, they
 * are close. `a` is the same in host memory. */
static inline void must_multiply_as(vks_context *c, const vks_matrix *A, const vks_matrix *F,
                                    const struct host_csr *a, const char *what)
{
    uint32_t longest = a->rows > a->cols ? a->rows : a->cols;
    OWNED(double) *x = random_vector(PRECISION_F64, longest, 10, 3);
    OWNED(double) *got = product_with(c, A, x, false), *want = product_with(c, F, x, false);
    must_be_alike(A, PRECISION_F64, a, x, got, want, what);
    free(got);
    free(want);
    got = product_with(c, A, x, true);
    want = product_with(c, F, x, true);
    must_equal(got, want, a->cols, what);
}

#endif
