#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/csr.glsl"

/* y = A x except long rows, A in CSR. Traffic: the matrix, x and y once. */
ARGS {
    guard   g;
    u32s    row; /* n + 1 offsets into col and val */
    u32s    col;
    values  val;
    scalars x;
    scalars y;
    uint    n;     /* rows */
};
CONSTANT(1, lanes); /* per row */

void main()
{
    csr A = csr(offsets_in(row), offsets_in(col), values_in(val), n);
    uint rows = 256u / lanes, lane = ME % lanes, i = gl_WorkGroupID.x * rows + ME / lanes;
    uvec2 range = row_range(A, i); /* loaded together with the guard */
    if (stopped(g))
        return;
    for (uint first = gl_WorkGroupID.x * rows; first < n; first += gl_NumWorkGroups.x * rows) {
        scalar_t sum = lanes_sum(row_terms(A, scalars_in(x), range_if_short(range), lane, lanes), lanes);
        if (i < n && lane == 0 && !is_long(range))
            y.at[i] = sum;
        i += gl_NumWorkGroups.x * rows;
        range = row_range(A, i);
    }
}
