/* Counts and sums rows of a sparse product on the host, in either precision. */
#include "sparse/spgemm_host.h"

#include "device/search.h"

#include <stdlib.h>
#include <string.h>

/* Rows of up to FEW columns are sorted by counting the smaller ones, longer rows by a tree of bits. */
enum { FEW = 48, BESIDE = 8 /* products that a part of a row costs for each entry of A */ };
/* Runs of B are mostly short, so branch prediction fails at their ends. Products are therefore gathered,
 * BATCH at a time, in steps that read beyond the end of a run. */
enum { BATCH = 256, STEP = 8 };

/* Columns, which are below 2^24, and their ranks in a row. */
enum { RANKS = 4 };
typedef int32_t ranks __attribute__((vector_size(4 * RANKS)));

/* A row of B, or its part in a range of columns. */
struct run {
    uint32_t first, count;
};

/* The columns low .. high - 1. */
struct part {
    uint32_t row, low, high;
};

/* Makes room for a row of n columns. */
static bool room_for(struct taker *t, uint32_t n, uint32_t value)
{
    if (n <= t->room)
        return true;
    uint64_t room = n < 2 * (uint64_t)t->room ? 2 * (uint64_t)t->room : n;
    free(t->found);
    free(t->sum);
    t->room = 0;
    t->found = calloc(room + STEP, sizeof *t->found);
    t->sum = calloc(room, value);
    if (t->found && t->sum) {
        t->room = (uint32_t)room;
        return true;
    }
    t->lack = "a row of the product";
    t->lack_bytes = room * (sizeof *t->found + value);
    return false;
}

/* Begins a row that uses at most n marks. */
static inline void begin_row(struct taker *t, uint32_t n, uint32_t cols)
{
    if (t->base <= UINT32_MAX - n)
        return;
    memset(t->seen, 0, 4 * (uint64_t)cols);
    t->base = 1;
}

/* The row of B that entry e of A multiplies. */
static inline struct run run_of(const struct factors *f, uint32_t e)
{
    uint32_t k = f->a_col[e], first = f->b_row[k];
    return (struct run){first, f->b_row[k + (size_t)1] - first};
}

static inline struct run part_of_run(const struct factors *f, uint32_t e, const struct part *p)
{
    struct run all = run_of(f, e);
    uint32_t first = first_not_below(f->b_col, all.first, all.first + all.count, p->low);
    return (struct run){first, first_not_below(f->b_col, first, all.first + all.count, p->high) - first};
}

static struct part part_of(const struct crowd *w, uint32_t left, uint32_t part)
{
    uint64_t cols = w->f.cols;
    return (struct part){w->left_row[left], (uint32_t)(cols * part / w->parts),
                         (uint32_t)(cols * (part + 1) / w->parts)};
}

/* Splits off the part of *b that fits into a batch with n products. */
static inline struct run take_off(struct run *b, uint32_t n)
{
    struct run taken = {b->first, b->count < BATCH - n ? b->count : BATCH - n};
    b->first += taken.count;
    b->count -= taken.count;
    return taken;
}

/* Whether steps over the run stay within B. */
static inline bool may_step(const struct factors *f, struct run b)
{
    return b.first + (uint64_t)b.count + STEP <= f->b_entries;
}

static inline void copy_columns(const struct factors *f, struct run b, uint32_t *to)
{
    const uint32_t *col = f->b_col + b.first;
    if (may_step(f, b))
        for (uint32_t k = 0; k < b.count; k += STEP)
            memcpy(to + k, col + k, 4 * STEP);
    else
        memcpy(to, col, 4 * (uint64_t)b.count);
}

static inline uint32_t count_new(uint32_t *restrict seen, uint32_t mark, const uint32_t *restrict col,
                                 uint32_t count)
{
    uint32_t n = 0;
    for (uint32_t b = 0; b < count; b++) {
        n += seen[col[b]] != mark;
        seen[col[b]] = mark;
    }
    return n;
}

/* The gathered columns of a row, and the number of distinct columns counted so far. */
struct count {
    uint32_t batch[BATCH + STEP], n, columns;
};

static inline void count_begin(struct count *c)
{
    c->n = c->columns = 0;
}

