/* The end of a tile of a product, with one row per invocation: adds its term of x . y to the tile's sum. */
shared scalar_t terms[256];

scalar_t term_half(uint part)
{
    scalar_t v[4];
    for (uint u = 0; u < 4; u++)
        v[u] = terms[half_element(0, part, u)];
    return half_sum(v);
}

/* Called by the whole workgroup. */
void leave_tile(sums s, uint tile, scalar_t term)
{
    terms[ME] = term;
    barrier();
#if SUBGROUP
    if (SQUAD == 0) /* without subgroups all take part, because of the barriers in tile_sum */
#endif
    {
        scalar_t sum = tile_sum(term_half(0), term_half(1));
        if (ME == 0)
            s.at[tile] = sum;
    }
    barrier();
}
