/* Transfers of dense matrices between host and device. A buffer of some rows converts leading dimension and
 * precision. */
#include "dense/dense.h"
#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 1 << 22 };

/* A buffer of some rows in the device's layout. */
struct piece {
    uint32_t rows;  /* at a time */
    uint64_t bytes; /* of a row */
    char *at;
};

static vks_status piece_make(const vks_dense *A, struct piece *p)
{
    p->bytes = (uint64_t)A->ld * real_bytes(precision_of(A->precision));
    p->rows = p->bytes < PIECE_BYTES ? (uint32_t)(PIECE_BYTES / (p->bytes + 1)) + 1 : 1;
    if (p->rows > A->rows)
        p->rows = A->rows;
    p->at = calloc(p->rows * p->bytes + 1, 1); /* + 1: so that NULL is a failure */
    return p->at ? VKS_OK : fail_memory(&A->context->message, "rows of a dense matrix", p->rows * p->bytes);
}

static vks_status check(const vks_dense *A, vks_precision of_values, size_t *values_ld)
{
    TRY(context_check_values(A->context, of_values));
    if (*values_ld == 0)
        *values_ld = A->cols;
    if (*values_ld < A->cols)
        return fail(&A->context->message, VKS_INVALID_ARGUMENT, "a leading dimension of %zu for %u columns",
                    *values_ld, A->cols);
    return VKS_OK;
}

static bool same_layout(const vks_dense *A, vks_precision of_values, size_t values_ld)
{
    return of_values == A->precision && values_ld == A->ld && A->ld == A->cols;
}

static uint32_t at_most(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The host's side: one of from and to is NULL. */
struct values {
    vks_precision precision;
    size_t row_bytes;
    const char *from;
    char *to;
};

/* Moves row i of A between the host and its copy in a piece. */
static void move_row(const vks_dense *A, const struct values *v, size_t i, char *copy)
{
    if (v->from)
        convert_values(v->precision, v->from + i * v->row_bytes, A->precision, copy, A->cols);
    else
        convert_values(A->precision, copy, v->precision, v->to + i * v->row_bytes, A->cols);
}

/* Moves all rows in pieces: into `memory`, which is A's, or from A if the host reads. */
static vks_status move_rows(const vks_dense *A, struct memory *memory, const struct values *v)
{
    struct device *d = A->context->device;
    struct piece p;
    vks_status s = piece_make(A, &p);
    for (uint32_t i = 0; !s && i < A->rows; i += p.rows) {
        uint32_t some = at_most(p.rows, A->rows - i);
        if (v->to)
            s = device_read(d, &A->memory, i * p.bytes, p.at, some * p.bytes);
        for (uint32_t k = 0; !s && k < some; k++)
            move_row(A, v, i + k, p.at + k * p.bytes);
        if (!s && v->from)
            s = device_write(d, memory, i * p.bytes, p.at, some * p.bytes);
    }
    free(p.at);
    return s;
}

vks_status vks_dense_set(vks_dense *A, vks_precision of_values, const void *values, size_t values_ld)
{
    context_begin(A->context);
    TRY(check(A, of_values, &values_ld));
    if (same_layout(A, of_values, values_ld))
        return device_write(A->context->device, &A->memory, 0, values, A->memory.bytes);
    struct values v = {of_values, values_ld * real_bytes(precision_of(of_values)), .from = values};
    return move_rows(A, &A->memory, &v);
}

vks_status vks_dense_get(const vks_dense *A, vks_precision of_values, void *values, size_t values_ld)
{
    context_begin(A->context);
    TRY(check(A, of_values, &values_ld));
    if (same_layout(A, of_values, values_ld))
        return device_read(A->context->device, &A->memory, 0, values, A->memory.bytes);
    struct values v = {of_values, values_ld * real_bytes(precision_of(of_values)), .to = values};
    return move_rows(A, NULL, &v);
}

vks_status vks_dense_from_array(vks_context *context, uint32_t rows, uint32_t cols, vks_precision precision,
                                vks_precision of_values, const void *values, size_t values_ld, vks_dense **A)
{
    context_begin(context);
    vks_status s = dense_new(context, rows, cols, 0, precision, A);
    IF_OK(s, vks_dense_set(*A, of_values, values, values_ld));
    if (s) {
        vks_dense_destroy(*A);
        *A = NULL;
    }
    return s;
}
