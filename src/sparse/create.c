/* Matrices from validated arrays and triplets. */
#include "entries/host_csr.h"
#include "sparse/matrix.h"
#include "sparse/narrow.h"
#include "vector/vector.h"

#include <stdio.h>
#include <stdlib.h>

vks_status matrix_upload_values(vks_matrix *A, struct memory *to, vks_precision of_values, const void *val)
{
    uint32_t row = 0, col = 0, entries = A->csr.entries;
    uint64_t bad = matrix_in_pairs(A) ? first_out_of_range(of_values, val, entries) : entries;
    if (bad == entries)
        return upload_values(A->context->device, to, vector_precision(A->precision), 0, entries, of_values,
                             val);
    char what[64];
    vks_status s = entry_place(A, (uint32_t)bad, &row, &col);
    snprintf(what, sizeof what, "row %u, column %u, counted from 1", row + 1, col + 1);
    return s ? s : fail_range(A->context, what, ((const double *)val)[bad]);
}

static vks_status upload(struct device *d, vks_matrix *A, const uint32_t *row, const uint32_t *col,
                         const void *val, vks_precision of_values)
{
    uint32_t rows = A->csr.n, entries = A->csr.entries;
    static const uint32_t no_rows = 0;
    TRY(device_write(d, &A->row, 0, rows ? row : &no_rows, 4 * ((uint64_t)rows + 1)));
    TRY(device_write(d, &A->col, 0, col, 4 * (uint64_t)entries));
    return matrix_upload_values(A, &A->val, of_values, val);
}

vks_status matrix_from_arrays(vks_context *context, const struct host_csr *a, const void *val,
                              vks_precision of_values, const vks_matrix_options *o, vks_matrix **matrix)
{
    vks_matrix *A = NULL;
    vks_status s = matrix_begin(context, o->precision, a->rows, a->cols, &A);
    if (!s) {
        A->lanes = o->lanes;
        s = matrix_room(A, (uint32_t)host_csr_entries(a));
    }
    IF_OK(s, upload(context->device, A, a->row, a->col, val, of_values));
    return matrix_end_as(A, s, &o->storage, matrix);
}

vks_status matrix_from_triplets(vks_context *context, const struct triplets *t, const vks_matrix_options *o,
                                vks_matrix **matrix)
{
    struct host_csr a = {0};
    vks_status s = host_csr_assemble(&context->message, t, &a);
    IF_OK(s, matrix_from_arrays(context, &a, a.val, VKS_F64, o, matrix));
    host_csr_free(&a);
    return s;
}
