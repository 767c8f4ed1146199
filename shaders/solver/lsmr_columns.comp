#define REAL_SUMS
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/lsmr.h"

/* The norms of the columns of A, which are the rows of its transpose, and the powers of two that scale them to between
 * 1 and 2. If `equal` is 1, all scales are 1. An empty column has the norm 0 and the scale 1. A lane group takes a
 * column: lane k sums the squares of the entries k, k + 32 and so on, relative to the largest. Traffic: the values
 * twice, 2n. */
ARGS {
    u32s   row; /* n + 1 offsets into val */
    values val;
    reals  scale;
    reals  norm; /* of each column times its scale */
    uint   n;
};
CONSTANT(1, equal);

const int MOST = int(BIAS) - LSMR_MARGIN;

/* The larger of the two; `largest` if v is NaN. */
real larger(real largest, real v)
{
    return v > largest ? v : largest;
}

/* The largest of the lane group's values, which are not negative. */
real squad_largest(real v)
{
    v = larger(v, SQUAD_XOR(v, 16u));
    v = larger(v, SQUAD_XOR(v, 8u));
    v = larger(v, SQUAD_XOR(v, 4u));
    v = larger(v, SQUAD_XOR(v, 2u));
    return larger(v, SQUAD_XOR(v, 1u));
}

int exponent_within(real v)
{
    return clamp(int(exponent_of(v)) - int(BIAS), -MOST, MOST);
}

void main()
{
    for (uint first = 8u * gl_WorkGroupID.x; first < n; first += 8u * gl_NumWorkGroups.x) {
        uint j = first + SQUAD, begin = j < n ? row.at[j] : 0, end = j < n ? row.at[j + 1] : 0;
        real largest = real(0), sum = real(0);
        for (uint k = begin + LANE; k < end; k += 32u)
            largest = larger(largest, magnitude(scalar_t(val.at[k])));
        largest = squad_largest(largest);
        int e = exponent_within(largest);
        real unit = power_of_two(-e);
        for (uint k = begin + LANE; k < end; k += 32u) {
            scalar_t v = unit * scalar_t(val.at[k]);
            sum += magnitude_squared(v);
        }
        sum = squad_sum(sum);
        int root = (int(exponent_of(sum)) - int(BIAS)) >> 1;
        if (j >= n || LANE != 0)
            continue;
        bool empty = largest == real(0);
        int to = equal == 0 && !empty ? clamp(-e - root, -MOST, MOST) : 0;
        scale.at[j] = power_of_two(to);
        norm.at[j] = empty ? real(0) : square_root(sum) * power_of_two(to) * power_of_two(e);
    }
}
