#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/sell.glsl"
#include "solver/control.glsl"

/* y = A x and the tile sums of x . y, A square, in SELL, while the solve is alive. A workgroup takes a tile, a row for
 * each invocation: for systems of no more than FEW tiles; beyond, spmv_sell and then dot_stripes are faster.
 * Traffic: the padded matrix, x and y once. */
ARGS {
    control c;
    u32s    slice; /* slices + 1 offsets into val */
    u32s    col;
    u32s    base; /* null: columns are not compact */
    reals   val;
    reals   x;
    reals   y;
    sums    s;
    uint    n;
    uint    lanes; /* of a row's sum: 1, 2, 4 or 8 */
};

shared real terms[256];

real term_half(uint part)
{
    real v[4];
    for (uint u = 0; u < 4; u++)
        v[u] = terms[half_element(0, part, u)];
    return half_sum(v);
}

void main()
{
    sell A = sell(offsets_in(slice), offsets_in(col), bases_in(base), reals_in(val), groups_of(n, 32u));
    uint tiles = tiles_of(n);
    sell_slice place = slice_at(A, gl_WorkGroupID.x * 8u + SQUAD); /* under way while the state is asked */
    if (!alive(c))
        return;
    for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
        uint i = 256u * tile + ME;
        real xi = i < n ? reals_in(x).at[i] : real(0); /* under way with the row */
        real sum = sell_row(A, reals_in(x), place, lanes);
        if (i < n)
            y.at[i] = sum;
        terms[ME] = i < n ? xi * sum : real(0);
        barrier();
#if SUBGROUP
        if (SQUAD == 0) /* elsewhere all take part, because of the barriers in tile_sum */
#endif
        {
            sum = tile_sum(term_half(0), term_half(1));
            if (ME == 0)
                s.at[tile] = sum;
        }
        place = slice_at(A, (tile + gl_NumWorkGroups.x) * 8u + SQUAD);
        barrier();
    }
}
