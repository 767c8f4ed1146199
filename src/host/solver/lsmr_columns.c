#include "host/powers.h"
#include "host/sum.h"
#include "shaders/solver/lsmr.h"

enum { MOST = BIAS - LSMR_MARGIN };

static int within(int e)
{
    return e < -MOST ? -MOST : e > MOST ? MOST : e;
}

static real largest_of(const values val, uint32_t begin, uint32_t end)
{
    real largest = 0;
    for (uint32_t k = begin; k < end; k++) {
        real v = val[k] < 0 ? -(real)val[k] : (real)val[k];
        largest = v > largest ? v : largest;
    }
    return largest;
}

/* Sums in the order of 32 lanes. */
static real sum_of_squares(const values val, uint32_t begin, uint32_t end, real unit)
{
    real lane[32] = {0};
    for (uint32_t k = begin; k < end; k++) {
        scalar_t v = unit * (scalar_t)val[k];
        lane[(k - begin) % 32] += magnitude_squared(v);
    }
    return tile_lanes(lane);
}

KERNEL(lsmr_columns)
{
    PARALLEL_FOR (j, a->n) {
        uint32_t begin = a->row[j], end = a->row[j + 1];
        real largest = largest_of(a->val, begin, end);
        int e = within(exponent_of(largest));
        real sum = sum_of_squares(a->val, begin, end, power_of_two(-e));
        int root = exponent_of(sum) >> 1;
        bool empty = largest == 0;
        int to = !a->equal && !empty ? within(-e - root) : 0;
        a->scale[j] = power_of_two(to);
        a->norm[j] = empty ? 0 : ROOT(sum) * power_of_two(to) * power_of_two(e);
    }
}
