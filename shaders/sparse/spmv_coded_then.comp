#include "kernel.glsl"

/* A x and the operation on its rows (sparse/then.h), A without long rows, in SELL of slices of 32 rows whose entries
 * are codes. y is not x. Traffic: the codes, x, the table of kinds, and the operands and results of the form, once. */
ARGS {
    guard       g;
    u32s        slice; /* slices + 1 offsets, as if entries were stored one by one */
    u32s        code;
    u32s        apart; /* of each kind, and of code 0 */
    values      value;
    real_number weight;
    scalars     d;
    scalars     x;
    scalars     b;
    scalars     y;
    scalars     z;
    uint        n;     /* rows */
    uint        units; /* of four entries, per row in every slice; 0: see `slice` */
};
CONSTANT(1, wide);   /* whether a code has 16 bits, else 8 */
CONSTANT(2, lanes);  /* per row: 1, 2, 4 or 8 */
CONSTANT(3, few);    /* `units` if they are few, else 0 */
CONSTANT(4, form);   /* PRODUCT_STEP ... */
CONSTANT(5, varies); /* 0: D is d[0] in all rows */

#include "sparse/coded.glsl"
#include "sparse/then.glsl"

void main()
{
    coded A = coded_of(slice, code, apart, value, n, few != 0 ? few : units, wide);
    if (stopped(g))
        return;
    real w = weight_of_all();
    FOR_EACH(i, n) {
        row_takes t = takes_of(i, true);
        leave_row(i, t, w, coded_row(A, scalars_in(x), coded_slice_at(A, i / 32u), i, lanes, few));
    }
}
