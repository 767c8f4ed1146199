/* On the host a window may be as wide as the matrix, and rows of any length are taken: each thread marks
 * columns in bits of its own, and above those keeps a bit for each word that has any, and so on, so that what
 * is marked is found again, in order, without a sort and without a look at what is not. */
#include "../../../shaders/sparse/spgemm.h"
#include "host/kernel.h"

#include <string.h>

enum { LEVELS = 6, ROWS_AT_A_TIME = 8 };

struct tree {
    uint64_t *level[LEVELS]; /* the columns' bits, then those of the words below; the last is one word */
    uint32_t top;
};

/* Lays the levels of a tree of 2^shift columns out in `room`; returns their words. */
static uint64_t lay_out(struct tree *t, uint32_t shift, uint64_t *room)
{
    uint64_t words = 0;
    for (t->top = 0;; t->top++) {
        shift = shift > 6 ? shift - 6 : 0;
        t->level[t->top] = room + words;
        words += (uint64_t)1 << shift;
        if (!shift)
            return words;
    }
}

static inline void mark(const struct tree *t, uint32_t column)
{
    uint64_t before;
    uint32_t l = 0;
    do {
        uint64_t *word = &t->level[l][column / 64];
        before = *word;
        *word = before | (uint64_t)1 << column % 64;
        column /= 64;
    } while (!before && l++ < t->top);
}

/* Takes away the marks below a word; adds up how many they are. */
static uint32_t count_marks(const struct tree *t, uint32_t l, uint32_t word)
{
    uint64_t left = t->level[l][word];
    uint32_t sum = 0;
    t->level[l][word] = 0;
    if (!l)
        return (uint32_t)__builtin_popcountll(left);
    for (; left; left &= left - 1)
        sum += count_marks(t, l - 1, 64 * word + (uint32_t)__builtin_ctzll(left));
    return sum;
}

/* Takes away the marks below a word, and writes down from `to` on which they were; returns the end. */
static uint32_t *store_marks(const struct tree *t, uint32_t l, uint32_t word, uint32_t low, uint32_t *to)
{
    uint64_t left = t->level[l][word];
    t->level[l][word] = 0;
    for (; left; left &= left - 1) {
        uint32_t bit = 64 * word + (uint32_t)__builtin_ctzll(left);
        if (l)
            to = store_marks(t, l - 1, bit, low, to);
        else
            *to++ = low + bit;
    }
    return to;
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

static void mark_row(const struct spgemm_window_rows_args *a, const struct tree *t, uint32_t i, uint32_t w)
{
    uint64_t low = (uint64_t)w << a->shift;
    for (uint32_t e = a->a_row[i]; e < a->a_row[i + (size_t)1]; e++) {
        uint32_t first = a->b_row[a->a_col[e]], last = a->b_row[a->a_col[e] + (size_t)1];
        if (w)
            first = search(a->b_col, first, last, low);
        if (w + 1 < a->windows)
            last = search(a->b_col, first, last, low + ((uint64_t)1 << a->shift));
        for (uint32_t f = first; f < last; f++)
            mark(t, a->b_col[f] - (uint32_t)low);
    }
}

static void work_on(const struct spgemm_window_rows_args *a, const struct tree *t, uint32_t s)
{
    uint32_t i = a->list[s], *begin = a->begin + (size_t)s * a->windows;
    for (uint32_t w = 0; w < a->windows; w++) {
        if (a->fill && begin[w] == begin[w + 1])
            continue;
        mark_row(a, t, i, w);
        if (a->fill)
            store_marks(t, t->top, 0, w << a->shift, a->c_col + a->c_row[i] + (begin[w] - begin[0]));
        else
            begin[w] = count_marks(t, t->top, 0);
    }
}

static uint64_t next_rows(uint64_t *next)
{
    uint64_t first;
    PRAGMA(omp atomic capture)
    {
        first = *next;
        *next += ROWS_AT_A_TIME;
    }
    return first;
}

KERNEL(spgemm_window_rows)
{
    uint64_t next = 0;
    PRAGMA(omp parallel for schedule(static, 1) if (a->rows > ROWS_AT_A_TIME))
    for (uint32_t r = 0; r < a->rooms; r++) {
        struct tree t;
        uint64_t *room = (uint64_t *)(void *)a->room + r * (SPGEMM_ROOM_BYTES(a->shift) / 8);
        uint64_t words = lay_out(&t, a->shift, room);
        bool clear = false;
        for (uint64_t first; (first = next_rows(&next)) < a->rows;) {
            if (!clear)
                memset(room, 0, 8 * words);
            clear = true;
            for (uint64_t s = first; s < a->rows && s < first + ROWS_AT_A_TIME; s++)
                work_on(a, &t, (uint32_t)s);
        }
    }
}
