#include "host/kernel.h"
#include "shaders/sparse/symmetry.h"
#include <string.h>

#if REAL == 64
typedef uint64_t bits;
static const real rounding = SYMMETRY_ROUNDING_64;
enum { LOWER = 32 };
#else
typedef uint32_t bits;
static const real rounding = (real)SYMMETRY_ROUNDING_32;
enum { LOWER = 0 };
#endif

/* The upper 32 bits of |v|. */
static uint32_t upper(real v)
{
    bits b;
    memcpy(&b, &v, sizeof b);
    return (uint32_t)(b >> LOWER) & 0x7FFFFFFF;
}

static real of_upper(uint32_t word)
{
    bits b = (bits)word << LOWER;
    real v;
    memcpy(&v, &b, sizeof v);
    return v;
}

/* a_ij, 0 where it is not stored. */
static real entry(const struct csr_symmetry_args *a, uint32_t i, uint32_t j)
{
    uint32_t from = a->row[i], end = a->row[i + 1], to = end;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (a->col[middle] < j)
            from = middle + 1;
        else
            to = middle;
    }
    return from < end && a->col[from] == j ? (real)a->val[from] : 0;
}

static bool is_symmetric(const struct csr_symmetry_args *a, uint32_t i, real bound)
{
    for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
        if (a->col[k] != i && (real)fabs((real)a->val[k] - entry(a, a->col[k], i)) > bound)
            return false;
    return true;
}

static uint32_t largest(const struct csr_symmetry_args *a, uint32_t i)
{
    uint32_t most = 0;
    for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++) {
        uint32_t word = upper((real)a->val[k]);
        most = word > most ? word : most;
    }
    return most;
}

KERNEL(csr_symmetry)
{
    if (a->part == 0) {
        PARALLEL_FOR (i, a->n) {
            take_most(&a->found[SYMMETRY_LARGEST], largest(a, i));
        }
        return;
    }
    real bound = rounding * of_upper(a->found[SYMMETRY_LARGEST]);
    PARALLEL_FOR (i, a->n) {
        real d = entry(a, i, i);
        take_least(&a->found[d == 0 ? SYMMETRY_ZERO : d < 0 ? SYMMETRY_NEGATIVE : SYMMETRY_POSITIVE], i);
        if (a->found[SYMMETRY_UNEQUAL] > i && !is_symmetric(a, i, bound))
            take_least(&a->found[SYMMETRY_UNEQUAL], i);
    }
}
