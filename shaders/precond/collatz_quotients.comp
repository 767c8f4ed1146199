#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "exact.glsl"

/* quotient[i] = (|D^-1 A| v)_i / v_i, where v_i is the Gershgorin radius of row i, 1 + ratio[i], or a thousandth of the
 * largest one if that is more. For any v above zero the largest quotient bounds the eigenvalues of D^-1 A (L. Collatz,
 * 1942; H. Wielandt, 1950). Infinite or NaN where the diagonal is zero. A squad takes a row: lane l the entries l,
 * l + 32 ..., then the halving tree. Traffic: the matrix once, the ratios gathered, n. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col;
    values val;
    reals  ratio;
    u32s   worst; /* one word: the row of the largest ratio */
    reals  quotient;
    uint   n;
};

void main()
{
    real least = n > 0u ? real(0.0009765625) * (real(1) + ratio.at[worst.at[0]]) : real(0);
    for (uint first = gl_WorkGroupID.x * 8u; first < n; first += gl_NumWorkGroups.x * 8u) {
        uint i = first + SQUAD;
        real all = real(0), own = real(0);
        uint end = i < n ? row.at[i + 1] : 0;
        for (uint k = i < n ? row.at[i] + LANE : 0; k < end; k += 32u) {
            real a = abs(real(val.at[k])), radius = real(1) + ratio.at[col.at[k]];
            real term = a * (radius > least ? radius : least);
            all = all + term;
            if (col.at[k] == i)
                own = term;
        }
        all = squad_sum(all);
        own = squad_sum(own); /* 31 lanes have none */
        if (i < n && LANE == 0)
            quotient.at[i] = divide(all, own);
    }
}
