#include "kernel.glsl"
#include "dense/gemv.glsl"

/* y = A x + b for large matrices: a workgroup takes eight rows of a strip of 1,024 columns, one per lane group; if
 * fewer than 32 `lanes` sum a row, a lane group takes 32 / lanes rows. With several strips, s[i strips + p] becomes the
 * sum of strip p of row i, for gemv_join. Traffic: as gemv_rows, in whole lines. */
ARGS {
    guard   g;
    scalars A;
    scalars x;
    scalars b; /* null: none */
    scalars y;
    scalars s;
    zeros   none;
    uint    rows;
    uint    cols;
    uint    ld;
    uint    lanes;
};
DEFINE_NO_ADDRESS

void main()
{
    if (stopped(g))
        return;
    uint strips = strips_of(cols), high = 256u / lanes, parts = groups_of(rows, high) * strips;
    for (uint part = gl_WorkGroupID.x; part < parts; part += gl_NumWorkGroups.x) {
        uint p = part % strips, i = (part / strips) * high + ME / lanes, from = p * GEMV_STRIP;
        uint count = i < rows ? strip_length(p, cols) : 0;
        scalar_t sum = strip_terms(scalars_in(A), i * ld + from, scalars_in(x), from, count, LANE % lanes, lanes);
        sum = lanes_sum(sum, lanes);
        if (LANE % lanes == 0 && i < rows) {
            if (strips == 1)
                leave(y, b, i, sum);
            else
                s.at[i * strips + p] = sum;
        }
    }
}
