/* Creation and destruction of a matrix. */
#include "sparse/matrix.h"

#include <stdlib.h>

uint32_t vks_lanes_of(uint64_t rows, uint64_t entries)
{
    uint64_t mean = rows ? entries / rows : 0;
    uint32_t lanes = 1;
    while (lanes < 32 && 12 * lanes <= mean)
        lanes *= 2;
    return lanes;
}

vks_status matrix_begin(vks_context *context, vks_precision precision, uint32_t rows, uint32_t cols,
                        vks_matrix **matrix)
{
    vks_matrix *A = *matrix = calloc(1, sizeof *A);
    if (!A)
        return fail_memory(&context->message, "a matrix", sizeof *A);
    context_retain(context);
    *A = (vks_matrix){.context = context, .precision = precision};
    vks_status s =
        device_allocate(context->device, MEMORY_DEVICE, 4 * ((uint64_t)rows + 1), "row offsets", &A->row);
    A->csr = (struct csr){.n = rows, .cols = cols, .row = (u32s)(uintptr_t)A->row.address};
    return s;
}

vks_status matrix_room(vks_matrix *A, uint32_t entries)
{
    struct device *d = A->context->device;
    uint64_t value = value_bytes(matrix_precision(A));
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)entries, "column indices", &A->col);
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, value * entries, "matrix values", &A->val));
    A->csr.entries = entries;
    A->csr.lanes = A->lanes ? A->lanes : csr_lanes(A->csr.n, entries);
    A->csr.col = (u32s)(uintptr_t)A->col.address;
    A->csr.val = (values)(uintptr_t)A->val.address;
    return s;
}

void transposed_release(struct transposed *t, struct device *d)
{
    device_release(d, &t->place);
    vks_matrix_destroy(t->T);
    *t = (struct transposed){0};
}

void vks_matrix_destroy(vks_matrix *matrix)
{
    if (!matrix)
        return;
    if (matrix->kept) {
        matrix->kept--;
        return;
    }
    struct device *d = matrix->context->device;
    device_release(d, &matrix->row);
    device_release(d, &matrix->col);
    device_release(d, &matrix->val);
    device_release(d, &matrix->wide);
    format_release(matrix);
    vks_matrix_destroy(matrix->rounded);
    long_rows_destroy(d, &matrix->long_rows);
    transposed_release(&matrix->transposed, d);
    context_release(matrix->context);
    free(matrix->order);
    free(matrix);
}
