#include "host/dense/pivot.h"

/* Eliminates in a row other than the pivot's, in all PIVOT_WIDTH columns except `column`. */
static inline void eliminate(const scalar_t *restrict from, const scalar_t *restrict scaled, scalar_t m,
                             uint32_t width, scalar_t *restrict to)
{
    if (width == PIVOT_WIDTH)
        for (uint32_t x = 0; x < PIVOT_WIDTH; x++)
            to[x] = fused(-m, scaled[x], from[x]);
    else
        for (uint32_t x = 0; x < width; x++)
            to[x] = fused(-m, scaled[x], from[x]);
}

static struct candidate eliminate_rows(const struct pivot_column_args *a, uint32_t r, const scalar_t *scaled,
                                       scalar_t inverse, uint32_t begin, uint32_t end)
{
    struct candidate best = no_candidate();
    for (uint32_t i = begin; i < end; i++) {
        const scalar_t *from = a->from + (size_t)i * a->ld_from;
        scalar_t *to = a->to + (size_t)i * a->ld_to, m = from[a->column];
        if (i == r) {
            memcpy(to, scaled, a->width * sizeof *to);
            to[a->column] = inverse;
            continue;
        }
        eliminate(from, scaled, m, a->width, to);
        to[a->column] = -mul(m, inverse);
        if (a->column + 1 < a->width && a->step[i] == PIVOT_NONE) {
            struct candidate c = {magnitude_of(to[a->column + 1]), i};
            if (better(c, best))
                best = c;
        }
    }
    return best;
}

/* The pivot's row, divided by the pivot, and the best candidate for the next column. */
struct column {
    const struct pivot_column_args *a;
    const scalar_t *scaled;
    scalar_t inverse;
    uint32_t r;
    struct candidate best;
};

/* Members take rows in chunks of 256: threads cost more than they save below a few thousand rows. */
static void eliminate_all(const void *column, struct member *me)
{
    struct column *c = (void *)column;
    struct candidate best = no_candidate();
    for (struct span s = team_first(me, c->a->n, PARALLEL_FROM, 256); s.begin < s.end; s = team_next(me)) {
        struct candidate found = eliminate_rows(c->a, c->r, c->scaled, c->inverse, s.begin, s.end);
        if (better(found, best))
            best = found;
    }
    TEAM_ONE_AT_A_TIME(me)
    c->best = better(best, c->best) ? best : c->best;
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
    const scalar_t *row = a->from + (size_t)r * a->ld_from;
    scalar_t pivot = row[a->column], inverse = divide(1, pivot), scaled[PIVOT_WIDTH] = {0};
    for (uint32_t x = 0; x < a->width; x++)
        scaled[x] = mul(row[x], inverse);
    a->row_of[a->index] = r;
    a->pivots[a->index] = pivot;
    a->step[r] = a->index;
    struct column column = {a, scaled, inverse, r, no_candidate()};
    team_call(me, eliminate_all, &column);
    leave_best(a->next_list, a->candidates, column.best);
}
