#include "host/kernel.h"

/* The first of col[s .. n - 1], which ascend, that is `column` or more; near s it is found soon. */
static uint32_t gallop(const uint32_t *col, uint32_t s, uint32_t n, uint32_t column)
{
    uint32_t step = 1;
    while (s < n && step < n - s && col[s + step] < column) {
        s += step;
        step *= 2;
    }
    uint32_t end = step < n - s ? s + step : n;
    while (s < end) {
        uint32_t middle = s + (end - s) / 2;
        if (col[middle] < column)
            s = middle + 1;
        else
            end = middle;
    }
    return s;
}

/* Adds alpha times a row of B, `count` entries, to the n of a row of C; false where that lacks one. */
static bool add_row(const uint32_t *c_col, real *c_val, uint32_t n, real alpha, const uint32_t *col,
                    const real *val, uint32_t count)
{
    bool whole = true;
    for (uint32_t f = 0, s = 0; f < count; f++) {
        s = gallop(c_col, s, n, col[f]);
        if (s < n && c_col[s] == col[f])
            c_val[s] += alpha * val[f];
        else
            whole = false;
    }
    return whole;
}

/* A thread takes the whole row: the same sums as in pieces. */
static bool sum_row(const struct spgemm_values_args *a, uint32_t i)
{
    const uint32_t *col = a->c_col + a->c_row[i], n = a->c_row[i + (size_t)1] - a->c_row[i];
    real *val = a->c_val + a->c_row[i];
    bool whole = true;
    for (uint32_t s = 0; s < n; s++)
        val[s] = 0;
    for (uint32_t e = a->a_row[i]; e < a->a_row[i + (size_t)1]; e++) {
        uint32_t k = a->a_col[e], first = a->b_row[k], count = a->b_row[k + (size_t)1] - first;
        whole &= add_row(col, val, n, a->a_val[e], a->b_col + first, a->b_val + first, count);
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
        if (a->piece_begin[q] == a->c_row[i] && !sum_row(a, i))
            lacks(a->missing, i);
    }
}
