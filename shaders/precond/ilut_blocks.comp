#include "kernel.glsl"
#include "sum.glsl"

/* z = U^-1 L^-1 r in each block of `size` rows, one workgroup per block; row i of the factors is row order[i] of A.
 * Traffic: the lines and their entries, r and z once in random order, 4 bytes a row. */
ARGS {
    guard   g;
    u32s    order;
    u32s    first; /* first step of each block, and the total number */
    u32s    row;   /* of each line, within its block */
    u32s    at;    /* start of each line's entries, and the end of the last */
    scalars scale;
    u32s    col; /* within the block */
    scalars val;
    scalars r;
    scalars z;
    uint    n;
    uint    size;
};
CONSTANT(1, lanes); /* lanes per line */

shared scalar_t x[1024]; /* ILUT_BLOCK */
#define X(i) x[i]
#define WAIT barrier()
#include "precond/ilut.glsl"

void main()
{
    if (stopped(g))
        return;
    for (uint b = gl_WorkGroupID.x; b < groups_of(n, size); b += gl_NumWorkGroups.x) {
        uint begin = b * size, rows = min(size, n - begin);
        for (uint i = ME; i < rows; i += 256u)
            x[i] = r.at[order.at[begin + i]];
        barrier();
        take_steps(first.at[b], first.at[b + 1u], 1u);
        for (uint i = ME; i < rows; i += 256u)
            z.at[order.at[begin + i]] = x[i];
        barrier();
    }
}
