#include "host/kernel.h"
#include "shaders/sparse/long.h"

/* The sum of at most LONG_ROW terms. Padding with +0 changes only the sign of a -0. */
static scalar_t row_sum(const scalar_t *restrict term, uint32_t count)
{
    scalar_t v[LONG_ROW];
    uint32_t width = 1;
    while (width < count)
        width *= 2;
    for (uint32_t l = 0; l < width; l++)
        v[l] = l < count ? term[l] : 0;
    for (uint32_t stride = width / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            v[l] += v[l + stride];
    return count < LONG_ROW ? v[0] + 0 : v[0];
}

KERNEL(rows_pairwise)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t begin = a->row[i], count = a->row[i + (size_t)1] - begin;
        if (count <= LONG_ROW)
            a->y[i] = row_sum(a->term + begin, count);
    }
}
