#define SUMS 2
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/cg.glsl"

/* p = z = M^-1 r, rho = r . z and the initial state for cg_update. M is a diagonal or the identity; or p already is
 * z. */
ARGS {
    control    c;
    cg_numbers w;
    scalars    r;
    scalars    d; /* 1 / diagonal */
    scalars    p;
    sums       s; /* in rows, `stride` apart */
    tickets    t;
    uint       n;
    uint       stride;
    uint       form; /* FORM_..., but not FORM_ONE */
};

void finish(real rho, real rr)
{
    w.rho = rho;
    w.pending = PENDING_NOTHING;
    c.rr = rr;
    c.state = state_after(c, c.iteration, rho, rr);
}

/* Half of a tile: p = z, and the terms of r . z and r . r. */
void half_of(uint tile, uint part, out scalar_t rz, out scalar_t rr)
{
    scalar_t ri[4], di[4], zi[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        ri[u] = i < n ? r.at[i] : scalar_t(0);
        di[u] = i < n && form == FORM_EACH ? d.at[i] : scalar_of(real(1));
        zi[u] = i < n && form == FORM_GIVEN ? p.at[i] : scalar_t(0);
    }
    scalar_t vz[4], vr[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        scalar_t z = form == FORM_GIVEN ? zi[u] : form == FORM_EACH ? mul(di[u], ri[u]) : ri[u];
        if (i < n && form != FORM_GIVEN)
            p.at[i] = z;
        vz[u] = mul(conj(ri[u]), z);
        vr[u] = mul(conj(ri[u]), ri[u]);
    }
    rz = half_sum(vz);
    rr = half_sum(vr);
}

void main()
{
    uint tiles = tiles_of(n);
    FOR_SPANS(first, end, tiles) {
        FOR_TILES(tile, first, end) {
            scalar_t rz[2], rr[2];
            for (uint part = 0; part < 2; part++)
                half_of(tile, part, rz[part], rr[part]);
            scalar_t tile_rz = tile_sum(rz[0], rz[1]), tile_rr = tile_sum(rr[0], rr[1]);
            if (LANE == 0 && tile < tiles) {
                s.at[stride + tile] = tile_rz;
                s.at[2 * stride + tile] = tile_rr;
            }
        }
        if (sum_up(s, t, tiles, stride, stride, first, end - first) && ME == 0)
            finish(real_part(sum_whole(s, tiles, stride)), real_part(sum_whole(s, tiles, 2 * stride)));
    }
}
