/* Balanced CSR: tasks of like size, for rows of very different lengths. Its entries are those of CSR, long
 * rows included. */
#ifndef VKS_SPARSE_BALANCED_H
#define VKS_SPARSE_BALANCED_H

#include "../../shaders/sparse/balanced.h"
#include "sparse/matrix.h"

/* The flags of tasks, of which there are two for each row. */
static inline void balanced_flags(struct rec *r, const struct csr *A, u32s flag)
{
    run(r, balanced_flags, groups_each(A->n), .row = A->row, .flag = flag, .n = A->n);
    bill(r, 12 * (uint64_t)A->n);
}

/* The tasks, from the indices of the flags that were set. */
static inline void balanced_tasks(struct rec *r, const struct csr *A, u32s flag, u32s task, uint32_t tasks)
{
    run(r, balanced_tasks, groups_each(tasks), .row = A->row, .flag = flag, .task = task, .n = A->n,
        .tasks = tasks);
    bill(r, 20 * (uint64_t)tasks + 4 * (uint64_t)A->n);
}

/* y = A x; within a solve only while its state is alive (c NULL: always) */
static inline void spmv_balanced(struct rec *r, control c, const struct csr *A, u32s task, uint32_t tasks,
                                 reals x, reals y)
{
    const struct long_rows *w = A->longs;
    uint32_t pieces = w ? w->pieces : 0;
    run(r, spmv_balanced, ((uint64_t)pieces + 7) / 8 + ((uint64_t)tasks + 7) / 8, .c = c, .row = A->row,
        .col = A->col, .val = A->val, .x = x, .y = y, .task = task,
        .list = pieces ? long_words(&w->list) : NULL, .sum = pieces ? (sums)(uintptr_t)w->sum.address : NULL,
        .lanes = A->lanes, .tasks = tasks, .pieces = pieces);
    bill(r, csr_bytes(r, A) + 16 * ((uint64_t)tasks + pieces) + vector_bytes(r, A->cols) +
                vector_bytes(r, A->n));
    if (pieces)
        long_rest(r, c, w, y);
}

#endif
