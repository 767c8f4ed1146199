#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/spmv_long.glsl"

/* y = A x for the long rows of A; for rows of several pieces only the pieces' sums. Traffic: their entries and
 * elements of x once, 16 bytes for each piece. */
ARGS {
    guard   g;
    u32s    list;
    u32s    start; /* null: col and val are those of CSR */
    u32s    col;
    values  val;
    scalars x;
    scalars y;
    sums    sum; /* one for each piece */
    zeros   none;
    uint    pieces;
};
DEFINE_NO_ADDRESS

void main()
{
    csr A = csr(offsets_in(list), offsets_in(col), values_in(val), 0);
    long_piece q = piece_at(list, gl_WorkGroupID.x * 8u + SQUAD, pieces); /* loaded together with the guard */
    if (stopped(g))
        return;
    sum_pieces(A, scalars_in(x), list, start, q, sums(y), sum, pieces);
}
