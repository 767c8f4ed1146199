#include "entries/matching.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The unit of logarithms, and the table of logarithms of numbers between 1 and 2. */
#define ONE ((int64_t)1 << 24)
enum { TABLE_BITS = 11, TABLE = 1 << TABLE_BITS };

/* The cost of a missing entry, and the distance of a column not yet reached. */
#define NONE INT64_MAX
/* ABSENT: no row, column or place in the heap. SETTLED: the place of a column whose shortest distance is
 * final. */
#define ABSENT UINT32_MAX
#define SETTLED (UINT32_MAX - 1)
/* Steps between polls of the caller: some milliseconds. */
enum { ASKED_AFTER = 1 << 20 };

/* The cost of an entry is the difference of its logarithm from the largest of its column, so none is
 * negative. The reduced cost is the cost minus the dual variables of row and column. It is never negative,
 * and zero for matched entries. */
struct matcher {
    const struct host_csr *A;
    struct matching *w;
    int64_t *cost, *most;   /* of entries; the largest logarithm of each column */
    int64_t *u, *v;         /* dual variables of rows and columns */
    int64_t *distance;      /* of columns from the starting row of the search */
    uint32_t *col_of;       /* the inverse of w->row_of */
    uint32_t *before;       /* the row from which a column was reached */
    uint32_t *heap, *place; /* a heap of the reached columns, nearest first; positions in it */
    uint32_t *reached;      /* the columns reached in this search */
    uint32_t heap_count, reached_count;
    const struct caller *caller;
    uint64_t work, most_work, ask_at; /* steps */
};

/* log2(1 + i / TABLE) by repeated squaring. */
static uint32_t table_entry(uint32_t i)
{
    uint64_t x = ((uint64_t)1 << 31) + ((uint64_t)i << (31 - TABLE_BITS));
    uint32_t log = 0;
    if (i == TABLE)
        return (uint32_t)ONE;
    for (int bit = 23; bit >= 0; bit--) {
        bool above = x * x >> 63;
        x = x * x >> (above ? 32 : 31);
        log |= (uint32_t)above << bit;
    }
    return log;
}

/* log2 |v|, v finite and not zero. */
static int64_t log_of(const uint32_t *table, double v)
{
    int exponent;
    uint64_t bits = (uint64_t)ldexp(frexp(fabs(v), &exponent), 53) - ((uint64_t)1 << 52);
    uint32_t i = (uint32_t)(bits >> (52 - TABLE_BITS));
    uint64_t rest = bits >> 20 & ((1u << (32 - TABLE_BITS)) - 1);
    uint64_t step = (table[i + 1] - table[i]) * rest >> (32 - TABLE_BITS);
    return (exponent - 1) * ONE + table[i] + (int64_t)step;
}

static void set_costs(struct matcher *t)
{
    uint32_t table[TABLE + 1], n = t->A->rows;
    for (uint32_t i = 0; i <= TABLE; i++)
        table[i] = table_entry(i);
    for (uint32_t j = 0; j < n; j++)
        t->most[j] = -NONE;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t e = t->A->row[i]; e < t->A->row[i + 1]; e++) {
            double value = t->A->val[e];
            int64_t *most = &t->most[t->A->col[e]];
            t->cost[e] = value != 0 && isfinite(value) ? log_of(table, value) : NONE;
            if (t->cost[e] != NONE && t->cost[e] > *most)
                *most = t->cost[e];
            if (!isfinite(value) && t->w->bad_row == ABSENT)
                t->w->bad_row = i;
        }
    for (uint32_t e = 0; e < t->A->row[n]; e++)
        t->cost[e] = t->cost[e] == NONE ? NONE : t->most[t->A->col[e]] - t->cost[e];
}

static int64_t reduced(const struct matcher *t, uint32_t i, uint32_t e)
{
    return t->cost[e] - t->u[i] - t->v[t->A->col[e]];
}

static void join(struct matcher *t, uint32_t i, uint32_t j)
{
    t->w->row_of[j] = i;
    t->col_of[i] = j;
}

/* Sets feasible dual variables, and matches each row with its first available entry of zero reduced cost. The
 * largest entry of each column costs 0. */
