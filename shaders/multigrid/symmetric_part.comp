#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* The entries of (A + A^T) / 2 at the positions of A's entries: part[k] for entry k of A, zero if A^T has none there.
 * Traffic: the matrix, the transpose (gathered), and one real per entry. */
ARGS {
    u32s  row; /* n + 1 offsets into col, val and part */
    u32s  col;
    reals val;
    u32s  t_row; /* the same of A^T */
    u32s  t_col;
    reals t_val;
    reals part;
    uint  n;
    uint  entries; /* of A */
};

void main()
{
    FOR_EACH(k, entries) {
        uint i = row_of(row, n, k), end = t_row.at[i + 1u];
        uint m = lower_bound(t_col, t_row.at[i], end, col.at[k]);
        bool is = m < end && t_col.at[m] == col.at[k];
        part.at[k] = is ? real(0.5) * val.at[k] + real(0.5) * t_val.at[m] : real(0);
    }
}