static inline void count_run(const struct taker *t, const struct factors *f, uint32_t mark, struct run b,
                             struct count *c)
{
    if (!f->gathers) {
        c->columns += count_new(t->seen, mark, f->b_col + b.first, b.count);
        return;
    }
    do {
        struct run taken = take_off(&b, c->n);
        copy_columns(f, taken, c->batch + c->n);
        c->n += taken.count;
        if (c->n == BATCH) {
            c->columns += count_new(t->seen, mark, c->batch, BATCH);
            c->n = 0;
        }
    } while (b.count);
}

static inline uint32_t count_end(const struct taker *t, uint32_t mark, const struct count *c)
{
    return c->columns + count_new(t->seen, mark, c->batch, c->n);
}

static uint64_t count_products(const struct factors *f, uint32_t i)
{
    uint64_t sum = 0;
    for (uint32_t e = f->a_row[i]; e < f->a_row[i + (size_t)1]; e++)
        sum += run_of(f, e).count;
    return sum;
}

/* Whether to leave row i to all threads, although each part then reads all its entries of A. */
static bool leave_row(struct crowd *w, uint32_t i)
{
    uint64_t entries = w->f.a_row[i + (size_t)1] - w->f.a_row[i];
    return count_products(&w->f, i) >= BESIDE * entries * w->parts &&
           __atomic_fetch_add(&w->left, 1, __ATOMIC_RELAXED) < SPGEMM_MOST_LEFT;
}

/* Returns SPGEMM_UNKNOWN if the row is left to all threads. */
static inline uint32_t count_row(struct crowd *w, struct taker *t, uint32_t i)
{
    const struct factors *f = &w->f;
    uint32_t e = f->a_row[i], last = f->a_row[i + (size_t)1];
    if (last - e < 2)
        return last == e ? 0 : run_of(f, e).count;
    uint64_t products = 0;
    bool asked = w->parts < 2;
    struct count c;
    count_begin(&c);
    begin_row(t, 1, f->cols);
    uint32_t mark = t->base++;
    for (; e < last; e++) {
        struct run b = run_of(f, e);
        products += b.count;
        if (products > w->heavy && !asked) {
            if (leave_row(w, i))
                return SPGEMM_UNKNOWN;
            asked = true;
        }
        count_run(t, f, mark, b, &c);
    }
    return count_end(t, mark, &c);
}

bool crowd_count_rows(struct crowd *w, struct taker *t, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++)
        w->f.c_row[i] = count_row(w, t, i);
    return true;
}

bool crowd_count_part(struct crowd *w, struct taker *t, uint32_t left, uint32_t part)
{
    const struct factors *f = &w->f;
    const struct part p = part_of(w, left, part);
    struct count c;
    count_begin(&c);
    begin_row(t, 1, f->cols);
    uint32_t mark = t->base++;
    for (uint32_t e = f->a_row[p.row]; e < f->a_row[p.row + (size_t)1]; e++)
        count_run(t, f, mark, part_of_run(f, e, &p), &c);
    w->part_begin[(size_t)left * w->parts + part] = count_end(t, mark, &c);
    return true;
}

/* Index of the first left row that is i or later. */
static uint32_t first_left(const struct crowd *w, uint32_t i)
{
    return first_not_below(w->left_row, 0, w->left, i);
}

/* rank[s] = how many of the n columns are below column s. */
static inline void rank_few(const uint32_t *found, uint32_t n, uint32_t *rank)
{
    for (uint32_t first = 0; first < n; first += RANKS) {
        ranks own, below = {0};
        memcpy(&own, found + first, sizeof own);
        for (uint32_t s = 0; s < n; s++)
            below -= (int32_t)found[s] < own;
        memcpy(rank + first, &below, sizeof below);
    }
}

#define NAMED_AS_(name, type) name##_##type
#define NAMED_AS(name, type) NAMED_AS_(name, type)
#define NAMED(name) NAMED_AS(name, number)

#define number float
#include "sparse/spgemm_host_sums.h"
#undef number

#define number double
#include "sparse/spgemm_host_sums.h"
#undef number

const struct crowd_sums crowd_sums[] = {
#define X(NAME, name, type, element, real, stored, limits, rtol) \
    [PRECISION_##NAME] = {crowd_sum_rows_##type, crowd_sum_part_##type, crowd_sum_again_##type},
    SCALAR_TYPES(X)
#undef X
};
