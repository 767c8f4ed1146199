#define SUMS 2
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/cg.glsl"

/* alpha = rho / (p . q), r = r - alpha q, and the stripe sums of r . M^-1 r and r . r.
 * Traffic: r, q and d read, r written: 4n (3n without a preconditioner, or if d is the same in all rows). */
ARGS {
    control    c;
    cg_numbers w;
    scalars    r;
    scalars    q; /* A p */
    scalars    d; /* 1 / diagonal */
    sums       s; /* in rows, `stride` apart */
    scalars    whole; /* p . q, for SUMS_WHOLE */
    uint       n;
    uint       stride;
};
CONSTANT(1, form);  /* FORM_...; for FORM_GIVEN, the sums of r . z are meaningless */
CONSTANT(2, comes); /* SUMS_...: form of p . q */

/* Writes the scalars for the next kernel, and for the report; by the first workgroup. */
void leave(real pq, real alpha, bool is_alive, bool sound)
{
    w.pending = !is_alive ? PENDING_NOTHING : sound ? PENDING_STEP : PENDING_BREAKDOWN;
    if (!is_alive)
        return;
    w.pq = pq;
    w.alpha = alpha * c.scale;
    w.rho_old = w.rho;
}

/* A loaded half of a tile. */
struct half_tile {
    scalar_t r[4], q[4], d[4];
};

half_tile read_half(uint tile, uint part, scalar_t same)
{
    half_tile h;
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        h.r[u] = i < n ? r.at[i] : scalar_t(0);
        h.q[u] = i < n ? q.at[i] : scalar_t(0);
        h.d[u] = i < n && form == FORM_EACH ? d.at[i] : same;
    }
    return h;
}

/* r = r - alpha q, and the terms of r . z and r . r. */
void update_half(uint tile, uint part, half_tile h, real alpha, out scalar_t rz, out scalar_t rr)
{
    scalar_t vz[4], vr[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        scalar_t e = i < n ? h.r[u] - alpha * h.q[u] : scalar_t(0);
        if (i < n)
            r.at[i] = e;
        vz[u] = form == FORM_EACH || form == FORM_ONE ? mul(conj(e), mul(h.d[u], e)) : mul(conj(e), e);
        vr[u] = mul(conj(e), e);
    }
    rz = half_sum(vz);
    rr = half_sum(vr);
}

real sum_of_pq(uint tiles)
{
    if (comes == SUMS_WHOLE)
        return real_part(whole.at[0]);
    return comes == SUMS_IN_STRIPES ? real_part(rest_of_stripes(s, tiles, 0, stride, 1)[0])
                                    : real_part(rest_of_tiles(s, tiles, 0, stride, 1)[0]);
}

void main()
{
    bool first_of_all = gl_WorkGroupID.x == 0 && ME == 0;
    bool is_alive = alive(c); /* all loads are issued before the first result is needed */
    real rho = w.rho;
    scalar_t same = form == FORM_ONE ? d.at[0] : scalar_of(real(1));
    half_tile even = read_half(stripe_tile(gl_WorkGroupID.x), 0, same);
    uint tiles = tiles_of(n);
    real pq = sum_of_pq(tiles);
    bool sound = finite(pq) && pq > real(0);
    real alpha = divide(rho, pq);
    if (first_of_all)
        leave(pq, alpha, is_alive, sound);
    if (!is_alive || !sound)
        return;
    FOR_STRIPES(stripe, tiles) {
        uint tile = stripe_tile(stripe);
        half_tile odd = read_half(tile, 1, same);
        scalar_t rz[2], rr[2];
        update_half(tile, 0, even, alpha, rz[0], rr[0]);
        even = read_half(stripe_tile(stripe + gl_NumWorkGroups.x), 0, same);
        update_half(tile, 1, odd, alpha, rz[1], rr[1]);
        scalar_t sum[2] = scalar_t[2](tile_sum(rz[0], rz[1]), tile_sum(rr[0], rr[1]));
        leave_stripe(s, tiles, stride + stripe, stride, sum);
    }
}