static void begin(struct matcher *t)
{
    for (uint32_t i = 0; i < t->A->rows; i++) {
        int64_t least = NONE;
        for (uint32_t e = t->A->row[i]; e < t->A->row[i + 1]; e++)
            least = t->cost[e] < least ? t->cost[e] : least;
        t->u[i] = least == NONE ? 0 : least;
        for (uint32_t e = t->A->row[i]; e < t->A->row[i + 1] && t->col_of[i] == ABSENT; e++)
            if (t->cost[e] == t->u[i] && t->cost[e] != NONE && t->w->row_of[t->A->col[e]] == ABSENT)
                join(t, i, t->A->col[e]);
        t->w->rank += t->col_of[i] != ABSENT;
    }
}

static bool is_nearer(const struct matcher *t, uint32_t a, uint32_t b)
{
    return t->distance[a] < t->distance[b] || (t->distance[a] == t->distance[b] && a < b);
}

static void put_at(struct matcher *t, uint32_t place, uint32_t j)
{
    t->work++;
    t->heap[place] = j;
    t->place[j] = place;
}

/* Restores the heap after the distance of j has decreased, or inserts j. */
static void heap_raise(struct matcher *t, uint32_t j)
{
    uint32_t at = t->place[j] == ABSENT ? t->heap_count++ : t->place[j];
    for (; at && is_nearer(t, j, t->heap[(at - 1) / 2]); at = (at - 1) / 2)
        put_at(t, at, t->heap[(at - 1) / 2]);
    put_at(t, at, j);
}

/* Removes the nearest column. */
static uint32_t heap_take(struct matcher *t)
{
    uint32_t nearest = t->heap[0], last = t->heap[--t->heap_count], at = 0;
    for (uint32_t child = 1; child < t->heap_count; child = 2 * at + 1) {
        if (child + 1 < t->heap_count && is_nearer(t, t->heap[child + 1], t->heap[child]))
            child++;
        if (!is_nearer(t, t->heap[child], last))
            break;
        put_at(t, at, t->heap[child]);
        at = child;
    }
    if (t->heap_count)
        put_at(t, at, last);
    t->place[nearest] = SETTLED;
    return nearest;
}

/* Relaxes the entries of row i, at distance `base`, that are nearer than *end, the nearest free column so
 * far. May replace *end. */
static void search_from(struct matcher *t, uint32_t i, int64_t base, uint32_t *end)
{
    t->work += t->A->row[i + 1] - t->A->row[i];
    for (uint32_t e = t->A->row[i]; e < t->A->row[i + 1]; e++) {
        uint32_t j = t->A->col[e];
        if (t->cost[e] == NONE || t->place[j] == SETTLED)
            continue;
        int64_t distance = base + reduced(t, i, e);
        if (distance >= t->distance[j] || (*end != ABSENT && distance >= t->distance[*end]))
            continue;
        if (t->distance[j] == NONE)
            t->reached[t->reached_count++] = j;
        t->distance[j] = distance;
        t->before[j] = i;
        if (t->w->row_of[j] == ABSENT)
            *end = j;
        else
            heap_raise(t, j);
    }
}

/* Whether the work exceeds its limit, or the caller has cancelled. */
static bool gives_up(struct matcher *t)
{
    if (t->work >= t->ask_at && !t->w->unwanted) {
        t->ask_at = t->work + ASKED_AFTER;
        t->w->unwanted = caller_cancels(t->caller);
    }
    return t->w->unwanted || t->work > t->most_work;
}

/* The free column nearest to row `from`; ABSENT if there is none or the search was given up. */
static uint32_t nearest_free(struct matcher *t, uint32_t from)
{
    uint32_t end = ABSENT;
    search_from(t, from, 0, &end);
    while (t->heap_count && (end == ABSENT || t->distance[t->heap[0]] < t->distance[end])) {
        uint32_t j = heap_take(t);
        search_from(t, t->w->row_of[j], t->distance[j], &end);
        if (gives_up(t))
            return ABSENT;
    }
    return end;
}

/* Updates the dual variables: reduced costs stay nonnegative, and become zero along the path. */
static void move_duals(struct matcher *t, uint32_t from, uint32_t end)
{
    int64_t far = t->distance[end];
    t->u[from] += far;
    for (uint32_t k = 0; k < t->reached_count; k++) {
        uint32_t j = t->reached[k];
        if (t->place[j] != SETTLED)
            continue;
        t->u[t->w->row_of[j]] += far - t->distance[j];
        t->v[j] -= far - t->distance[j];
    }
}

static void augment(struct matcher *t, uint32_t from, uint32_t end)
{
    for (uint32_t j = end, i = ABSENT; i != from;) {
        i = t->before[j];
        uint32_t next = t->col_of[i];
        join(t, i, j);
        j = next;
    }
    t->w->rank++;
}

