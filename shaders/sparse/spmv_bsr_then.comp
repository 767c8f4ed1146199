#include "kernel.glsl"
#include "sparse/bsr_row.glsl"

/* A x and the operation on its rows (sparse/then.h), A in BSR without long rows. y is not x. Traffic: the entries, a
 * word for each block and its mask, the row offsets, x, and the operands and results of the form, once. */
ARGS {
    guard       g;
    u32s        row; /* n + 1 offsets, of CSR */
    u32s        slice;
    u32s        block;
    u32s        first;
    u32s        mask; /* if some blocks are partial */
    values      val;
    real_number weight;
    scalars     d;
    scalars     x;
    scalars     b;
    scalars     y;
    scalars     z;
    uint        n;     /* rows */
};
CONSTANT(1, size);   /* of a block: 2 to 8 */
CONSTANT(2, lanes);  /* per row */
CONSTANT(3, full);   /* whether all blocks are full */
CONSTANT(4, form);   /* PRODUCT_STEP ... */
CONSTANT(5, varies); /* 0: D is d[0] in all rows */

#include "sparse/then.glsl"

void main()
{
    bsr A = bsr(offsets_in(row), offsets_in(slice), offsets_in(block), offsets_in(first), offsets_in(mask),
                values_in(val), n, size, full != 0);
    uint rows = 256u / parts_of(lanes), part = ME / rows, i = gl_WorkGroupID.x * rows + ME % rows;
    bsr_row p = row_at(A, i); /* loaded together with the guard */
    if (stopped(g))
        return;
    real w = weight_of_all();
    for (uint from = gl_WorkGroupID.x * rows; from < n; from += gl_NumWorkGroups.x * rows) {
        bool mine = part == 0u && i < n;
        row_takes t = takes_of(i, mine);
        scalar_t sum = bsr_sum(A, scalars_in(x), p, part, lanes);
        if (mine)
            leave_row(i, t, w, sum);
        i += gl_NumWorkGroups.x * rows;
        p = row_at(A, i);
    }
}
