/* An oracle for pairs of floats: by definition, with errors of sums and products computed in double, where
 * they are exact. */
#ifndef VKS_TESTS_PAIRS_ORACLE_H
#define VKS_TESTS_PAIRS_ORACLE_H

#include "tests/support/oracle.h"

struct two {
    double high, low; /* floats */
};

static inline struct two two_of(double v)
{
    return (struct two){(float)v, (float)(v - (float)v)};
}

static inline struct two two_sum(double a, double b)
{
    double sum = (float)(a + b);
    bool ordered = fabs(a) >= fabs(b);
    return (struct two){sum, ordered ? b - (sum - a) : a - (sum - b)};
}

static inline struct two two_product(double a, double b)
{
    double product = (float)(a * b);
    return (struct two){product, a * b - product};
}

static inline struct two two_plus(struct two a, struct two b)
{
    struct two s = two_sum(a.high, b.high), t = two_sum(a.low, b.low);
    s = two_sum(s.high, (float)(s.low + t.high));
    return two_sum(s.high, (float)(t.low + s.low));
}

static inline struct two two_times(struct two a, struct two b)
{
    struct two s = two_product(a.high, b.high);
    double low = (float)((float)(a.high * b.low) + (double)(float)(a.low * b.high));
    return two_sum(s.high, (float)(s.low + low));
}

/* canonical_sum, canonical_piece and canonical_row of such values. */
static inline struct two two_canonical_sum(struct two *terms, size_t n)
{
    for (size_t count = n; count > 1; count = (count + 255) / 256)
        for (size_t t = 0; t < (count + 255) / 256; t++) {
            struct two v[256] = {{0, 0}};
            for (size_t j = 0; j < 256 && 256 * t + j < count; j++)
                v[j] = terms[256 * t + j];
            for (size_t half = 128; half >= 1; half /= 2)
                for (size_t j = 0; j < half; j++)
                    v[j] = two_plus(v[j], v[j + half]);
            terms[t] = v[0];
        }
    return n ? terms[0] : (struct two){0, 0};
}

static inline struct two two_canonical_piece(const struct host_csr *A, const double *x, uint32_t begin,
                                             uint32_t end, uint32_t lanes)
{
    struct two v[32] = {{0, 0}};
    for (uint32_t k = begin; k < end; k++) {
        struct two *lane = &v[(k - begin) % lanes];
        *lane = two_plus(*lane, two_times(two_of(A->val[k]), two_of(x[A->col[k]])));
    }
    for (uint32_t half = lanes / 2; half >= 1; half /= 2)
        for (uint32_t l = 0; l < half; l++)
            v[l] = two_plus(v[l], v[l + half]);
    return v[0];
}

static inline struct two two_canonical_row(const struct host_csr *A, const double *x, uint32_t i,
                                           uint32_t lanes)
{
    uint32_t begin = A->row[i], end = A->row[i + 1], pieces = 0;
    if (end - begin <= 256)
        return two_canonical_piece(A, x, begin, end, lanes);
    struct two *sums = room((end - begin) / 1024 + 1, sizeof *sums);
    for (; begin < end; begin += end - begin < 1024 ? end - begin : 1024)
        sums[pieces++] = two_canonical_piece(A, x, begin, end - begin < 1024 ? end : begin + 1024, 32);
    struct two sum = two_canonical_sum(sums, pieces);
    free(sums);
    return sum;
}

#endif
