/* Rows of a sparse product on the host: counted, and summed in either precision. */
#include "sparse/spgemm_host.h"

#include "device/search.h"

#include <stdlib.h>
#include <string.h>

/* Rows of up to FEW columns are put in order by insertion, longer ones by a tree of bits. */
enum { FEW = 32, BESIDE = 8 /* products that a part of a row costs for each entry of A */ };

/* A row of B, or what lies in a part of the columns. */
struct run {
    uint32_t first, count;
};

/* The columns low .. high - 1. */
struct part {
    uint32_t row, low, high;
};

/* Room for a row of n columns. */
static bool room_for(struct taker *t, uint32_t n, uint32_t value)
{
    if (n <= t->room)
        return true;
    uint64_t room = n < 2 * (uint64_t)t->room ? 2 * (uint64_t)t->room : n;
    free(t->met);
    free(t->sum);
    t->room = 0;
    t->met = malloc(room * sizeof *t->met);
    t->sum = malloc(room * value);
    if (t->met && t->sum) {
        t->room = (uint32_t)room;
        return true;
    }
    t->lack = "a row of the product";
    t->lack_bytes = room * (sizeof *t->met + value);
    return false;
}

/* A new row of at most n marks begins. */
static inline void begin_row(struct taker *t, uint32_t n, uint32_t cols)
{
    if (t->base <= UINT32_MAX - n)
        return;
    memset(t->seen, 0, 4 * (uint64_t)cols);
    t->base = 1;
}

/* The row of B that entry e of A meets. */
static inline struct run meet(const struct factors *f, uint32_t e)
{
    uint32_t k = f->a_col[e], first = f->b_row[k];
    return (struct run){first, f->b_row[k + (size_t)1] - first};
}

static inline struct run meet_part(const struct factors *f, uint32_t e, const struct part *p)
{
    struct run all = meet(f, e);
    uint32_t first = first_not_below(f->b_col, all.first, all.first + all.count, p->low);
    return (struct run){first, first_not_below(f->b_col, first, all.first + all.count, p->high) - first};
}

static struct part part_of(const struct crowd *w, uint32_t left, uint32_t part)
{
    uint64_t cols = w->f.cols;
    return (struct part){w->left_row[left], (uint32_t)(cols * part / w->parts),
                         (uint32_t)(cols * (part + 1) / w->parts)};
}

static inline uint32_t count_new(uint32_t *seen, uint32_t mark, const uint32_t *col, uint32_t count)
{
    uint32_t n = 0;
    for (uint32_t b = 0; b < count; b++) {
        n += seen[col[b]] != mark;
        seen[col[b]] = mark;
    }
    return n;
}

static uint64_t count_products(const struct factors *f, uint32_t i)
{
    uint64_t sum = 0;
    for (uint32_t e = f->a_row[i]; e < f->a_row[i + (size_t)1]; e++)
        sum += meet(f, e).count;
    return sum;
}

/* Whether row i is left to all threads: each part looks at all entries of A. */
static bool leave_row(struct crowd *w, uint32_t i)
{
    uint64_t entries = w->f.a_row[i + (size_t)1] - w->f.a_row[i];
    return count_products(&w->f, i) >= BESIDE * entries * w->parts &&
           __atomic_fetch_add(&w->left, 1, __ATOMIC_RELAXED) < SPGEMM_MOST_LEFT;
}

/* SPGEMM_UNKNOWN: it is left. */
static inline uint32_t count_row(struct crowd *w, struct taker *t, uint32_t i)
{
    const struct factors *f = &w->f;
    uint32_t e = f->a_row[i], last = f->a_row[i + (size_t)1], n = 0;
    if (last - e < 2)
        return last == e ? 0 : meet(f, e).count;
    uint64_t products = 0;
    bool asked = w->parts < 2;
    begin_row(t, 1, f->cols);
    uint32_t mark = t->base++;
    for (; e < last; e++) {
        struct run b = meet(f, e);
        products += b.count;
        if (products > w->heavy && !asked) {
            if (leave_row(w, i))
                return SPGEMM_UNKNOWN;
            asked = true;
        }
        n += count_new(t->seen, mark, f->b_col + b.first, b.count);
    }
    return n;
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
    uint32_t n = 0;
    begin_row(t, 1, f->cols);
    uint32_t mark = t->base++;
    for (uint32_t e = f->a_row[p.row]; e < f->a_row[p.row + (size_t)1]; e++) {
        struct run b = meet_part(f, e, &p);
        n += count_new(t->seen, mark, f->b_col + b.first, b.count);
    }
    w->part_begin[(size_t)left * w->parts + part] = n;
    return true;
}

/* The first of the rows that are left and not before row i. */
static uint32_t first_left(const struct crowd *w, uint32_t i)
{
    return first_not_below(w->left_row, 0, w->left, i);
}

static void sort_few(uint64_t *met, uint32_t n)
{
    for (uint32_t s = 1; s < n; s++) {
        uint64_t moved = met[s];
        uint32_t at = s;
        for (; at && met[at - 1] > moved; at--)
            met[at] = met[at - 1];
        met[at] = moved;
    }
}

#define number float
#define NAMED(name) name##_f32
#include "sparse/spgemm_host_sums.h"
#undef number
#undef NAMED

#define number double
#define NAMED(name) name##_f64
#include "sparse/spgemm_host_sums.h"
#undef number
#undef NAMED
