/* Columns are eliminated in the order of the kernel, but columns outside the current PIVOT_BLOCK are updated
 * only when the block is complete. Each element is updated from the factors of the rows in the same order,
 * and so with the same bits. */
#ifndef VKS_HOST_DENSE_PIVOT_PANEL_H
#define VKS_HOST_DENSE_PIVOT_PANEL_H

#include "host/dense/pivot.h"
#include "host/dense/simd.h"

/* Columns first .. first + count - 1 of the panel, and their pivots. */
struct pivot_block {
    uint32_t first, count;
    uint32_t row[PIVOT_BLOCK]; /* of the pivots */
    scalar_t inverse[PIVOT_BLOCK];
    scalar_t scaled[PIVOT_BLOCK][PIVOT_WIDTH]; /* the scaled rows of the pivots */
};

/* The shared state of a loop: the column to eliminate or the columns to update, and the best candidate. */
struct panel_work {
    const struct pivot_panel_args *a;
    const struct pivot_block *b;
    uint32_t k, begin, end;
    struct candidate best;
};

static scalar_t *row_of_panel(const struct pivot_panel_args *a, uint32_t i)
{
    return a->A + (size_t)i * a->ld;
}

static struct candidate first_candidate(const struct pivot_panel_args *a, uint32_t column)
{
    struct candidate best = no_candidate();
    for (uint32_t i = 0; i < a->n; i++) {
        struct candidate c = {magnitude_of(row_of_panel(a, i)[column]), i};
        if (a->step[i] == PIVOT_NONE && better(c, best))
            best = c;
    }
    return best;
}

/* Eliminates in rows begin .. end - 1 of the block with its pivot k; returns the next candidate. */
static struct candidate eliminate_rows(const struct pivot_panel_args *a, const struct pivot_block *b,
                                       uint32_t k, uint32_t begin, uint32_t end)
{
    struct candidate best = no_candidate();
    const scalar_t *scaled = b->scaled[k] + b->first;
    for (uint32_t i = begin; i < end; i++) {
        scalar_t *row = row_of_panel(a, i) + b->first, m = row[k];
        a->factors[(size_t)i * PIVOT_BLOCK + k] = m;
        if (b->count == PIVOT_BLOCK)
            for (uint32_t x = 0; x < PIVOT_BLOCK; x++)
                row[x] = fused(-m, scaled[x], row[x]);
        else
            for (uint32_t x = 0; x < b->count; x++)
                row[x] = fused(-m, scaled[x], row[x]);
        row[k] = -mul(m, b->inverse[k]);
        if (k + 1 < b->count && a->step[i] == PIVOT_NONE) {
            struct candidate c = {magnitude_of(row[k + 1]), i};
            if (better(c, best))
                best = c;
        }
    }
    return best;
}

/* Members take rows in chunks of 256: threads cost more than they save below a few thousand rows. */
static void eliminate_all(const void *work, struct member *me)
{
    struct panel_work *w = (void *)work;
    struct candidate best = no_candidate();
    for (struct span s = team_first(me, w->a->n, PARALLEL_FROM, 256); s.begin < s.end; s = team_next(me)) {
        struct candidate c = eliminate_rows(w->a, w->b, w->k, s.begin, s.end);
        if (better(c, best))
            best = c;
    }
    TEAM_ONE_AT_A_TIME(me)
    w->best = better(best, w->best) ? best : w->best;
}

/* Eliminates with the best candidate, in row r, as pivot k of the block. */
static struct candidate eliminate_column(const struct pivot_panel_args *a, struct pivot_block *b, uint32_t k,
                                         uint32_t r, struct member *me)
{
    scalar_t *row = row_of_panel(a, r) + b->first, pivot = row[k];
    b->row[k] = r;
    b->inverse[k] = divide(1, pivot);
    for (uint32_t x = 0; x < b->count; x++)
        b->scaled[k][b->first + x] = mul(row[x], b->inverse[k]);
    a->row_of[a->first + b->first + k] = r;
    a->pivots[a->first + b->first + k] = pivot;
    a->step[r] = a->first + b->first + k;
    struct panel_work work = {.a = a, .b = b, .k = k, .best = no_candidate()};
    team_call(me, eliminate_all, &work);
    memcpy(row, b->scaled[k] + b->first, b->count * sizeof *row);
    row[k] = b->inverse[k];
    return work.best;
}

