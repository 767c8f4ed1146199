/* The cases of the kernels of BSR, through their verbs. */
#ifndef VKS_TESTS_BSR_CASES_H
#define VKS_TESTS_BSR_CASES_H

#include "sparse/bsr.h"
#include "tests/support/bsr_oracle.h"
#include "tests/support/cases/long.h"

/* The job's block size, or one derived from the number of rows. */
static inline uint32_t bsr_size(const struct job *j)
{
    return j->size ? j->size : 2 + j->n % 7;
}

/* Slice sizes before they become offsets, and totals that are added to. */
static inline void record_bsr_measure(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t size = bsr_size(j), slices = (j->n + 31) / 32, of_blocks = (j->n + 32 * size - 1) / (32 * size);
    uint32_t *none = room(slices, 4);
    const struct memory *slice = put_words(j, none, slices, "sizes of slices"),
                        *block = put_words(j, none, of_blocks, "blocks of slices"),
                        *totals = put_words(j, (uint32_t[]){5, 0}, 2, "totals");
    compared_words(j, slice, slices);
    compared_words(j, block, of_blocks);
    compared_words(j, totals, 2);
    bsr_measure(&j->r, A, size, words_at(slice), words_at(block), words_at(totals));
    free(none);
}

static inline void expect_bsr_measure(const struct job *j, double *want)
{
    uint32_t size = bsr_size(j);
    struct bsr_oracle o = bsr_oracle(j->A, size);
    for (uint32_t s = 0; s < o.slices; s++)
        want[s] = o.slice[s + 1] - o.slice[s];
    for (uint32_t s = 0; s < o.block_slices; s++)
        want[o.slices + s] = o.block[s + 1] - o.block[s];
    double *totals = want + o.slices + o.block_slices;
    totals[0] = 5 + o.blocks;
    totals[1] = o.partial;
    bsr_oracle_free(&o);
}

/* The matrix in CSR and, once the recording has run, in blocks. */
static inline const struct bsr *put_blocks(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t size = bsr_size(j);
    put_longs(j);
    struct bsr_oracle o = bsr_oracle(j->A, size);
    uint32_t places = o.block[o.block_slices];
    struct bsr *B = &j->bsr;
    *B = (struct bsr){.n = A->n,
                      .cols = A->cols,
                      .entries = short_entries(A),
                      .size = size,
                      .lanes = A->lanes,
                      .blocks = o.blocks,
                      .stored = o.slice[o.slices],
                      .row = A->row};
    B->slice = words_at(put_words(j, o.slice, o.slices ? o.slices + (uint64_t)1 : 2, "slice offsets"));
    B->block = words_at(put_words(j, o.block, o.slices ? o.block_slices + (uint64_t)1 : 2, "block offsets"));
    B->first = words_at(j->first = new_bytes(j, 4 * (uint64_t)places, "columns of blocks"));
    if (o.partial)
        B->mask = words_at(j->mask = new_bytes(j, 4 * (uint64_t)o.words * places, "masks of blocks"));
    B->val = new_values(j, B->stored, "values of blocks");
    moving(j);
    bsr_blocks(&j->r, A, B);
    csr_to_bsr(&j->r, A, B);
    bsr_oracle_free(&o);
    return B;
}

static inline void record_bsr_blocks(struct job *j)
{
    const struct bsr *B = put_blocks(j);
    struct bsr_oracle o = bsr_oracle(j->A, B->size);
    compared_words(j, j->first, o.block[o.block_slices]);
    if (B->mask)
        compared_words(j, j->mask, (uint64_t)o.words * o.block[o.block_slices]);
    bsr_oracle_free(&o);
}

static inline void expect_bsr_blocks(const struct job *j, double *want)
{
    struct bsr_oracle o = bsr_oracle(j->A, bsr_size(j));
    uint32_t places = o.block[o.block_slices];
    for (uint32_t k = 0; k < places; k++)
        want[k] = o.first[k];
    for (uint64_t k = 0; o.partial && k < (uint64_t)o.words * places; k++)
        want[places + k] = o.mask[k];
    bsr_oracle_free(&o);
}

static inline void record_csr_to_bsr(struct job *j)
{
    uint32_t stored = put_blocks(j)->stored;
    compared(j, &j->arrays[j->array_count - 1], j->p, stored); /* the one made last */
}

static inline void expect_csr_to_bsr(const struct job *j, double *want)
{
    struct bsr_oracle o = bsr_oracle(j->A, bsr_size(j));
    memcpy(want, o.val, o.slice[o.slices] * sizeof *want);
    bsr_oracle_free(&o);
}

/* The reverse, into other arrays of CSR, whose places of long rows stay unchanged. */
static inline void record_bsr_to_csr(struct job *j)
{
    const struct bsr *A = put_blocks(j);
    struct csr B = put_empty_csr(j);
    bsr_to_csr(&j->r, A, &B);
}

static inline void expect_bsr_to_csr(const struct job *j, double *want)
{
    expect_short_rows(j, want);
}

static inline void record_spmv_bsr(struct job *j)
{
    const struct bsr *A = put_blocks(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, j->n, "y");
    computing(j);
    if (j->csr.longs)
        spmv_long(&j->r, &j->csr, job_x(j, x), job_vec(j, y));
    spmv_bsr(&j->r, A, job_x(j, x), job_vec(j, compared(j, y, j->p, j->n)));
}

static inline void expect_spmv_bsr(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = canonical_row(j->p, j->A, j->x, i, j->lanes);
}

#define BSR_CASES(X)                                       \
    X(bsr_measure, .sparse = true, .once = true)           \
    X(bsr_blocks, .sizes = &sizes_of_slow, .sparse = true) \
    X(csr_to_bsr, .sizes = &sizes_of_slow, .sparse = true) \
    X(bsr_to_csr, .sparse = true)                          \
    X(spmv_bsr, .sizes = &sizes_of_slow, .sparse = true)

#endif
