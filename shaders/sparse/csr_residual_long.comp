#define WIDE_SUMS
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/spmv_long.glsl"

/* spmv_long in doubles, for any precision of A and x; csr_residual subtracts it from b. Traffic: as spmv_long. */
ARGS {
    u32s    list;
    u32s    start; /* null: col and val are those of CSR */
    u32s    col;
    values  val;
    scalars x;
    wides   r;
    wides   sum; /* one for each piece */
    zeros   none;
    uint    pieces;
};
DEFINE_NO_ADDRESS

void main()
{
    csr A = csr(offsets_in(list), offsets_in(col), values_in(val), 0);
    long_piece q = piece_at(list, gl_WorkGroupID.x * 8u + SQUAD, pieces);
    sum_pieces(A, scalars_in(x), list, start, q, sums64(r), sums64(sum), pieces);
}
