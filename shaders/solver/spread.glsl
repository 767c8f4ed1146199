/* Sums of the tiles that a workgroup has in registers. It has 1 << spread tiles of 256 elements, and an invocation
 * 1 << spread elements of one tile: those that the first strides of the tree over the tile (sum.glsl) add up. Included
 * after sum.glsl, solver/together.h, and the constant spread. */
shared scalar_t terms[SUMS][256]; /* of the sums of the workgroup's tiles */
shared scalar_t tile_sums[SUMS * TOGETHER_TILES];

/* The first strides of a tree: over the first 1 << s of four. */
scalar_t spread_sum(scalar_t a, scalar_t b, scalar_t c, scalar_t d)
{
    if (spread == 0)
        return a;
    return spread == 1 ? a + b : (a + c) + (b + d);
}

/* The halving tree over the 32 << e values of a line of terms, e = 1, 2, 3. */
scalar_t line_sum(uint c, uint first, uint e)
{
    uint j = first + LANE;
    scalar_t sum = terms[c][j], other = terms[c][j + 32u];
    if (e == 2u) {
        sum = sum + terms[c][j + 64u];
        other = other + terms[c][j + 96u];
    }
    if (e == 3u) {
        sum = (sum + terms[c][j + 128u]) + (terms[c][j + 64u] + terms[c][j + 192u]);
        other = (other + terms[c][j + 160u]) + (terms[c][j + 96u] + terms[c][j + 224u]);
    }
    return squad_sum(sum + other);
}

/* Sums this workgroup's tiles; `terms` has the results of an invocation's strides. One lane group sums a tile. */
void sum_tiles(uint rows)
{
    uint e = 3u - spread, tiles = 1u << spread;
    barrier();
#if SUBGROUP
    if (SQUAD < TOGETHER_TILES * rows) /* without subgroups all take part, because of the barriers in squad_sum */
#endif
    {
        scalar_t sum = line_sum(SQUAD / TOGETHER_TILES, (32u << e) * (SQUAD % tiles), e);
        if (LANE == 0)
            tile_sums[SQUAD] = sum;
    }
    barrier();
}
