#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/csr.glsl"
#include "solver/control.glsl"

/* y = A x and the sums of x . y down to FEW, A square, in CSR with one lane a row, while the solve is alive. Rows of more
 * lanes would leave a workgroup several turns for one tile: they do better with spmv_csr and then dot_few.
 * Traffic: the matrix, x and y once. */
ARGS {
    control c;
    u32s    row; /* n + 1 offsets into col and val */
    u32s    col;
    reals   val;
    reals   x;
    reals   y;
    sums    s;
    tickets t;
    uint    n;
};

shared real terms[256];

void main()
{
    if (!alive(c))
        return;
    csr A = csr(offsets_in(row), offsets_in(col), reals_in(val), n);
    uint tiles = tiles_of(n);
    FOR_SPANS(first, end, tiles, 1) {
        for (uint tile = first; tile < end; tile++) {
            uint i = 256u * tile + ME;
            real sum = row_terms(A, reals_in(x), i, 0, 1);
            if (i < n)
                y.at[i] = sum;
            barrier();
            terms[ME] = i < n ? x.at[i] * sum : real(0);
            barrier();
#if SUBGROUP
            if (SQUAD == 0) /* elsewhere all take part, because of the barriers in tile_sum */
#endif
            {
                real v[8];
                for (uint k = 0; k < 8; k++)
                    v[k] = terms[LANE + 32u * k];
                sum = tile_sum(v);
                if (ME == 0)
                    s.at[tile] = sum;
            }
        }
        sum_up(s, t, tiles, 0, 0, first, end - first, FEW);
    }
}
