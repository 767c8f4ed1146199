#version 460
#define SUMS 2
#include "kernel.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/cg.glsl"

/* p = z = M^-1 r, rho = r . z and the state from which cg_update goes on. M is the diagonal or the identity. */
ARGS {
    control    c;
    cg_numbers w;
    reals      r;
    reals      d; /* 1 / diagonal, where jacobi is 1 */
    reals      p;
    sums       s; /* in rows, `stride` apart */
    tickets    t;
    uint       n;
    uint       stride;
    uint       jacobi;
};

void finish(real rho, real rr)
{
    w.rho = rho;
    w.rr = rr;
    c.pending = 0;
    if (!finite(rr) || !finite(rho))
        c.state = STATE_NOT_FINITE;
    else if (rr <= w.stop)
        c.state = STATE_MET;
    else if (rho <= real(0))
        c.state = STATE_NOT_POSITIVE;
    else
        c.state = STATE_RUNNING;
}

void main()
{
    uint tiles = tiles_of(n);
    FOR_SPANS(first, end, tiles, 8) {
        FOR_TILES(tile, first, end) {
            real vz[8], vr[8];
            for (uint k = 0; k < 8; k++) {
                uint i = 256u * tile + 32u * k + LANE;
                vz[k] = real(0);
                vr[k] = real(0);
                if (i < n) {
                    real ri = r.at[i], z = jacobi != 0 ? d.at[i] * ri : ri;
                    p.at[i] = z;
                    vz[k] = ri * z;
                    vr[k] = ri * ri;
                }
            }
            real rz = tile_sum(vz), rr = tile_sum(vr);
            if (LANE == 0 && tile < tiles) {
                s.at[stride + tile] = rz;
                s.at[2 * stride + tile] = rr;
            }
        }
        if (sum_up(s, t, tiles, stride, stride, first, end - first, 1) && ME == 0)
            finish(sum_whole(s, tiles, stride), sum_whole(s, tiles, 2 * stride));
    }
}