static void forget(struct matcher *t)
{
    for (uint32_t k = 0; k < t->reached_count; k++) {
        t->distance[t->reached[k]] = NONE;
        t->place[t->reached[k]] = ABSENT;
    }
    t->reached_count = t->heap_count = 0;
}

/* Matches the remaining rows and columns in order. */
static void match_rest(struct matcher *t)
{
    uint32_t j = 0;
    for (uint32_t i = 0; i < t->A->rows; i++) {
        if (t->col_of[i] != ABSENT)
            continue;
        while (t->w->row_of[j] != ABSENT)
            j++;
        join(t, i, j);
    }
}

/* x / ONE, rounded to nearest. */
static int64_t rounded(int64_t x)
{
    int64_t above = x + ONE / 2, rest = (above % ONE + ONE) % ONE;
    return (above - rest) / ONE;
}

/* Clamps exponents to 32 bits; such exponents are far beyond the range of numbers. */
static int32_t bounded(int64_t exponent)
{
    return exponent < -INT32_MAX ? -INT32_MAX : exponent > INT32_MAX ? INT32_MAX : (int32_t)exponent;
}

static void set_scales(struct matcher *t)
{
    uint32_t n = t->A->rows;
    int64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += rounded(t->u[i]);
    int64_t mean = n ? sum / n : 0;
    for (uint32_t i = 0; i < n; i++) {
        t->w->left[i] = bounded(rounded(t->u[i]) - mean);
        t->w->right[i] = t->most[i] == -NONE ? 0 : bounded(rounded(t->v[i] - t->most[i]) + mean);
    }
}

static void match(struct matcher *t)
{
    set_costs(t);
    begin(t);
    for (uint32_t i = 0; i < t->A->rows && !gives_up(t); i++) {
        if (t->col_of[i] != ABSENT)
            continue;
        uint32_t end = nearest_free(t, i);
        if (end != ABSENT) {
            move_duals(t, i, end);
            augment(t, i, end);
        }
        forget(t);
    }
    t->w->complete = !gives_up(t);
    if (!t->w->complete)
        return;
    match_rest(t);
    set_scales(t);
}

/* Allocates the arrays of the matcher in one block; NULL: out of memory. */
static void *take_arrays(struct matcher *t, size_t *bytes)
{
    size_t n = t->A->rows, entries = host_csr_entries(t->A);
    *bytes = 8 * (entries + 4 * n) + 4 * 5 * n + 1;
    int64_t *block = malloc(*bytes);
    if (!block)
        return NULL;
    t->cost = block;
    t->most = t->cost + entries;
    t->u = t->most + n;
    t->v = t->u + n;
    t->distance = t->v + n;
    t->col_of = (uint32_t *)(t->distance + n);
    t->before = t->col_of + n;
    t->heap = t->before + n;
    t->place = t->heap + n;
    t->reached = t->place + n;
    for (size_t i = 0; i < n; i++) {
        t->v[i] = 0;
        t->distance[i] = NONE;
        t->col_of[i] = t->place[i] = t->w->row_of[i] = ABSENT;
    }
    return block;
}

vks_status matching_find(struct message *m, const struct host_csr *A, const struct caller *caller,
                         struct matching *out)
{
    size_t n = A->rows, entries = host_csr_entries(A), bytes = 12 * n + 1;
    *out = (struct matching){.bad_row = ABSENT};
    if (n > MATCHING_MOST_ROWS)
        return fail(m, VKS_LIMIT, "a matching of %zu rows; the most is %u", n, MATCHING_MOST_ROWS);
    out->row_of = malloc(4 * n + 1);
    out->left = malloc(4 * n + 1);
    out->right = malloc(4 * n + 1);
    struct matcher t = {.A = A,
                        .w = out,
                        .caller = caller,
                        .most_work = MATCHING_LEAST_WORK + MATCHING_MOST_WORK * (uint64_t)entries};
    void *block = out->row_of && out->left && out->right ? take_arrays(&t, &bytes) : NULL;
    if (block)
        match(&t);
    else
        matching_free(out);
    free(block);
    return block ? VKS_OK : fail_memory(m, "a matching", bytes);
}

void matching_free(struct matching *w)
{
    free(w->row_of);
    free(w->left);
    free(w->right);
    *w = (struct matching){0};
}
