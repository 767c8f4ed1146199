#include "host/kernel.h"
#include "shaders/sparse/symmetry.h"

#if REAL == 64
static const real rounding = SYMMETRY_ROUNDING_64, least = SYMMETRY_LEAST_64;
#else
static const real rounding = (real)SYMMETRY_ROUNDING_32, least = (real)SYMMETRY_LEAST_32;
#endif

/* a_ij, or 0 if not stored. */
static scalar_t entry(const struct csr_symmetry_args *a, uint32_t i, uint32_t j)
{
    uint32_t from = a->row[i], end = a->row[i + 1], to = end;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (a->col[middle] < j)
            from = middle + 1;
        else
            to = middle;
    }
    return from < end && a->col[from] == j ? (scalar_t)a->val[from] : 0;
}

static real size_of(scalar_t v)
{
    return v < 0 ? -v : v;
}

static bool is_unequal(const struct csr_symmetry_args *a, uint32_t i, uint32_t k)
{
    uint32_t j = a->col[k];
    scalar_t v = (scalar_t)a->val[k], mirrored = entry(a, j, i);
    real differ = size_of(v - mirrored),
         larger = size_of(v) > size_of(mirrored) ? size_of(v) : size_of(mirrored);
    return j != i && differ >= least && differ > rounding * larger &&
           differ > rounding * (ROOT(size_of(entry(a, i, i))) * ROOT(size_of(entry(a, j, j))));
}

static bool is_symmetric(const struct csr_symmetry_args *a, uint32_t i)
{
    for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
        if (is_unequal(a, i, k))
            return false;
    return true;
}

KERNEL(csr_symmetry)
{
    PARALLEL_FOR (i, a->n) {
        real d = real_part(entry(a, i, i));
        take_least(&a->found[d == 0 ? SYMMETRY_ZERO : d < 0 ? SYMMETRY_NEGATIVE : SYMMETRY_POSITIVE], i);
        if (a->found[SYMMETRY_UNEQUAL] > i && !is_symmetric(a, i))
            take_least(&a->found[SYMMETRY_UNEQUAL], i);
    }
}
