#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "solver/control.glsl"

/* y = the sums of rows whose terms are there, in pairs: a halving tree over up to 256 terms, what is missing counts as
 * zero. In longer rows term k is first added to those 256, 512 ... before it. Within a solve (c is not null) only while it
 * is alive. A squad takes a row. Traffic: the terms, the offsets and y once.
 *
 * N. J. Higham, "The accuracy of floating point summation", SIAM J. Sci. Comput. 14 (1993): the error grows with log n. */
ARGS {
    control c;
    u32s    row; /* n + 1 offsets into term */
    reals   term;
    reals   y;
    uint    n;
};

ADDRESS(REAL_BYTES) readonly restrict buffer reals_in { real at[]; };

/* The terms k, k + 64, k + 128, k + 192 of a row, and those 256 behind them. */
real part_sum(uint k, uint end)
{
    reals_in terms = reals_in(term);
    real v[4];
    for (uint u = 0; u < 4u; u++)
        v[u] = real(0);
    for (; k < end; k += 256u)
        [[unroll]] for (uint u = 0; u < 4u; u++)
            v[u] = v[u] + (k + 64u * u < end ? terms.at[k + 64u * u] : real(0));
    return half_sum(v);
}

void main()
{
    if (uvec2(c) != uvec2(0) && !alive(c))
        return;
    for (uint first = 8u * gl_WorkGroupID.x; first < n; first += 8u * gl_NumWorkGroups.x) {
        uint i = first + SQUAD, begin = row.at[min(i, n)] + LANE, end = row.at[min(i + 1u, n)];
        real sum = tile_sum(part_sum(begin, end), part_sum(begin + 32u, end));
        if (i < n && LANE == 0)
            y.at[i] = sum;
    }
}
