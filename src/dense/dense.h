/* Internals of a vks_dense. */
#ifndef VKS_DENSE_DENSE_H
#define VKS_DENSE_DENSE_H

#include "device/context.h"
#include "device/record.h"
#include "vksolve/dense.h"

struct vks_dense {
    vks_context *context;
    vks_precision precision;
    uint32_t rows, cols, ld;
    struct memory memory;
};

/* A part of a dense matrix on a device, as passed to kernels. */
struct block {
    uint64_t address; /* of its first element */
    uint32_t rows, cols, ld;
};

static inline struct block dense_block(const vks_dense *A)
{
    return (struct block){A->memory.address, A->rows, A->cols, A->ld};
}

/* The rows x cols elements of b from element (row, col) on. */
static inline struct block block_part(const struct rec *r, struct block b, uint32_t row, uint32_t rows,
                                      uint32_t col, uint32_t cols)
{
    uint64_t first = (uint64_t)row * b.ld + col;
    return (struct block){b.address + first * real_bytes(r->precision), rows, cols, b.ld};
}

static inline reals block_reals(struct block b)
{
    return (reals)(uintptr_t)b.address;
}

/* Checks the number of elements in rows of ld; VKS_LIMIT if there are too many. */
vks_status dense_check_size(struct message *m, uint32_t rows, uint32_t cols, uint32_t ld);
/* Like vks_dense_create, but the elements are undefined, and the last message is kept. */
vks_status dense_new(vks_context *context, uint32_t rows, uint32_t cols, uint32_t ld, vks_precision precision,
                     vks_dense **A);

#endif
