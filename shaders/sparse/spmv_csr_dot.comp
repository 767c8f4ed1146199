#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/csr.glsl"
#include "solver/control.glsl"

/* y = A x and the sums of x . y down to FEW, A square, in CSR with one lane a row, while the solve is alive. Rows of more
 * lanes would leave a workgroup several turns for one tile: they do better with spmv_csr and then dot_few.
 * Traffic: the matrix, x and y once. */
ARGS {
    control c;
    u32s    row; /* n + 1 offsets into col and val */
    u32s    col;
    reals   val;
    reals   x;
    reals   y;
    sums    s;
    tickets t;
    uint    n;
};

#define TOGETHER 4u /* tiles between two barriers: a squad for each sum */
shared real terms[TOGETHER][256];

void sum_terms(uint tile, uint j)
{
    real v[2][4];
    for (uint part = 0; part < 2; part++)
        for (uint u = 0; u < 4; u++)
            v[part][u] = terms[j][half_element(0, part, u)];
    real sum = tile_sum(half_sum(v[0]), half_sum(v[1]));
    if (LANE == 0 && SQUAD == j)
        s.at[tile] = sum;
}

void main()
{
    if (!alive(c))
        return;
    csr A = csr(offsets_in(row), offsets_in(col), reals_in(val), n);
    uint tiles = tiles_of(n);
    FOR_SPANS(first, end, tiles, 1) {
        for (uint some = first; some < end; some += TOGETHER) {
            uint count = min(end - some, TOGETHER);
            barrier();
            for (uint j = 0; j < count; j++) {
                uint i = 256u * (some + j) + ME;
                real sum = row_terms(A, reals_in(x), i, 0, 1);
                if (i < n)
                    y.at[i] = sum;
                terms[j][ME] = i < n ? x.at[i] * sum : real(0);
            }
            barrier();
#if SUBGROUP
            if (SQUAD < count)
                sum_terms(some + SQUAD, SQUAD);
#else
            for (uint j = 0; j < count; j++) /* all take part, because of the barriers in tile_sum */
                sum_terms(some + j, j);
#endif
        }
        sum_up(s, t, tiles, 0, 0, first, end - first, FEW);
    }
}
