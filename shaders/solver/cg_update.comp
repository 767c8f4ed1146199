#version 460
#define SUMS 2
#include "kernel.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/cg.glsl"

/* alpha = rho / (p . q), r = r - alpha q, rho' = r . M^-1 r, beta = rho' / rho, and the stopping test.
 * Traffic: r, q and d read, r written: 4n (3n without a preconditioner). */
ARGS {
    control    c;
    cg_numbers w;
    reals      r;
    reals      q; /* A p */
    reals      d; /* 1 / diagonal, where jacobi is 1 */
    reals      history; /* r . r of each iteration, the first `kept` */
    sums       s; /* two rows of them, `stride` apart */
    tickets    t;
    uint       n;
    uint       stride;
    uint       jacobi;
    uint       kept;
};

void finish(real alpha, real rho, real rr)
{
    uint k = c.iteration + 1;
    if (k <= kept)
        history.at[k - 1] = rr;
    w.beta = divide(rho, w.rho);
    w.rho = rho;
    w.alpha = alpha * w.scale;
    w.rr = rr;
    c.iteration = k;
    c.pending = 1;
    if (!finite(rr) || !finite(rho))
        c.state = STATE_NOT_FINITE;
    else if (rr <= w.stop)
        c.state = STATE_MET;
    else if (rr > w.ceiling)
        c.state = STATE_DIVERGED;
    else if (rho <= real(0))
        c.state = STATE_NOT_POSITIVE;
    else if (k >= c.limit)
        c.state = STATE_LIMIT;
}

void main()
{
    real pq = w.pq;
    bool sound = finite(pq) && pq > real(0);
    if (!alive(c) || !sound) {
        if (gl_WorkGroupID.x == 0 && ME == 0) {
            if (alive(c))
                c.state = finite(pq) ? STATE_NOT_POSITIVE : STATE_NOT_FINITE;
            c.pending = 0;
        }
        return;
    }
    real alpha = divide(w.rho, pq);
    uint tiles = tiles_of(n);
    FOR_TILES(first, tile, tiles) {
        real vz[8], vr[8];
        for (uint k = 0; k < 8; k++) {
            uint i = 256u * tile + 32u * k + LANE;
            vz[k] = real(0);
            vr[k] = real(0);
            if (i < n) {
                real ri = r.at[i] - alpha * q.at[i];
                r.at[i] = ri;
                vz[k] = jacobi != 0 ? ri * (d.at[i] * ri) : ri * ri;
                vr[k] = ri * ri;
            }
        }
        real rz = tile_sum(vz), rr = tile_sum(vr);
        if (LANE == 0 && tile < tiles) {
            s.at[tile] = rz;
            s.at[stride + tile] = rr;
        }
        real total[2];
        if (sum_up(s, t, tiles, stride, first, min(8u, tiles - first), total) && ME == 0)
            finish(alpha, total[0], total[1]);
    }
}
