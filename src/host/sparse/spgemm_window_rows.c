/* On the host a window may be as wide as the matrix, and rows may have any length, as in F. Gustavson (1978):
 * each thread has a word for each column, with the last row that has it. The columns of a row are then
 * sorted: a few by insertion, many by a tree of bits. */
#include "device/bit_tree.h"
#include "device/search.h"
#include "host/kernel.h"
#include "shaders/sparse/spgemm.h"

#include <string.h>

enum { FEW = 64 };

struct marks {
    uint32_t *seen; /* for each column: the number of the last row and window that has it */
    struct bit_tree found;
};

/* Lays out the marks of 2^shift columns in `room`; returns the bytes to zero. */
static uint64_t lay_out(struct marks *m, uint32_t shift, void *room)
{
    uint64_t *end = bit_tree_lay_out(&m->found, (uint64_t)1 << shift, room);
    m->seen = (uint32_t *)end;
    return 8 * (uint64_t)(end - (uint64_t *)room) + ((uint64_t)4 << shift);
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

/* Sorts columns, which are `low` or more. */
static void sort_many(const struct marks *m, uint32_t *v, uint32_t n, uint32_t low)
{
    for (uint32_t s = 0; s < n; s++)
        bit_tree_add(&m->found, v[s] - low);
    bit_tree_take(&m->found, low, v);
}

/* A row, and the window that begins at column `low`. */
struct item {
    uint32_t i, w, number;
    uint64_t low;
};

/* The entries of row k of B in the window. */
static inline void find_range(const struct spgemm_window_rows_args *a, struct item t, uint32_t k,
                              uint32_t *first, uint32_t *last)
{
    *first = a->b_row[k];
    *last = a->b_row[k + (size_t)1];
    if (t.w)
        *first = first_not_below(a->b_col, *first, *last, t.low);
    if (t.w + 1 < a->windows)
        *last = first_not_below(a->b_col, *first, *last, t.low + ((uint64_t)1 << a->shift));
}

static uint32_t count_columns(const struct spgemm_window_rows_args *a, const struct marks *m, struct item t)
{
    uint32_t *seen = m->seen, sum = 0, first, last, low = (uint32_t)t.low;
    for (uint32_t e = a->a_row[t.i]; e < a->a_row[t.i + (size_t)1]; e++) {
        find_range(a, t, a->a_col[e], &first, &last);
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
        find_range(a, t, a->a_col[e], &first, &last);
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

/* The rows that no thread has taken begin at `next`. */
struct rest {
    const struct spgemm_window_rows_args *a;
    uint64_t next;
};

/* Each thread with a room takes rows until none is left. */
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
