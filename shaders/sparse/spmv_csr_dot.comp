#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/csr.glsl"
#include "solver/control.glsl"

/* y = A x and result = x . y, A square and in CSR, while the solve is alive. Traffic: the matrix, x and y once. */
ARGS {
    control c;
    u32s    row; /* n + 1 offsets into col and val */
    u32s    col;
    reals   val;
    reals   x;
    reals   y;
    sums    s;
    tickets t;
    number  result;
    uint    n;
    uint    lanes; /* of a row's sum */
};

void main()
{
    if (!alive(c))
        return;
    csr A = csr(row, col, val, n);
    uint tiles = tiles_of(n);
    for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
        real sum = tile_product(A, x, tile, lanes);
        uint i = 256u * tile + ME;
        if (i < n)
            y.at[i] = sum;
        barrier();
        row_sums[ME] = i < n ? x.at[i] * sum : real(0);
        barrier();
        real v[8];
        for (uint k = 0; k < 8; k++)
            v[k] = row_sums[LANE + 32u * k];
        sum = tile_sum(v);
        if (ME == 0)
            s.at[tile] = sum;
        real total[1];
        if (sum_up(s, t, tiles, 0, tile, 1, total) && ME == 0)
            result.value = total[0];
    }
}
