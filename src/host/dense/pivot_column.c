#include "host/dense/pivot.h"

/* A row that is not the pivot's, all of PIVOT_WIDTH columns but for `column`. */
static inline void eliminate(const real *restrict from, const real *restrict scaled, real m, uint32_t width,
                             real *restrict to)
{
    if (width == PIVOT_WIDTH)
        for (uint32_t x = 0; x < PIVOT_WIDTH; x++)
            to[x] = FMA(-m, scaled[x], from[x]);
    else
        for (uint32_t x = 0; x < width; x++)
            to[x] = FMA(-m, scaled[x], from[x]);
}

static struct candidate eliminate_rows(const struct pivot_column_args *a, uint32_t r, const real *scaled,
                                       real inverse, uint32_t begin, uint32_t end)
{
    struct candidate best = nobody();
    for (uint32_t i = begin; i < end; i++) {
        const real *from = a->from + (size_t)i * a->ld_from;
        real *to = a->to + (size_t)i * a->ld_to, m = from[a->column];
        if (i == r) {
            memcpy(to, scaled, a->width * sizeof *to);
            to[a->column] = inverse;
            continue;
        }
        eliminate(from, scaled, m, a->width, to);
        to[a->column] = -(m * inverse);
        if (a->column + 1 < a->width && a->step[i] == PIVOT_NONE) {
            struct candidate c = {magnitude_of(to[a->column + 1]), i};
            if (better(c, best))
                best = c;
        }
    }
    return best;
}

KERNEL(pivot_column)
{
    if (*a->state)
        return;
    struct candidate best = read_best(a->list, a->candidates);
    uint32_t r = best.row, ending = ending_of(best);
    if (ending) {
        a->state[PIVOT_COLUMN] = a->index;
        a->state[PIVOT_ENDING] = ending;
        return;
    }
    const real *row = a->from + (size_t)r * a->ld_from;
    real pivot = row[a->column], inverse = 1 / pivot, scaled[PIVOT_WIDTH] = {0};
    for (uint32_t x = 0; x < a->width; x++)
        scaled[x] = row[x] * inverse;
    a->row_of[a->index] = r;
    a->pivots[a->index] = pivot;
    a->step[r] = a->index;
    best = nobody();
    /* Rows 256 at a time: threads cost more than they bring below some thousands. */
#pragma omp parallel for schedule(static) if (a->n >= PARALLEL_FROM)
    for (uint32_t begin = 0; begin < a->n; begin += 256) {
        uint32_t end = a->n - begin < 256 ? a->n : begin + 256;
        struct candidate c = eliminate_rows(a, r, scaled, inverse, begin, end);
        PRAGMA(omp critical(pivot_column))
        if (better(c, best))
            best = c;
    }
    leave_best(a->next_list, a->candidates, best);
}
