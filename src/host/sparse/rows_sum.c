#include "host/kernel.h"
#include "shaders/sparse/long.h"

static scalar_t row_sum(const scalar_t *restrict term, uint32_t count, uint32_t lanes)
{
    scalar_t v[32] = {0};
    uint32_t k = 0;
    for (; count - k >= lanes; k += lanes)
        for (uint32_t l = 0; l < lanes; l++)
            v[l] += term[k + l];
    for (uint32_t l = 0; k + l < count; l++)
        v[l] += term[k + l];
    for (uint32_t stride = lanes / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            v[l] += v[l + stride];
    return v[0];
}

KERNEL(rows_sum)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t begin = a->row[i], count = a->row[i + (size_t)1] - begin;
        if (count <= LONG_ROW)
            a->y[i] = row_sum(a->term + begin, count, a->lanes);
    }
}
