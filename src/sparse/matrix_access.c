/* Access to the properties and data of a matrix. */
#include "entries/unsorted.h"
#include "market/market.h"
#include "sparse/narrow.h"
#include "vector/vector.h"

#include <stdlib.h>

uint32_t vks_matrix_rows(const vks_matrix *matrix)
{
    return matrix->csr.n;
}

uint32_t vks_matrix_cols(const vks_matrix *matrix)
{
    return matrix->csr.cols;
}

uint32_t vks_matrix_entries(const vks_matrix *matrix)
{
    return matrix->csr.entries;
}

vks_precision vks_matrix_precision(const vks_matrix *matrix)
{
    return matrix->precision;
}

uint32_t vks_matrix_lanes(const vks_matrix *matrix)
{
    return matrix->csr.lanes;
}

uint32_t vks_matrix_value_bytes(const vks_matrix *matrix)
{
    return value_bytes(matrix_precision(matrix));
}

bool vks_matrix_lost_value(const vks_matrix *matrix, uint32_t *row, uint32_t *col, double *value)
{
    const struct lost_value *lost = &matrix->lost;
    if (!lost->is)
        return false;
    *row = lost->row;
    *col = lost->col;
    *value = lost->value;
    return true;
}

/* The matrix that has the format: A->rounded for pairs of floats, else A. */
static const vks_matrix *formatted(const vks_matrix *A)
{
    return A->rounded ? A->rounded : A;
}

vks_format vks_matrix_format(const vks_matrix *matrix)
{
    return formatted(matrix)->storage.format;
}

const char *vks_matrix_format_reason(const vks_matrix *matrix)
{
    return formatted(matrix)->format_reason;
}

uint32_t vks_matrix_entry_kinds(const vks_matrix *matrix)
{
    return formatted(matrix)->kinds;
}

/* Bytes of the list of long rows, and of their entries unless the format reads them from CSR. */
static uint64_t long_row_bytes(const vks_matrix *A)
{
    const struct long_rows *w = &A->long_rows;
    uint64_t entry = 4 + value_bytes(matrix_precision(A));
    return w->bits.bytes + w->list.bytes + w->start.bytes + w->several_head.bytes + w->many_head.bytes +
           w->sum.bytes + (A->ops->to_csr ? w->entries * entry : 0);
}

uint64_t vks_matrix_format_bytes(const vks_matrix *matrix)
{
    const vks_matrix *A = formatted(matrix);
    return A->ops->bytes(A) + long_row_bytes(A);
}

/* Sets values in CSR order. */
static vks_status set_values(vks_matrix *matrix, vks_precision of_values, const void *val)
{
    vks_status s;
    if (matrix_in_pairs(matrix)) {
        s = matrix_upload_values(matrix, &matrix->val, of_values, val);
        matrix->values_taken++;
        return s ? s : matrix_round_again(matrix, matrix->rounded);
    }
    s = csr_acquire_wide(matrix);
    IF_OK(s, matrix_upload_values(matrix, wide_values(matrix), of_values, val));
    return values_end(matrix, s);
}

vks_status vks_matrix_set_values(vks_matrix *matrix, vks_precision of_values, const void *val)
{
    struct message *m = context_begin(matrix->context);
    vks_status s = context_check_values(matrix->context, of_values);
    void *sorted = NULL;
    if (!s && matrix->order)
        s = unsorted_values(m, matrix->order, matrix->csr.entries, of_values, val, &sorted);
    IF_OK(s, set_values(matrix, of_values, sorted ? sorted : val));
    free(sorted);
    return s;
}

vks_status vks_matrix_to_csr(const vks_matrix *matrix, uint32_t *row, uint32_t *col, vks_precision of_values,
                             void *val)
{
    const struct csr *A = &matrix->csr;
    struct device *d = matrix->context->device;
    context_begin(matrix->context);
    vks_status s = context_check_values(matrix->context, of_values);
    if (s)
        return s;
    if (!matrix_in_pairs(matrix))
        s = csr_acquire(matrix);
    if (!s && row)
        s = device_read(d, &matrix->row, 0, row, 4 * ((uint64_t)A->n + 1));
    if (!s && col)
        s = device_read(d, &matrix->col, 0, col, 4 * (uint64_t)A->entries);
    if (!s && val)
        s = download_values(d, &matrix->val, public_precision(values_precision(matrix)), 0, A->entries,
                            of_values, val);
    csr_release(matrix);
    return s;
}

vks_status matrix_to_host(const vks_matrix *A, struct host_csr *out)
{
    size_t n = A->csr.n, entries = A->csr.entries;
    *out = (struct host_csr){A->csr.n, A->csr.cols, malloc(4 * (n + 1)), malloc(4 * entries + 1),
                             malloc(8 * entries + 1)};
    vks_status s = out->row && out->col && out->val
                       ? VKS_OK
                       : fail_memory(&A->context->message, "a copy of the matrix", 12 * (uint64_t)entries);
    IF_OK(s, vks_matrix_to_csr(A, out->row, out->col, VKS_F64, out->val));
    if (s)
        host_csr_free(out);
    return s;
}

vks_status vks_matrix_write(const vks_matrix *matrix, const char *path)
{
    struct message *m = context_begin(matrix->context);
    struct host_csr a;
    vks_status s = matrix_to_host(matrix, &a);
    IF_OK(s, market_write_csr(m, path, &a, false));
    host_csr_free(&a);
    return s;
}
