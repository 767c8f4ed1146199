#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* S = I - w D^-1 A_F, where D is the diagonal of A. A_F has only the blocks of A that are also in S. Both are matrices
 * of blocks of size x size. Traffic: A once, S, the diagonal gathered. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val: A */
    u32s   col;
    reals  val;
    u32s   to_row; /* the same of S */
    u32s   to_col;
    reals  to_val;
    reals  inverse; /* of D, one number for each row of a block row */
    number w;
    uint   n;
    uint   entries; /* of S */
};
CONSTANT(1, size);

void main()
{
    real weight = w.value;
    FOR_EACH(e, entries) {
        uint i = row_of(to_row, n, e), j = to_col.at[e];
        uint k = lower_bound(col, row.at[i], row.at[i + 1u], j);
        for (uint q = 0u; q < size * size; q++) {
            uint at = q / size;
            real v = -((weight * inverse.at[size * i + at]) * val.at[size * size * k + q]);
            to_val.at[size * size * e + q] = i == j && at == q % size ? real(1) - weight : v;
        }
    }
}
