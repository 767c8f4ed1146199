#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/csr.glsl"

/* y = A x, A in CSR. Traffic: the matrix, x and y once. */
ARGS {
    u32s  row; /* n + 1 offsets into col and val */
    u32s  col;
    reals val;
    reals x;
    reals y;
    uint  n;     /* rows */
    uint  lanes; /* of a row's sum */
};

void main()
{
    csr A = csr(row, col, val, n);
    for (uint tile = gl_WorkGroupID.x; tile < groups_of(n, 256u); tile += gl_NumWorkGroups.x) {
        real sum = tile_product(A, x, tile, lanes);
        uint i = 256u * tile + ME;
        if (i < n)
            y.at[i] = sum;
    }
}
