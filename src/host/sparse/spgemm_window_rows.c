/* On the host a window may be as wide as the matrix, and rows of any length are taken, as F. Gustavson does
 * (1978): each thread has a word for each column, which tells the last row in which it was met. What a row
 * has met is then put in order: a few columns by insertion, many by a tree of bits. */
#include "host/kernel.h"
#include "shaders/sparse/spgemm.h"

#include <string.h>

enum { LEVELS = 6, FEW = 64 };

struct marks {
    uint32_t *seen;          /* of each column: the number of the last row and window that met it */
    uint64_t *level[LEVELS]; /* bits for columns; then a bit for each word of the level before; the last is a
                                word */
    uint32_t top;
};

/* Lays out the marks of 2^shift columns in `room`; returns the bytes that are to be zero. */
static uint64_t lay_out(struct marks *m, uint32_t shift, void *room)
{
    uint64_t words = (uint64_t)1 << shift, *at = room;
    for (m->top = 0;; m->top++) {
        words = (words + 63) / 64;
        m->level[m->top] = at;
        at += words;
        if (words == 1)
            break;
    }
    m->seen = (uint32_t *)at;
    return 8 * (uint64_t)(at - (uint64_t *)room) + ((uint64_t)4 << shift);
}

static void sort_few(uint32_t *v, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        uint32_t moved = v[i], at = i;
        for (; at && v[at - 1] > moved; at--)
            v[at] = v[at - 1];
        v[at] = moved;
    }
}

/* Takes away what is below a word of the tree, and writes it down from `to` on; returns the end. */
static uint32_t *take_below(const struct marks *m, uint32_t l, uint32_t word, uint32_t low, uint32_t *to)
{
    uint64_t left = m->level[l][word];
    m->level[l][word] = 0;
    for (; left; left &= left - 1) {
        uint32_t bit = 64 * word + (uint32_t)__builtin_ctzll(left);
        if (l)
            to = take_below(m, l - 1, bit, low, to);
        else
            *to++ = low + bit;
    }
    return to;
}

/* Columns from `low` on. */
static void sort_many(const struct marks *m, uint32_t *v, uint32_t n, uint32_t low)
{
    for (uint32_t s = 0; s < n; s++) {
        uint32_t bit = v[s] - low;
        uint64_t before = 0;
        for (uint32_t l = 0; !before && l <= m->top; l++) {
            before = m->level[l][bit / 64];
            m->level[l][bit / 64] = before | (uint64_t)1 << bit % 64;
            bit /= 64;
        }
    }
    take_below(m, m->top, 0, low, v);
}

/* The first of the entries first .. last - 1 of B whose column is `least` or more. */
static uint32_t search(const uint32_t *col, uint32_t first, uint32_t last, uint64_t least)
{
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (col[middle] < least)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* A row, and the window that begins at column `low`. */
struct item {
    uint32_t i, w, number;
    uint64_t low;
};

/* The entries of row k of B that lie in the window. */
static inline void meet(const struct spgemm_window_rows_args *a, struct item t, uint32_t k, uint32_t *first,
                        uint32_t *last)
{
    *first = a->b_row[k];
    *last = a->b_row[k + (size_t)1];
    if (t.w)
        *first = search(a->b_col, *first, *last, t.low);
    if (t.w + 1 < a->windows)
        *last = search(a->b_col, *first, *last, t.low + ((uint64_t)1 << a->shift));
}

static uint32_t count_columns(const struct spgemm_window_rows_args *a, const struct marks *m, struct item t)
{
    uint32_t *seen = m->seen, sum = 0, first, last, low = (uint32_t)t.low;
    for (uint32_t e = a->a_row[t.i]; e < a->a_row[t.i + (size_t)1]; e++) {
        meet(a, t, a->a_col[e], &first, &last);
        for (uint32_t f = first; f < last; f++) {
            uint32_t column = a->b_col[f] - low;
            sum += seen[column] != t.number;
            seen[column] = t.number;
        }
    }
    return sum;
}

static void store_columns(const struct spgemm_window_rows_args *a, const struct marks *m, struct item t,
                          uint32_t *to)
{
    uint32_t *seen = m->seen, n = 0, first, last, low = (uint32_t)t.low;
    for (uint32_t e = a->a_row[t.i]; e < a->a_row[t.i + (size_t)1]; e++) {
        meet(a, t, a->a_col[e], &first, &last);
        for (uint32_t f = first; f < last; f++) {
            uint32_t column = a->b_col[f] - low;
            if (seen[column] != t.number)
                to[n++] = a->b_col[f];
            seen[column] = t.number;
        }
    }
    if (n <= FEW)
        sort_few(to, n);
    else
        sort_many(m, to, n, low);
}

static void work_on(const struct spgemm_window_rows_args *a, const struct marks *m, uint32_t s)
{
    uint32_t *begin = a->begin + (size_t)s * a->windows;
    for (uint32_t w = 0; w < a->windows; w++) {
        struct item t = {a->list[s], w, s * a->windows + w + 1, (uint64_t)w << a->shift};
        if (!a->fill)
            begin[w] = count_columns(a, m, t);
        else if (begin[w] != begin[w + 1])
            store_columns(a, m, t, a->c_col + a->c_row[t.i] + (begin[w] - begin[0]));
    }
}

/* The rows that nobody has taken begin at `next`. */
struct rest {
    const struct spgemm_window_rows_args *a;
    uint64_t next;
};

/* Whoever has a room takes rows as long as there are some. */
static void work_in_rooms(const void *rest, struct member *me)
{
    const struct spgemm_window_rows_args *a = ((const struct rest *)rest)->a;
    uint64_t *next = &((struct rest *)rest)->next;
    TEAM_FOR(me, r, a->rooms, a->rows > SPGEMM_HOST_ROWS ? 2 : UINT32_MAX, 1)
    {
        struct marks m;
        char *room = (char *)a->room + r * SPGEMM_ROOM_BYTES(a->shift);
        uint64_t bytes = lay_out(&m, a->shift, room);
        bool clear = false;
        for (uint64_t first;
             (first = __atomic_fetch_add(next, SPGEMM_HOST_ROWS, __ATOMIC_RELAXED)) < a->rows;) {
            if (!clear)
                memset(room, 0, bytes);
            clear = true;
            for (uint64_t s = first; s < a->rows && s < first + SPGEMM_HOST_ROWS; s++)
                work_on(a, &m, (uint32_t)s);
        }
    }
}

KERNEL(spgemm_window_rows)
{
    struct rest rest = {a, 0};
    team_call(me, work_in_rooms, &rest);
}
