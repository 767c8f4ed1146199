#include "host/powers.h"

/* A nonzero exponent if `largest` is beyond 2^(BIAS / 2 - 4) or below 2^-(BIAS / 2 - 16). */
static int exponent_of_scale(real largest)
{
    int half_range = BIAS / 2, e = exponent_of(largest);
    return e > half_range - 4 ? -half_range : e < 16 - half_range ? half_range : 0;
}

static real norm_of(const real *block, uint32_t size)
{
    real sum = 0, largest = 0;
    for (uint32_t k = 0; k < size; k++) {
        real a = block[k] < 0 ? -block[k] : block[k];
        largest = a > largest ? a : largest;
    }
    int power = exponent_of_scale(largest);
    real scale = power_of_two(power);
    for (uint32_t k = 0; k < size; k++) {
        real a = block[k] * scale;
        sum += a * a;
    }
    return ROOT(sum) * power_of_two(-power);
}

KERNEL(block_norms)
{
    uint32_t size = a->size * a->size;
    PARALLEL_FOR (e, a->entries) {
        a->norm[e] = norm_of(a->val + (size_t)size * e, size);
        if (a->col[e] == a->rows[e])
            a->inverse[a->rows[e]] = 1 / a->norm[e];
    }
}
