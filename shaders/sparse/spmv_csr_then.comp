#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/csr.glsl"

/* A x and the operation on its rows (sparse/then.h), A in CSR without long rows. y is not x. Traffic: the matrix, x,
 * and the operands and results of the form, once. */
ARGS {
    guard       g;
    u32s        row; /* n + 1 offsets into col and val */
    u32s        col;
    values      val;
    real_number weight;
    scalars     d;
    scalars     x;
    scalars     b;
    scalars     y;
    scalars     z;
    uint        n;     /* rows */
};
CONSTANT(1, lanes);  /* per row */
CONSTANT(2, form);   /* PRODUCT_STEP ... */
CONSTANT(3, varies); /* 0: D is d[0] in all rows */

#include "sparse/then.glsl"

void main()
{
    csr A = csr(offsets_in(row), offsets_in(col), values_in(val), n);
    uint rows = 256u / lanes, lane = ME % lanes, i = gl_WorkGroupID.x * rows + ME / lanes;
    uvec2 range = row_range(A, i); /* loaded together with the guard */
    if (stopped(g))
        return;
    real w = weight_of_all();
    for (uint first = gl_WorkGroupID.x * rows; first < n; first += gl_NumWorkGroups.x * rows) {
        bool mine = i < n && lane == 0;
        row_takes t = takes_of(i, mine);
        scalar_t sum = lanes_sum(row_terms(A, scalars_in(x), range, lane, lanes), lanes);
        if (mine)
            leave_row(i, t, w, sum);
        i += gl_NumWorkGroups.x * rows;
        range = row_range(A, i);
    }
}
