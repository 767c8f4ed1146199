/* An oracle for the kernels: naive, from the definitions, and without code of the library. */
#ifndef VKS_TESTS_ORACLE_H
#define VKS_TESTS_ORACLE_H

#include "entries/host_csr.h"
#include "tests/support/data.h"

/* The halving tree over the lanes of a row; overwrites v. */
static inline double sum_of_lanes(enum precision p, double *v, uint32_t lanes)
{
    for (uint32_t half = lanes / 2; half >= 1; half /= 2)
        for (uint32_t l = 0; l < half; l++)
            v[l] = rounded(p, v[l] + v[l + half]);
    return v[0];
}

/* The canonical order: tiles of 256 terms, padded with zeros, each summed by halving; then the tile sums
 * likewise, until one is left. Overwrites `terms`. */
static inline double canonical_sum(enum precision p, double *terms, size_t n)
{
    size_t count = n;
    do {
        size_t tiles = count ? (count + 255) / 256 : 1;
        for (size_t t = 0; t < tiles; t++) {
            double v[256];
            for (size_t j = 0; j < 256; j++)
                v[j] = 256 * t + j < count ? terms[256 * t + j] : 0;
            for (size_t half = 128; half >= 1; half /= 2)
                for (size_t j = 0; j < half; j++)
                    v[j] = rounded(p, v[j] + v[j + half]);
            if (n)
                terms[t] = v[0];
        }
        count = tiles;
    } while (count > 1);
    return n ? terms[0] : 0;
}

static inline double canonical_dot(enum precision p, const double *x, const double *y, size_t n)
{
    OWNED(double) *terms = room(n, sizeof *terms);
    for (size_t i = 0; i < n; i++)
        terms[i] = rounded(p, x[i] * y[i]);
    return canonical_sum(p, terms, n);
}

/* Lane l sums the terms l, l + lanes ... of the entries begin .. end - 1; then the lanes are summed by
 * halving. */
static inline double canonical_piece(enum precision p, const struct host_csr *A, const double *x,
                                     uint32_t begin, uint32_t end, uint32_t lanes)
{
    double v[32] = {0};
    for (uint32_t k = begin, term = 0; k < end; k++, term++) {
        double *lane = &v[term % lanes];
        *lane = rounded(p, *lane + rounded(p, A->val[k] * x[A->col[k]]));
    }
    for (uint32_t half = lanes / 2; half >= 1; half /= 2)
        for (uint32_t l = 0; l < half; l++)
            v[l] = rounded(p, v[l] + v[l + half]);
    return v[0];
}

/* A row of up to 256 entries is one piece. A longer one has pieces of 1,024, summed by 32 lanes each; the
 * sums of pieces are added like those of a vector. */
static inline double canonical_row(enum precision p, const struct host_csr *A, const double *x, uint32_t i,
                                   uint32_t lanes)
{
    uint32_t begin = A->row[i], end = A->row[i + 1], pieces = 0;
    if (end - begin <= 256)
        return canonical_piece(p, A, x, begin, end, lanes);
    OWNED(double) *sums = room((end - begin) / 1024 + 1, sizeof *sums);
    for (; begin < end; begin += end - begin < 1024 ? end - begin : 1024)
        sums[pieces++] = canonical_piece(p, A, x, begin, end - begin < 1024 ? end : begin + 1024, 32);
    return canonical_sum(p, sums, pieces);
}

/* A sum with about 120 bits if long double has 64: Neumaier, "Rundungsfehleranalyse einiger Verfahren zur
 * Summation endlicher Summen" (1974). */
struct precise_sum {
    long double sum, lost;
};

static inline void precise_add(struct precise_sum *s, long double v)
{
    long double sum = s->sum + v;
    s->lost += fabsl(s->sum) >= fabsl(v) ? (s->sum - sum) + v : (v - sum) + s->sum;
    s->sum = sum;
}

static inline long double precise_value(const struct precise_sum *s)
{
    return s->sum + s->lost;
}

/* ||b - A x|| / ||b||, computed in long double. */
static inline double precise_residual(const struct host_csr *A, const double *x, const double *b)
{
    struct precise_sum rr = {0}, bb = {0};
    for (uint32_t i = 0; i < A->rows; i++) {
        struct precise_sum r = {.sum = b[i]};
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            precise_add(&r, -(long double)A->val[k] * x[A->col[k]]);
        long double e = precise_value(&r);
        precise_add(&rr, e * e);
        precise_add(&bb, (long double)b[i] * b[i]);
    }
    long double norm = sqrtl(precise_value(&bb));
    return norm > 0 ? (double)(sqrtl(precise_value(&rr)) / norm) : 0;
}

#endif
