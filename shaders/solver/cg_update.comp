#version 460
#define SUMS 2
#include "kernel.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/cg.glsl"

/* alpha = rho / (p . q), r = r - alpha q, and the sums of r . M^-1 r and r . r down to FEW.
 * Traffic: r, q and d read, r written: 4n (3n without a preconditioner). */
ARGS {
    control    c;
    cg_numbers w;
    reals      r;
    reals      q; /* A p */
    reals      d; /* 1 / diagonal, where jacobi is 1 */
    sums       s; /* in rows, `stride` apart */
    tickets    t;
    uint       n;
    uint       stride;
    uint       jacobi;
};

/* What the first workgroup leaves for the next kernel, and for the report. */
void leave(real pq, real alpha, bool sound)
{
    w.pq = pq;
    w.alpha = alpha * w.scale;
    w.rho_old = w.rho;
    c.pending = uint(sound);
    if (!sound)
        c.state = finite(pq) ? STATE_NOT_POSITIVE : STATE_NOT_FINITE;
}

void main()
{
    bool first_of_all = gl_WorkGroupID.x == 0 && ME == 0;
    if (!alive(c)) {
        if (first_of_all)
            c.pending = 0;
        return;
    }
    uint tiles = tiles_of(n);
    real pq = sum_rest(s, tiles, 0);
    bool sound = finite(pq) && pq > real(0);
    real alpha = divide(w.rho, pq);
    if (first_of_all)
        leave(pq, alpha, sound);
    if (!sound)
        return;
    FOR_SPANS(first, end, tiles, 8) {
        FOR_TILES(tile, first, end) {
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
                s.at[stride + tile] = rz;
                s.at[2 * stride + tile] = rr;
            }
        }
        sum_up(s, t, tiles, stride, stride, first, end - first, FEW);
    }
}
