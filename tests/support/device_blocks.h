/* Matrices of small dense blocks on a device, compared with the same in CSR. */
#ifndef VKS_TESTS_DEVICE_BLOCKS_H
#define VKS_TESTS_DEVICE_BLOCKS_H

#include "sparse/blocks.h"
#include "tests/support/device_matrix.h"
#include "tests/support/host_blocks.h"

enum { SHAPES = 6, LONG_ROW_BLOCKS = 1200 };

/* The pattern of blocks, by the number of the shape. */
static inline struct host_csr pattern_of(uint32_t shape, uint32_t cols)
{
    uint32_t lengths[40];
    for (uint32_t i = 0; i < 40; i++)
        lengths[i] = i == 20 ? cols : i % 3;
    switch (shape) {
    case 0:
        return random_csr(PRECISION_F64, 50, cols, 6, 1);
    case 1: /* one row of blocks */
        return csr_of_lengths(PRECISION_F64, 1, cols, (uint32_t[]){(cols + 1) / 2}, 2);
    case 2: /* one row is full, every third is empty */
        return csr_of_lengths(PRECISION_F64, 40, cols, lengths, 3);
    case 3: /* rows with about as many blocks as a squad takes */
        return random_csr(PRECISION_F64, 33, cols, 25, 4);
    case 4: /* no blocks */
        return random_csr(PRECISION_F64, 9, cols, 0, 5);
    default: /* no rows */
        return random_csr(PRECISION_F64, 0, cols, 0, 6);
    }
}

static const vks_format_options in_csr = {.format = VKS_FORMAT_CSR};

static inline void write_words(vks_context *c, struct memory *m, const uint32_t *v, uint64_t count)
{
    must_work(c, device_write(c->device, m, 0, v, 4 * count));
}

static inline void write_values(vks_context *c, const struct host_blocks *b, enum precision p,
                                struct blocks *B)
{
    must_work(c, upload_values(c->device, &B->val, public_precision(p), 0, host_blocks_elements(b), VKS_F64,
                               b->val));
}

static inline struct blocks put_blocks(vks_context *c, const struct host_blocks *b, enum precision p)
{
    const struct host_csr *a = b->pattern;
    struct blocks B;
    must_work(c, blocks_begin(c, p, a->rows, a->cols, b->br, b->bc, &B));
    must_work(c, blocks_room(&B, a->row[a->rows]));
    write_words(c, &B.row, a->row, a->rows + (uint64_t)1);
    write_words(c, &B.col, a->col, a->row[a->rows]);
    write_values(c, b, p, &B);
    return B;
}

/* The blocks, with all their entries, must equal the matrix `want`. */
static inline void must_expand_to(vks_context *c, const struct blocks *B, const struct host_csr *want,
                                  const char *what)
{
    OWNED(vks_matrix) *M = NULL;
    must_work(c, blocks_to_csr(B, &in_csr, &M));
    must_be(c, M, want, what);
}

#endif
