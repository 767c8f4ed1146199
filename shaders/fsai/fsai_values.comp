#include "kernel.glsl"

/* The values of a factor on its pattern: row i is (x, 1), where x A(S, S) = -A(i, S) and S are its columns before i;
 * or (0, 1) if x is rejected. Traffic: the factor, and the rows of A that it needs, which caches hold. */
ARGS {
    u32s    row; /* n + 1 offsets into col and val: A */
    u32s    col;
    values  val;
    reals   size;  /* of rows, as in fsai_grow */
    u32s    f_row; /* of the factor; columns ascend, and the last of row i is i */
    u32s    f_col;
    scalars f_val;
    uint    n;
    uint    most; /* off-diagonal entries of a row, at most 32 */
};
CONSTANT(1, positive); /* as in fsai_grow */

#include "rows.glsl"
#include "fsai/solve.glsl"

void main()
{
    rows_of_A A = rows_of_A(row, col, val, size);
    FOR_ROWS(i, n, 32u) {
        uint first = i < n ? f_row.at[i] : 0, count = i < n ? f_row.at[i + 1u] - 1u - first : 0;
        if (LANE < count)
            listed[ME] = f_col.at[first + LANE];
        block_barrier();
        bool holds = solve_row(A, i, count, most);
        if (LANE < count)
            f_val.at[first + LANE] = holds ? solution[ME] : scalar_t(0);
        if (LANE == 0 && i < n)
            f_val.at[first + count] = scalar_of(real(1));
        block_barrier(); /* before the next row */
    }
}
