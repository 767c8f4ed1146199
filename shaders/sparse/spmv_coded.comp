#include "kernel.glsl"

/* y = A x except long rows, A in SELL of slices of 32 rows whose entries are codes. Traffic: the codes, x and y once,
 * and the table of kinds. */
ARGS {
    guard   g;
    u32s    slice; /* slices + 1 offsets, as if entries were stored one by one */
    u32s    code;
    u32s    apart; /* of each kind, and of code 0 */
    values  value;
    scalars x;
    scalars y;
    u32s    bits; /* which rows are long */
    uint    n;     /* rows */
    uint    units; /* of four entries, per row in every slice; 0: see `slice` */
};
CONSTANT(1, wide);  /* whether a code has 16 bits, else 8 */
CONSTANT(2, lanes); /* per row: 1, 2, 4 or 8 */
CONSTANT(3, longs); /* whether some rows are long */
CONSTANT(4, few);   /* `units` if they are few, else 0 */

#include "sparse/coded.glsl"

void main()
{
    coded A = coded_of(slice, code, apart, value, n, few != 0 ? few : units, wide);
    if (stopped(g))
        return;
    FOR_EACH(i, n)
        if (!(longs != 0 && is_long(bits, i)))
            y.at[i] = coded_row(A, scalars_in(x), coded_slice_at(A, i / 32u), i, lanes, few);
}
