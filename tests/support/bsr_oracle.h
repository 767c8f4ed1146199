/* An oracle for what BSR stores: it finds blocks from the columns of the rows. */
#ifndef VKS_TESTS_BSR_ORACLE_H
#define VKS_TESTS_BSR_ORACLE_H

#include "tests/support/cases/long.h"

#include "tests/support/matrix.h"

struct bsr_oracle {
    uint32_t slices, block_slices, blocks, partial;
    uint32_t *slice, *block; /* offsets; two if there is no slice */
    uint32_t *first, *mask;  /* places, and words * places */
    uint32_t words;          /* of a mask */
    double *val;
};

static inline void bsr_oracle_free(struct bsr_oracle *o)
{
    free(o->slice);
    free(o->block);
    free(o->first);
    free(o->mask);
    free(o->val);
}

/* A block of a block row: its number, and a bit for each entry as it must be stored. */
struct oracle_block {
    uint32_t J;
    uint64_t mask;
};

static inline int by_block_column(const void *a, const void *b)
{
    uint32_t x = ((const struct oracle_block *)a)->J, y = ((const struct oracle_block *)b)->J;
    return (x > y) - (x < y);
}

/* The blocks of block row I, in order: one for each entry, sorted, with equal ones merged. */
static inline struct oracle_block *blocks_of(const struct host_csr *A, uint32_t size, uint32_t I,
                                             uint32_t *count)
{
    uint32_t from = I * size, to = from + size < A->rows ? from + size : A->rows, n = 0, kept = 0;
    struct oracle_block *b = room(A->row[to] - A->row[from], sizeof *b);
    for (uint32_t i = from; i < to; i++)
        for (uint32_t k = A->row[i]; k < A->row[i] + short_length(A, i); k++) {
            uint32_t r = i - from, bit = (r < 4 ? r * size : 32 + (r - 4) * size) + A->col[k] % size;
            b[n++] = (struct oracle_block){A->col[k] / size, (uint64_t)1 << bit};
        }
    qsort(b, n, sizeof *b, by_block_column);
    for (uint32_t k = 0; k < n; k++)
        if (kept && b[kept - 1].J == b[k].J)
            b[kept - 1].mask |= b[k].mask;
        else
            b[kept++] = b[k];
    *count = kept;
    return b;
}

/* Whether the block lacks an entry that would lie within the matrix. */
static inline bool is_partial(const struct host_csr *A, uint32_t size, uint32_t I,
                              const struct oracle_block *b)
{
    uint32_t rows = 0, cols = A->cols - b->J * size;
    for (uint32_t i = I * size; i < (I + 1) * size && i < A->rows; i++)
        rows += A->row[i + 1] - A->row[i] <= 256;
    return (uint32_t)__builtin_popcountll(b->mask) < rows * (cols < size ? cols : size);
}

static inline void bsr_oracle_measure(const struct host_csr *A, uint32_t size, struct bsr_oracle *o)
{
    for (uint32_t s = 0; s < o->slices; s++) {
        uint32_t longest = 0;
        for (uint32_t i = 32 * s; i < 32 * (s + 1) && i < A->rows; i++)
            longest = short_length(A, i) > longest ? short_length(A, i) : longest;
        o->slice[s + 1] = o->slice[s] + 32 * longest;
    }
    for (uint32_t s = 0; s < o->block_slices; s++) {
        uint32_t most = 0;
        for (uint32_t I = 32 * s; I < 32 * (s + 1) && I * size < A->rows; I++) {
            uint32_t count;
            struct oracle_block *b = blocks_of(A, size, I, &count);
            for (uint32_t q = 0; q < count; q++)
                o->partial |= is_partial(A, size, I, &b[q]);
            free(b);
            o->blocks += count;
            most = count > most ? count : most;
        }
        o->block[s + 1] = o->block[s] + 32 * most;
    }
}

static inline void bsr_oracle_fill(const struct host_csr *A, uint32_t size, struct bsr_oracle *o)
{
    for (uint32_t I = 0; I * size < A->rows; I++) {
        uint32_t s = I / 32, count;
        struct oracle_block *b = blocks_of(A, size, I, &count);
        for (uint32_t q = 0; q < count; q++) {
            o->first[o->block[s] + 32 * q + I % 32] = b[q].J * size;
            for (uint32_t w = 0; w < o->words; w++)
                o->mask[o->words * o->block[s] + 32 * (o->words * q + w) + I % 32] =
                    (uint32_t)(b[q].mask >> 32 * w);
        }
        free(b);
    }
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i] + short_length(A, i); k++)
            o->val[o->slice[i / 32] + (size_t)32 * (k - A->row[i]) + i % 32] = A->val[k];
}

static inline struct bsr_oracle bsr_oracle(const struct host_csr *A, uint32_t size)
{
    struct bsr_oracle o = {.slices = (A->rows + 31) / 32,
                           .block_slices = (A->rows + 32 * size - 1) / (32 * size),
                           .words = size > 4 ? 2 : 1};
    o.slice = room((size_t)o.slices + 2, 4);
    o.block = room((size_t)o.block_slices + 2, 4);
    bsr_oracle_measure(A, size, &o);
    o.first = room(o.block[o.block_slices], 4);
    o.mask = room((size_t)o.words * o.block[o.block_slices], 4);
    o.val = room(o.slice[o.slices], 8);
    bsr_oracle_fill(A, size, &o);
    return o;
}

/* Full blocks, up to `most` in a block row; some block rows are empty, and blocks at the edges are cut
 * off. */
static inline struct host_csr blocked_csr(enum precision p, uint32_t rows, uint32_t cols, uint32_t size,
                                          uint32_t most, uint64_t seed)
{
    uint32_t across = cols / size + (cols % size != 0);
    most = most < across ? most : across;
    struct host_csr a = new_csr(rows, cols, (size_t)rows * most * size);
    uint32_t *J = room(most, 4), k = 0;
    for (uint32_t I = 0; I * size < rows; I++) {
        uint32_t count = random_below(&seed, most + 1);
        random_columns(&seed, J, count, across);
        for (uint32_t i = I * size; i < (I + 1) * size && i < rows; i++) {
            for (uint32_t q = 0; q < count; q++)
                for (uint32_t c = J[q] * size; c < (J[q] + 1) * size && c < cols; c++) {
                    a.col[k] = c;
                    a.val[k++] = random_wide(&seed, p, 20);
                }
            a.row[i + 1] = k;
        }
    }
    free(J);
    return a;
}

/* A with each entry replaced by a block: positive definite if A is. */
static inline struct host_csr kron_csr(const struct host_csr *A, uint32_t size)
{
    struct host_csr a = new_csr(A->rows * size, A->cols * size, host_csr_entries(A) * size * size);
    uint32_t to = 0;
    for (uint32_t i = 0; i < a.rows; i++) {
        for (uint32_t k = A->row[i / size]; k < A->row[i / size + 1]; k++)
            for (uint32_t c = 0; c < size; c++) {
                a.col[to] = A->col[k] * size + c;
                a.val[to++] = A->val[k] * (c == i % size ? 16 : 1);
            }
        a.row[i + 1] = to;
    }
    return a;
}

#endif
