#include "host/solver/control.h"

enum { MOST = 256 };

/* Terms begin at +0: so adding what is missing, which is zero, would change no bit. */
static real row_sum(const real *restrict term, uint32_t count)
{
    real v[MOST];
    uint32_t width = 1;
    while (width < MOST && width < count)
        width *= 2;
    for (uint32_t l = 0; l < width; l++)
        v[l] = 0;
    for (uint32_t k = 0; k < count; k += MOST)
        for (uint32_t l = 0, some = count - k < MOST ? count - k : MOST; l < some; l++)
            v[l] += term[k + l];
    for (uint32_t stride = width / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            v[l] += v[l + stride];
    return v[0];
}

KERNEL(rows_pairwise)
{
    if (a->c && !alive(a->c))
        return;
    PARALLEL_FOR (i, a->n) {
        uint32_t begin = a->row[i];
        a->y[i] = row_sum(a->term + begin, a->row[i + (size_t)1] - begin);
    }
}
