/* A table of columns, which sums the residual of a row. */
#include "host/fsai/solve.h"

enum { SLOTS = 1 << 14, NO_COLUMN = -1 }; /* 33 windows of 256 fill half of them */

struct table {
    uint32_t column[SLOTS];
    scalar_t sum[SLOTS];
    uint32_t used[(FSAI_MOST + 1) * FSAI_WINDOW], count;
};

static void table_add(struct table *t, uint32_t column, scalar_t v)
{
    uint32_t at = column * UINT32_C(0x9E3779B1) % SLOTS;
    while (t->column[at] != column && t->column[at] != (uint32_t)NO_COLUMN)
        at = (at + 1) % SLOTS;
    if (t->column[at] != column) {
        t->column[at] = column;
        t->sum[at] = 0;
        t->used[t->count++] = at;
    }
    t->sum[at] += v;
}

static void table_clear(struct table *t)
{
    for (uint32_t u = 0; u < t->count; u++)
        t->column[t->used[u]] = (uint32_t)NO_COLUMN;
    t->count = 0;
}

/* Adds x times row q of A, for columns before i within its window. */
static void add_row(struct table *t, const struct rows_of_A *A, uint32_t q, uint32_t i, scalar_t x)
{
    uint32_t first = A->row[q], last = first_not_below(A->col, first, A->row[q + (size_t)1], i);
    if (last - first > FSAI_WINDOW)
        first = last - FSAI_WINDOW;
    for (uint32_t e = first; e < last; e++)
        table_add(t, A->col[e], mul(x, (scalar_t)A->val[e]));
}

/* The best columns so far, best first. */
struct best {
    real score[FSAI_MOST];
    uint32_t column[FSAI_MOST], count, most;
};

static void best_add(struct best *b, real score, uint32_t column)
{
    uint32_t at = b->count < b->most ? b->count++ : b->most;
    for (; at && (score > b->score[at - 1] || (score == b->score[at - 1] && column < b->column[at - 1]));
         at--)
        if (at < b->most) {
            b->score[at] = b->score[at - 1];
            b->column[at] = b->column[at - 1];
        }
    if (at < b->most) {
        b->score[at] = score;
        b->column[at] = column;
    }
}

static void find_columns(const struct fsai_grow_args *a, uint32_t i, const struct columns *c, struct table *t,
                         struct best *b)
{
    const struct rows_of_A *A = ROWS_OF_A(a);
    add_row(t, A, i, i, 1);
    for (uint32_t q = 0; q < c->count; q++)
        add_row(t, A, c->S[q], i, a->s_val[i * a->stride + q]);
    real least = a->positive ? 0 : (real)FSAI_DROP * a->size[i];
    for (uint32_t u = 0; u < t->count; u++) {
        uint32_t column = t->column[t->used[u]];
        scalar_t sum = t->sum[t->used[u]];
        real score = (sum < 0 ? -sum : sum) * a->weight[column];
        if (isfinite(score) && score > least && columns_find(c, column) == NO_PLACE)
            best_add(b, score, column);
    }
    table_clear(t);
}

/* Grows row i. False: it is complete or cannot be solved. */
static bool grow(const struct fsai_grow_args *a, uint32_t i, struct table *t)
{
    struct columns c;
    struct row_system system;
    struct best b = {.most = a->add};
    uint32_t *s_col = a->s_col + (size_t)i * a->stride;
    columns_clear(&c);
    for (uint32_t q = 0; q + 1 < a->count[i]; q++)
        columns_add(&c, s_col[q]);
    find_columns(a, i, &c, t, &b);
    uint32_t held = c.count;
    for (uint32_t l = 0; l < b.count && c.count < a->stride; l++)
        columns_add(&c, b.column[l]);
    if (c.count == held || !solve_row(ROWS_OF_A(a), i, &c, &system))
        return false;
    memcpy(s_col, c.S, c.count * sizeof *c.S);
    memcpy(a->s_val + (size_t)i * a->stride, system.x, c.count * sizeof *system.x);
    a->count[i] = c.count + 1;
    return true;
}

KERNEL(fsai_grow)
{
    struct table t = {.count = 0};
    memset(t.column, 0xFF, sizeof t.column);
    TEAM_FOR(me, i, a->n, 64, 8)
    {
        if (!a->ended[i])
            a->ended[i] = !grow(a, i, &t);
    }
}
