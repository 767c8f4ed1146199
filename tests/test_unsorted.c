/* vks_matrix_options.unsorted: rows whose columns are in any order. */
#include "sparse/matrix.h"
#include "tests/support/device_matrix.h"

/* The entries of each row of a in another order; order[k] is the place in a of the result's entry k. */
static struct host_csr shuffled(const struct host_csr *a, uint32_t *order)
{
    struct host_csr b = new_csr(a->rows, a->cols, a->row[a->rows]);
    uint64_t state = 5;
    memcpy(b.row, a->row, 4 * ((size_t)a->rows + 1));
    for (uint32_t k = 0; k < a->row[a->rows]; k++)
        order[k] = k;
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t k = a->row[i + 1]; k > a->row[i] + 1; k--) {
            uint32_t other = a->row[i] + random_below(&state, k - a->row[i]), kept = order[k - 1];
            order[k - 1] = order[other];
            order[other] = kept;
        }
    for (uint32_t k = 0; k < a->row[a->rows]; k++) {
        b.col[k] = a->col[order[k]];
        b.val[k] = a->val[order[k]];
    }
    return b;
}

/* New values in both precisions, in the order of b. */
static void expect_values(vks_context *c, vks_matrix *A, struct host_csr *a, struct host_csr *b,
                          const uint32_t *order)
{
    OWNED(float) *narrow = room(a->row[a->rows], 4);
    for (uint32_t k = 0; k < a->row[a->rows]; k++)
        b->val[k] = narrow[k] = (float)(k % 1000) - 500;
    for (uint32_t k = 0; k < a->row[a->rows]; k++)
        a->val[order[k]] = b->val[k];
    must_work(c, vks_matrix_set_values(A, VKS_F64, b->val));
    must_be(c, A, a, "new values");
    must_work(c, vks_matrix_set_values(A, VKS_F32, narrow));
    must_be(c, A, a, "new values of f32");
}

static void expect_sorted(vks_context *c, enum precision p, struct host_csr a, vks_format format)
{
    OWNED(uint32_t) *order = room(a.row[a.rows], 4);
    OWNED_STRUCT(host_csr) b = shuffled(&a, order);
    vks_matrix_options o = {
        .precision = public_precision(p), .storage = {.format = format, .padding = 1000}, .unsorted = true};
    OWNED(vks_matrix) *B = NULL;
    OWNED(vks_matrix) *A = matrix_from(c, &b, &o);
    must_be(c, A, &a, "sorted");
    expect_values(c, A, &a, &b, order);
    must_work(c, vks_matrix_convert(A, NULL, &B));
    must_work(c, vks_matrix_set_values(B, VKS_F64, a.val));
    must_be(c, B, &a, "what it was converted to takes values in ascending order");
    host_csr_free(&a);
}

TestEverywhere(unsorted, rows_are_sorted_and_take_new_values_in_the_order_that_they_came_in)
{
    static const uint32_t lengths[] = {2, 0, 32, 33, 1, 64, 65, 0, 2000};
    expect_sorted(c, p, csr_of_lengths(p, 9, 2100, lengths, 1), VKS_FORMAT_CSR);
    expect_sorted(c, p, csr_of_lengths(p, 1, 2, lengths, 1), VKS_FORMAT_CSR);
    expect_sorted(c, p, random_csr(p, 1000, 700, 20, 2), VKS_FORMAT_SELL);
    expect_sorted(c, p, random_csr(p, 0, 0, 0, 2), VKS_FORMAT_CSR);
    expect_sorted(c, p, random_csr(p, 5, 0, 0, 2), VKS_FORMAT_CSR);
}

TestOnHost(unsorted, rows_that_ascend_keep_no_order)
{
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F64, 50, 50, 9, 2);
    vks_matrix_options o = {.unsorted = true};
    OWNED(vks_matrix) *A = matrix_from(c, &a, &o);
    cr_expect_null(A->order);
    must_be(c, A, &a, "sorted before");
}

TestOnHost(unsorted, rows_with_a_column_twice_or_out_of_range_are_named)
{
    uint32_t row[] = {0, 2, 5}, twice[] = {1, 0, 7, 3, 7}, outside[] = {1, 0, 2, 9, 3},
             fine[] = {1, 0, 3, 2, 8};
    double val[5] = {0};
    vks_matrix *A = (vks_matrix *)c;
    vks_matrix_options o = {.unsorted = true};
    must_refuse(c, vks_matrix_from_csr(c, 2, 9, row, twice, val, &o, &A), VKS_INVALID_ARGUMENT,
                "row 1: column 7 appears twice");
    cr_expect_null(A);
    must_refuse(c, vks_matrix_from_csr(c, 2, 9, row, outside, val, &o, &A), VKS_INVALID_ARGUMENT,
                "row 1: column 9 is outside 0..8");
    must_refuse(c, vks_matrix_from_csr(c, 2, 9, row, NULL, val, &o, &A), VKS_INVALID_ARGUMENT,
                "column indices are NULL");
    must_refuse(c, vks_matrix_from_csr(c, 2, 9, NULL, fine, val, &o, &A), VKS_INVALID_ARGUMENT,
                "row offsets are NULL");
    must_refuse(c, vks_matrix_from_csr(c, 2, 9, row, fine, NULL, &o, &A), VKS_INVALID_ARGUMENT,
                "values are NULL");
    must_refuse(c, vks_matrix_from_csr(c, 2, 9, row, fine, val, NULL, &A), VKS_INVALID_ARGUMENT,
                "row 0: column 0 comes after column 1");
}