/* row -= factors[k] scaled[k] for k = from ..., in columns begin .. end - 1 */
static inline void subtract(const struct pivot_block *b, const scalar_t *factors, uint32_t from,
                            uint32_t begin, uint32_t end, scalar_t *row)
{
    enum { VECTORS = 4 };
    uint32_t x = begin;
    for (; x + VECTORS * SIMD <= end; x += VECTORS * SIMD) {
        simd sum[VECTORS];
#pragma GCC unroll 4
        for (int v = 0; v < VECTORS; v++)
            sum[v] = simd_load(row + x + v * SIMD);
        for (uint32_t k = from; k < b->count; k++) {
            simd m = simd_all(-factors[k]);
#pragma GCC unroll 4
            for (int v = 0; v < VECTORS; v++)
                sum[v] = simd_fma(m, simd_load(b->scaled[k] + x + v * SIMD), sum[v]);
        }
#pragma GCC unroll 4
        for (int v = 0; v < VECTORS; v++)
            simd_store(row + x + v * SIMD, sum[v]);
    }
    for (; x < end; x++)
        for (uint32_t k = from; k < b->count; k++)
            row[x] = fused(-factors[k], b->scaled[k][x], row[x]);
}

static void apply_rows(const void *work, struct member *me)
{
    const struct panel_work *w = work;
    const struct pivot_panel_args *a = w->a;
    const struct pivot_block *b = w->b;
    PARALLEL_FOR (i, a->n) {
        uint32_t k = a->step[i] - a->first - b->first;
        scalar_t *row = row_of_panel(a, i);
        if (k < b->count)
            memcpy(row + w->begin, b->scaled[k] + w->begin, (w->end - w->begin) * sizeof *row);
        subtract(b, a->factors + (size_t)i * PIVOT_BLOCK, k < b->count ? k + 1 : 0, w->begin, w->end, row);
    }
}

/* Applies the block to columns begin .. end - 1 of the panel. */
static void apply_block(const struct pivot_panel_args *a, struct pivot_block *b, uint32_t begin, uint32_t end,
                        struct member *me)
{
    for (uint32_t k = 0; k < b->count; k++) {
        const scalar_t *row = row_of_panel(a, b->row[k]), *m = a->factors + (size_t)b->row[k] * PIVOT_BLOCK;
        for (uint32_t x = begin; x < end; x++) {
            scalar_t value = row[x];
            for (uint32_t other = 0; other < k; other++)
                value = fused(-m[other], b->scaled[other][x], value);
            b->scaled[k][x] = mul(value, b->inverse[k]);
        }
    }
    struct panel_work work = {.a = a, .b = b, .begin = begin, .end = end};
    team_call(me, apply_rows, &work);
}

static bool eliminate_block(const struct pivot_panel_args *a, struct pivot_block *b, struct member *me)
{
    struct candidate best = first_candidate(a, b->first);
    for (uint32_t k = 0; k < b->count; k++) {
        uint32_t ending = ending_of(best);
        if (ending) {
            a->state[PIVOT_COLUMN] = a->first + b->first + k;
            a->state[PIVOT_ENDING] = ending;
            return false;
        }
        best = eliminate_column(a, b, k, best.row, me);
    }
    apply_block(a, b, 0, b->first, me);
    apply_block(a, b, b->first + b->count, a->width, me);
    return true;
}

static inline void eliminate_panel(const struct pivot_panel_args *a, struct member *me)
{
    struct pivot_block b;
    if (*a->state)
        return;
    for (b.first = 0; b.first < a->width; b.first += PIVOT_BLOCK) {
        b.count = a->width - b.first < PIVOT_BLOCK ? a->width - b.first : PIVOT_BLOCK;
        if (!eliminate_block(a, &b, me))
            return;
    }
}

#endif
