#version 460
#define SUMS 2
#include "kernel.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/cg.glsl"

/* p = z = M^-1 r, rho = r . z and the state from which cg_update goes on. M is the diagonal or the
 * identity; or z is in p already. */
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
    uint       jacobi; /* 2: z is in p */
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
    else if (rho < real(0))
        c.state = STATE_NOT_POSITIVE;
    else if (rho == real(0))
        c.state = STATE_MET; /* r . z has underflowed: nothing can be done */
    else
        c.state = STATE_RUNNING;
}

/* Half of a tile: p = z, and the terms of r . z and r . r. */
void half_of(uint tile, uint part, out real rz, out real rr)
{
    real ri[4], di[4], zi[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        ri[u] = i < n ? r.at[i] : real(0);
        di[u] = i < n && jacobi == 1 ? d.at[i] : real(1);
        zi[u] = i < n && jacobi == 2 ? p.at[i] : real(0);
    }
    real vz[4], vr[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        real z = jacobi == 2 ? zi[u] : jacobi == 1 ? di[u] * ri[u] : ri[u];
        if (i < n && jacobi != 2)
            p.at[i] = z;
        vz[u] = ri[u] * z;
        vr[u] = ri[u] * ri[u];
    }
    rz = half_sum(vz);
    rr = half_sum(vr);
}

void main()
{
    uint tiles = tiles_of(n);
    FOR_SPANS(first, end, tiles) {
        FOR_TILES(tile, first, end) {
            real rz[2], rr[2];
            for (uint part = 0; part < 2; part++)
                half_of(tile, part, rz[part], rr[part]);
            real tile_rz = tile_sum(rz[0], rz[1]), tile_rr = tile_sum(rr[0], rr[1]);
            if (LANE == 0 && tile < tiles) {
                s.at[stride + tile] = tile_rz;
                s.at[2 * stride + tile] = tile_rr;
            }
        }
        if (sum_up(s, t, tiles, stride, stride, first, end - first) && ME == 0)
            finish(sum_whole(s, tiles, stride), sum_whole(s, tiles, 2 * stride));
    }
}
