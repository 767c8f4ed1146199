#define SUMS 3
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/idr.glsl"
#include "solver/course_state.glsl"

/* The stripe sums of t . t, t . r and r . r, where t = A M^-1 r, from which idr_end minimises the residual. Also
 * updates the state by the residual of the last step. Traffic: t and r: 2n. */
ARGS {
    control     c;
    idr_numbers w;
    scalars     t;
    scalars     r;
    reals       history; /* r . r of each product, the first `kept` */
    sums        s;       /* in rows, `stride` apart */
    uint        n;
    uint        stride;
    uint        kept;
};

#include "solver/idr_decide.glsl"

void main()
{
    bool is_alive = alive_together(c);
    uint tiles = tiles_of(n);
    if (!is_alive)
        return;
    scalar_t before[SUMS] = rest_of_stripes(s, tiles, 0, stride, gl_WorkGroupID.x == 0 ? 1 : 0);
    FOR_STRIPES(stripe, tiles) {
        scalar_t half_sums[2][SUMS], tile[SUMS];
        for (uint part = 0; part < 2; part++) {
            scalar_t v[SUMS][4];
            for (uint u = 0; u < 4; u++) {
                uint i = half_element(stripe_tile(stripe), part, u);
                scalar_t a = i < n ? t.at[i] : scalar_t(0), e = i < n ? r.at[i] : scalar_t(0);
                v[0][u] = mul(conj(a), a);
                v[1][u] = mul(conj(a), e);
                v[2][u] = mul(conj(e), e);
            }
            for (uint row = 0; row < SUMS; row++)
                half_sums[part][row] = half_sum(v[row]);
        }
        for (uint row = 0; row < SUMS; row++)
            tile[row] = tile_sum(half_sums[0][row], half_sums[1][row]);
        leave_stripe(s, tiles, IDR_MINIMUM * stride + stripe, stride, tile);
    }
    if (gl_WorkGroupID.x == 0 && ME == 0)
        decide(real_part(before[0]));
}
