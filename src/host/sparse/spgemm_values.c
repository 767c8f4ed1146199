#include "../../../shaders/sparse/spgemm.h"
#include "host/kernel.h"

/* A piece of a row of C: its columns and sums, and the columns in which products belong to it, from `low` on,
 * up to, not including, `high`. */
struct piece {
    const uint32_t *col;
    real *val;
    uint32_t length;
    uint64_t low, high;
};

static struct piece piece_of(const struct spgemm_values_args *a, uint32_t i, uint32_t begin)
{
    uint32_t left = a->c_row[i + (size_t)1] - begin;
    struct piece p = {a->c_col + begin, a->c_val + begin, left < SPGEMM_PIECE ? left : SPGEMM_PIECE, 0,
                      UINT64_MAX};
    if (begin != a->c_row[i])
        p.low = p.col[0];
    if (p.length < left)
        p.high = p.col[p.length];
    for (uint32_t s = 0; s < p.length; s++)
        p.val[s] = 0;
    return p;
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

/* Adds alpha times a row of B to the piece; false where it has an entry that the piece lacks. Both ascend. */
static bool add_row(const struct piece *p, real alpha, const uint32_t *col, const real *val, uint32_t first,
                    uint32_t last)
{
    bool whole = true;
    uint32_t s = 0;
    for (uint32_t f = p->low ? search(col, first, last, p->low) : first; f < last && col[f] < p->high; f++) {
        while (s < p->length && p->col[s] < col[f])
            s++;
        if (s < p->length && p->col[s] == col[f])
            p->val[s] += alpha * val[f];
        else
            whole = false;
    }
    return whole;
}

static void lacks(uint32_t *missing, uint32_t i)
{
    PRAGMA(omp critical(spgemm_values))
    if (i < *missing)
        *missing = i;
}

KERNEL(spgemm_values)
{
    uint32_t pieces = *a->pieces;
    PRAGMA(omp parallel for schedule(dynamic, 64) if (pieces > 64))
    for (uint32_t q = 0; q < pieces; q++) {
        uint32_t i = a->piece_row[q];
        struct piece p = piece_of(a, i, a->piece_begin[q]);
        for (uint32_t e = a->a_row[i]; e < a->a_row[i + (size_t)1]; e++) {
            uint32_t k = a->a_col[e];
            if (!add_row(&p, a->a_val[e], a->b_col, a->b_val, a->b_row[k], a->b_row[k + (size_t)1]))
                lacks(a->missing, i);
        }
    }
}
