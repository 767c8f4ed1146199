#define SUMS 8
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "solver/gmres.glsl"

/* A pass over the basis V, columns 0 to j: t = t - V h, except in the first pass; then the stripe sums of V^T t, in a
 * row for each column, or of t . t in the last pass. The columns are subtracted one after another, and read again for
 * the sums while they are cached. Traffic: j + 1 columns and t read, t written. */
ARGS {
    guard         stop;
    gmres_numbers w;
    scalars       basis; /* columns of n */
    scalars       h;
    scalars       t;
    sums          s; /* in rows, `stride` apart */
    uint          n;
    uint          stride;
};
CONSTANT(1, takes_off);
CONSTANT(2, measures);

shared scalar_t taken[GMRES_MOST];

/* The eight elements of this lane, after subtraction of its columns. */
scalar_t[2][4] elements(uint tile, uint columns)
{
    scalar_t e[2][4];
    for (uint part = 0; part < 2; part++)
        for (uint u = 0; u < 4; u++) {
            uint i = half_element(tile, part, u);
            e[part][u] = i < n ? t.at[i] : scalar_t(0);
        }
    if (takes_off == 0)
        return e;
    for (uint k = 0; k < columns; k++)
        for (uint part = 0; part < 2; part++)
            for (uint u = 0; u < 4; u++) {
                uint i = half_element(tile, part, u);
                if (i < n)
                    e[part][u] -= mul(taken[k], basis.at[k * n + i]);
            }
    for (uint part = 0; part < 2; part++)
        for (uint u = 0; u < 4; u++) {
            uint i = half_element(tile, part, u);
            if (i < n)
                t.at[i] = e[part][u];
        }
    return e;
}

/* This lane group's sum of column k, or of e itself. */
scalar_t sum_with(uint tile, uint k, scalar_t e[2][4])
{
    scalar_t half_sums[2];
    for (uint part = 0; part < 2; part++) {
        scalar_t v[4];
        for (uint u = 0; u < 4; u++) {
            uint i = half_element(tile, part, u);
            v[u] = i >= n ? scalar_t(0) : mul(e[part][u], conj(measures != 0 ? e[part][u] : basis.at[k * n + i]));
        }
        half_sums[part] = half_sum(v);
    }
    return tile_sum(half_sums[0], half_sums[1]);
}

void main()
{
    if (stopped(stop))
        return;
    uint tiles = tiles_of(n), columns = w.column + 1u, rows = measures != 0 ? 1u : columns;
    if (takes_off != 0 && ME < columns)
        taken[ME] = h.at[ME];
    barrier();
    FOR_STRIPES(stripe, tiles) {
        scalar_t e[2][4] = elements(stripe_tile(stripe), columns), tile[SUMS];
        for (uint first = 0; first < rows; first += 8u) {
            uint here = min(8u, rows - first);
            for (uint row = 0; row < here; row++)
                tile[row] = sum_with(stripe_tile(stripe), first + row, e);
            leave_rows(s, tiles, first * stride + stripe, stride, tile, here);
        }
    }
}
