/* Conversion from sparse to dense, on the device, and from dense to sparse, on the host. */
#include "abi/abi.h"
#include "dense/dense.h"
#include "dense/verbs.h"
#include "sparse/matrix.h"

#include <stdlib.h>

vks_status vks_dense_from_matrix(const vks_matrix *S, vks_dense **A)
{
    context_begin(S->context);
    struct rec r = rec_once(S->context->device, matrix_precision(S));
    *A = NULL;
    vks_status s = csr_acquire(S);
    IF_OK(s, vks_dense_create(S->context, S->csr.n, S->csr.cols, 0, vector_precision(S->precision), A));
    if (!s) {
        dense_from_csr(&r, S->csr.row, S->csr.col, S->csr.val, S->csr.entries, dense_block(*A));
        s = rec_run(&r);
    }
    rec_destroy(&r);
    csr_release(S);
    if (s) {
        vks_dense_destroy(*A);
        *A = NULL;
    }
    return s;
}

static vks_status room(struct message *m, size_t count, size_t size, void **at)
{
    *at = malloc((count + 1) * size); /* + 1: so that NULL means failure */
    return *at ? VKS_OK : fail_memory(m, "a sparse copy of a dense matrix", count * size);
}

/* Counts nonzero elements into row offsets; the last offset is their number. */
static void count_entries(const vks_dense *A, const double *values, uint32_t *row)
{
    row[0] = 0;
    for (uint32_t i = 0; i < A->rows; i++) {
        row[i + 1] = row[i];
        for (uint32_t j = 0; j < A->cols; j++)
            row[i + 1] += values[(size_t)i * A->cols + j] != 0;
    }
}

/* Packs the values in place. */
static void pack_entries(const vks_dense *A, double *values, uint32_t *col)
{
    size_t k = 0;
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t j = 0; j < A->cols; j++) {
            double v = values[(size_t)i * A->cols + j];
            if (v != 0) {
                values[k] = v;
                col[k++] = j;
            }
        }
}

vks_status vks_dense_to_matrix_as(uint32_t header, const vks_dense *A, const vks_matrix_options *options,
                                  vks_matrix **S)
{
    struct message *m = &A->context->message;
    vks_matrix_options o = vks_matrix_options_in(header, options);
    void *values = NULL, *row = NULL, *col = NULL;
    if (!options)
        o.precision = A->precision;
    o.of_values = VKS_F64;
    *S = NULL;
    vks_status s = context_begin_as(A->context, header);
    IF_OK(s, room(m, (size_t)A->rows * A->cols, sizeof(double), &values));
    IF_OK(s, room(m, (size_t)A->rows + 1, 4, &row));
    IF_OK(s, vks_dense_get(A, VKS_F64, values, 0));
    if (!s) {
        count_entries(A, values, row);
        s = room(m, ((uint32_t *)row)[A->rows], 4, &col);
    }
    if (!s) {
        pack_entries(A, values, col);
        s = vks_matrix_from_csr(A->context, A->rows, A->cols, row, col, values, &o, S);
    }
    free(values);
    free(row);
    free(col);
    return s;
}
