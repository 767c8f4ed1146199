#include "kernel.glsl"

/* Divides the rows l of a factor by their pivots d_i = l_i A u_i, where u_i is the row of the other factor, or the
 * same one; with `root`, by the root of |d_i|. With `positive`, a pivot at rounding level leaves only the diagonal,
 * with the pivot a_ii; otherwise a small pivot becomes 1/1024 of the row's size, with its sign. flags[3] becomes the
 * first row with an element that is not finite; the caller initialises it to 0xFFFFFFFF. Traffic: the factors, and the
 * rows of A that they need, which caches hold. */
ARGS {
    u32s    row; /* n + 1 offsets into col and val: A */
    u32s    col;
    values  val;
    reals   size;  /* of rows, as in fsai_grow */
    u32s    l_row; /* rows of at most 33 entries; the last entry is on the diagonal */
    u32s    l_col;
    scalars l_val;
    u32s    u_row;
    u32s    u_col;
    scalars u_val; /* may be l_val */
    u32s    flags;
    uint    n;
};
CONSTANT(1, positive); /* as in fsai_grow */
CONSTANT(2, root);

#include "rows.glsl"
#include "fsai/solve.glsl"

shared scalar_t term[8][FSAI_MOST + 1u];

/* Term c of the pivot: column u_c of l A, times u. */
scalar_t term_of(rows_of_A A, uint first, uint last, uint c)
{
    scalar_t sum = scalar_t(0);
    for (uint q = first; q < last; q++)
        sum = sum + mul(l_val.at[q], entry_of(A, l_col.at[q], u_col.at[c]));
    return mul(sum, u_val.at[c]);
}

/* Divisor of the row. `alone`: the row keeps only its diagonal. */
real divisor(real d, real scale, out bool alone)
{
    alone = positive != 0 && !(finite(d) && d > real(FSAI_ROUNDING) * scale);
    if (alone)
        d = scale;
    real least = real(FSAI_LEAST_PIVOT) * scale;
    if (positive == 0 && !(finite(d) && abs(d) > least))
        d = d < real(0) ? -least : least;
    return root != 0 ? square_root(abs(d)) : d;
}

void main()
{
    rows_of_A A = rows_of_A(row, col, val, size);
    FOR_ROWS(i, n, 32u) {
        uint first = i < n ? l_row.at[i] : 0, last = i < n ? l_row.at[i + 1u] : 0;
        uint u_first = i < n ? u_row.at[i] : 0, count = i < n ? u_row.at[i + 1u] - u_first : 0;
        for (uint c = LANE; c < count; c += 32u)
            term[SQUAD][c] = term_of(A, first, last, u_first + c);
        block_barrier();
        scalar_t d = scalar_t(0);
        for (uint c = 0; c < count; c++)
            d = d + term[SQUAD][c];
        bool alone = false;
        real by = i < n ? divisor(real_part(d), size.at[i], alone) : real(1);
        for (uint q = first + LANE; q < last; q += 32u) {
            scalar_t l = alone && q + 1u < last ? scalar_t(0) : divide(l_val.at[q], by);
            l_val.at[q] = l;
            if (!finite(l))
                atomicMin(flags.at[3], i);
        }
        block_barrier(); /* the next row reuses shared memory */
    }
}
