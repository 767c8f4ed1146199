/* Matrices of small dense blocks in host memory: random ones, and the same in CSR with all entries of all
 * blocks. */
#ifndef VKS_TESTS_HOST_BLOCKS_H
#define VKS_TESTS_HOST_BLOCKS_H

#include "tests/support/matrix.h"

struct host_blocks {
    const struct host_csr *pattern; /* of blocks; its values are unused */
    uint32_t br, bc;
    double *val; /* block by block, each by rows */
};

static inline uint32_t host_blocks_elements(const struct host_blocks *b)
{
    return b->pattern->row[b->pattern->rows] * b->br * b->bc;
}

/* Every seventh element is a zero of either sign. */
static inline struct host_blocks host_blocks_of(enum precision p, const struct host_csr *pattern, uint32_t br,
                                                uint32_t bc, uint64_t seed)
{
    struct host_blocks b = {pattern, br, bc, NULL};
    uint32_t elements = host_blocks_elements(&b);
    b.val = room(elements, sizeof *b.val);
    for (uint32_t t = 0; t < elements; t++)
        b.val[t] = t % 7 ? random_wide(&seed, p, 3) : t % 2 ? 0.0 : -0.0;
    return b;
}

/* The place in CSR of row r, column c of block q, which is in block row i. */
static inline uint32_t place_in_csr(const struct host_blocks *b, uint32_t i, uint32_t q, uint32_t r,
                                    uint32_t c)
{
    uint32_t begin = b->pattern->row[i], length = b->pattern->row[i + 1] - begin;
    return (begin * b->br + r * length + (q - begin)) * b->bc + c;
}

static inline struct host_csr host_blocks_expand(const struct host_blocks *b)
{
    const struct host_csr *a = b->pattern;
    struct host_csr e = new_csr(a->rows * b->br, a->cols * b->bc, host_blocks_elements(b));
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t r = 0; r < b->br; r++) {
            e.row[i * b->br + r + 1] = e.row[i * b->br + r] + (a->row[i + 1] - a->row[i]) * b->bc;
            for (uint32_t q = a->row[i]; q < a->row[i + 1]; q++)
                for (uint32_t c = 0; c < b->bc; c++) {
                    uint32_t at = place_in_csr(b, i, q, r, c);
                    e.col[at] = a->col[q] * b->bc + c;
                    e.val[at] = b->val[(q * b->br + r) * b->bc + c];
                }
        }
    return e;
}

/* Values of CSR with all entries of all blocks of `b`, reordered block by block. */
static inline void values_by_blocks(const struct host_blocks *b, const double *val, double *to)
{
    for (uint32_t i = 0; i < b->pattern->rows; i++)
        for (uint32_t q = b->pattern->row[i]; q < b->pattern->row[i + 1]; q++)
            for (uint32_t r = 0; r < b->br; r++)
                for (uint32_t c = 0; c < b->bc; c++)
                    *to++ = val[place_in_csr(b, i, q, r, c)];
}

/* Row i of A x as spmv_blocks sums it: by `lanes` lanes, or by 256 if each would have more than 256 terms. */
static inline double row_of_blocks(enum precision p, const struct host_csr *A, const double *x, uint32_t i,
                                   uint32_t lanes)
{
    double v[256] = {0};
    uint32_t by = A->row[i + 1] - A->row[i] > 256 * lanes ? 256 : lanes;
    for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
        double *lane = &v[(k - A->row[i]) % by];
        *lane = rounded(p, *lane + rounded(p, A->val[k] * x[A->col[k]]));
    }
    for (uint32_t half = by / 2; half >= 1; half /= 2)
        for (uint32_t l = 0; l < half; l++)
            v[l] = rounded(p, v[l] + v[l + half]);
    return v[0];
}

/* CSR with the nonzero entries of the blocks; -0 becomes 0 in the blocks, too. */
static inline struct host_csr host_blocks_drop_zeros(struct host_blocks *b)
{
    struct host_csr e = host_blocks_expand(b);
    uint32_t to = 0;
    for (uint32_t i = 0, k = 0; i < e.rows; i++) {
        for (; k < e.row[i + 1]; k++)
            if (e.val[k] != 0) {
                e.col[to] = e.col[k];
                e.val[to++] = e.val[k];
            }
        e.row[i + 1] = to;
    }
    for (uint32_t t = 0; t < host_blocks_elements(b); t++)
        b->val[t] = b->val[t] == 0 ? 0 : b->val[t];
    return e;
}

#endif
