#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "exact.glsl"

/* ratio[i] = (sum of |a_ij|, j != i) / |a_ii|, infinite or NaN where the diagonal is zero: at most 1 in a
 * row that is diagonally dominant. No eigenvalue of D^-1 A is further from 1 than the largest (S.
 * Gershgorin, 1931). A squad takes a row, whatever its length: lane l the entries l, l + 32 ..., then the
 * halving tree. Traffic: the matrix once, n. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col;
    values val;
    reals  ratio;
    uint   n;
};

void main()
{
    for (uint first = gl_WorkGroupID.x * 8u; first < n; first += gl_NumWorkGroups.x * 8u) {
        uint i = first + SQUAD;
        real others = real(0), diagonal = real(0);
        uint end = i < n ? row.at[i + 1] : 0;
        for (uint k = i < n ? row.at[i] + LANE : 0; k < end; k += 32u) {
            real a = abs(real(val.at[k]));
            if (col.at[k] == i)
                diagonal = a;
            else
                others = others + a;
        }
        others = squad_sum(others);
        diagonal = squad_sum(diagonal); /* 31 lanes have none */
        if (i < n && LANE == 0)
            ratio.at[i] = divide(others, diagonal);
    }
}
