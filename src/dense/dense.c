#include "dense/dense.h"
#include "vector/vector.h"

#include <stdlib.h>

vks_status dense_check_size(struct message *m, uint32_t rows, uint32_t cols, uint32_t ld)
{
    if (ld < cols)
        return fail(m, VKS_INVALID_ARGUMENT, "a leading dimension of %u for %u columns", ld, cols);
    if (rows > VKS_LARGEST_INDEX || (uint64_t)rows * ld > VKS_LARGEST_INDEX || ld > VKS_LARGEST_INDEX)
        return fail(m, VKS_LIMIT, "a dense matrix of %u rows of %u elements; the most is %u elements", rows,
                    ld, VKS_LARGEST_INDEX);
    return VKS_OK;
}

/* Refuses rows that a software device would not finish: it silently ends the loops of an invocation after a
 * number of turns (docs/gpu.md). */
static vks_status check_software(const struct device *d, uint32_t cols)
{
    enum { MOST_COLUMNS = 1 << 20 };
    if (d->info.kind != DEVICE_SOFTWARE || cols <= MOST_COLUMNS)
        return VKS_OK;
    return fail(
        d->message, VKS_LIMIT,
        "a dense matrix of %u columns; on %s, a software device, the most is %d (the host takes more)", cols,
        d->info.name, MOST_COLUMNS);
}

vks_status dense_new(vks_context *context, uint32_t rows, uint32_t cols, uint32_t ld, vks_precision precision,
                     vks_dense **A)
{
    struct message *m = &context->message;
    *A = NULL;
    ld = ld ? ld : cols;
    TRY(context_check_arithmetic(context, precision));
    TRY(dense_check_size(m, rows, cols, ld));
    TRY(check_software(context->device, cols));
    vks_dense *a = calloc(1, sizeof *a);
    if (!a)
        return fail_memory(m, "a dense matrix", sizeof *a);
    *a = (vks_dense){.context = context, .precision = precision, .rows = rows, .cols = cols, .ld = ld};
    uint64_t bytes = (uint64_t)rows * ld * real_bytes(precision_of(precision));
    vks_status s = device_allocate(context->device, MEMORY_DEVICE, bytes, "a dense matrix", &a->memory);
    if (s) {
        free(a);
        return s;
    }
    context_retain(context);
    *A = a;
    return VKS_OK;
}

vks_status vks_dense_create(vks_context *context, uint32_t rows, uint32_t cols, uint32_t ld,
                            vks_precision precision, vks_dense **A)
{
    context_begin(context);
    vks_status s = dense_new(context, rows, cols, ld, precision, A);
    IF_OK(s, fill_by_call(context, precision, block_reals(dense_block(*A)), (*A)->rows * (*A)->ld, 0));
    if (s) {
        vks_dense_destroy(*A);
        *A = NULL;
    }
    return s;
}

void vks_dense_destroy(vks_dense *A)
{
    if (!A)
        return;
    device_release(A->context->device, &A->memory);
    context_release(A->context);
    free(A);
}

uint32_t vks_dense_rows(const vks_dense *A)
{
    return A->rows;
}

uint32_t vks_dense_cols(const vks_dense *A)
{
    return A->cols;
}

uint32_t vks_dense_ld(const vks_dense *A)
{
    return A->ld;
}

vks_precision vks_dense_precision(const vks_dense *A)
{
    return A->precision;
}
