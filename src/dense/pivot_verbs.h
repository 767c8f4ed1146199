/* Verbs of Gauss-Jordan elimination, and their state except the matrix. */
#ifndef VKS_DENSE_PIVOT_VERBS_H
#define VKS_DENSE_PIVOT_VERBS_H

#include "dense/verbs.h"
#include "shaders/dense/pivot.h"

/* The state of an elimination of n rows on a device (shaders/dense/pivot.h); lists and panels alternate. */
struct pivots {
    uint32_t n, candidates; /* candidates: in a list */
    uint32_t panel_rows; /* rows of a workgroup if a panel is one dispatch: PIVOT_ROWS or PIVOT_SMALL_ROWS */
    bool co_resident; /* a panel is one dispatch, whose workgroups synchronise through posted and factors */
    u32s state, step, row_of, list[2];
    reals values, panel[2];
    u32s posted;
    reals factors;
};

/* Workgroups that search for a pivot among n rows. */
static inline uint32_t pivot_candidates(const struct device *d, uint32_t n)
{
    uint32_t groups = n ? (n + 15) / 16 : 1, most = d->info.max_groups;
    groups = groups < PIVOT_GROUPS ? groups : PIVOT_GROUPS;
    return groups < most ? groups : most;
}

/* Sets the sizes, but none of the addresses. */
static inline struct pivots pivots_sized(const struct device *d, uint32_t n)
{
    return (struct pivots){.n = n,
                           .candidates = pivot_candidates(d, n),
                           .panel_rows = d->info.few_registers ? PIVOT_SMALL_ROWS : PIVOT_ROWS};
}

static inline enum kernel_id pivot_panel_kernel(const struct pivots *p)
{
    return p->panel_rows == PIVOT_ROWS ? KERNEL_pivot_panel : KERNEL_pivot_panel_small;
}

/* Workgroups that share the rows of a panel. */
static inline uint32_t pivot_panel_groups(const struct pivots *p)
{
    return p->n ? (p->n - 1) / p->panel_rows + 1 : 1;
}

static inline uint64_t pivot_panel_words(enum precision precision, const struct pivots *p)
{
    return 2 * (uint64_t)pivot_panel_groups(p) * PIVOT_POSTED * (real_bytes(precision) / 2);
}

/* Eliminates all columns of a panel, at most PIVOT_WIDTH. Without any, the workgroups only synchronise. */
static inline void pivot_panel(struct rec *r, const struct pivots *p, struct block A, uint32_t first,
                               uint32_t polls)
{
    struct pivot_panel_args args = {.state = p->state,
                                    .step = p->step,
                                    .row_of = p->row_of,
                                    .pivots = p->values,
                                    .A = block_reals(A),
                                    .posted = p->posted,
                                    .factors = p->factors,
                                    .n = p->n,
                                    .width = A.cols,
                                    .first = first,
                                    .ld = A.ld,
                                    .polls = polls};
    _Static_assert(sizeof args == sizeof(struct pivot_panel_small_args), "one list of arguments");
    rec_dispatch(r, pivot_panel_kernel(p), pivot_panel_groups(p), &args, sizeof args);
    bill(r, 2 * block_bytes(r, A) + (uint64_t)A.cols * 2 * pivot_panel_words(r->precision, p));
}

/* Copies the columns of A, at most PIVOT_WIDTH, to panel 0. */
static inline void pivot_begin(struct rec *r, const struct pivots *p, struct block A)
{
    u32s before = rec_guard(r, p->state);
    run(r, pivot_begin, p->candidates, .step = p->step, .A = block_reals(A), .panel = p->panel[0],
        .list = p->list[0], .n = p->n, .width = A.cols, .ld = A.ld, .candidates = p->candidates);
    rec_guard(r, before);
    bill(r, 2 * block_bytes(r, A));
}

/* Eliminates column `column` of the panel, which is column `index` of the matrix; the last column moves the
 * panel back to A. */
static inline void pivot_column(struct rec *r, const struct pivots *p, struct block A, uint32_t column,
                                uint32_t index)
{
    uint32_t turn = column % 2;
    bool last = column + 1 == A.cols;
    run(r, pivot_column, p->candidates, .state = p->state, .step = p->step, .row_of = p->row_of,
        .pivots = p->values, .from = p->panel[turn], .to = last ? block_reals(A) : p->panel[!turn],
        .list = p->list[turn], .next_list = p->list[!turn], .n = p->n, .width = A.cols, .column = column,
        .index = index, .ld_from = PIVOT_WIDTH, .ld_to = last ? A.ld : PIVOT_WIDTH,
        .candidates = p->candidates);
    bill(r, 2 * block_bytes(r, A));
}

/* to = the rows of A with the pivots first, first + 1 ..., unless the elimination has ended */
static inline void pivot_rows(struct rec *r, const struct pivots *p, uint32_t first, struct block A,
                              struct block to)
{
    u32s before = rec_guard(r, p->state);
    dense_rows(r, A, (struct rows){.row_of = p->row_of, .first = first}, to);
    rec_guard(r, before);
}

/* C = W R + C, without + C in the rows of the W.cols pivots from `first` on */
static inline void pivot_gemm(struct rec *r, const struct pivots *p, uint32_t first, struct block W,
                              struct block R, struct block C)
{
    struct gemm_args args = gemm_arguments(GEMM_ADD, W, R, C);
    args.step = p->step;
    args.first = first;
    u32s before = rec_guard(r, p->state);
    gemm_in_tiles(r, gemm_is_small(r, C), C, args);
    rec_guard(r, before);
    bill(r, block_bytes(r, W) + block_bytes(r, R) + 2 * block_bytes(r, C));
}

#endif
