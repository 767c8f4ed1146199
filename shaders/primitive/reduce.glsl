/* The main function of a reduction over n elements. Requires before its inclusion, besides what tree.glsl requires and
 * the arguments s, t, n and pairing:
 *   term(i)        element i as an item
 *   finish(item)   stores the result */
item tile_tree(uint tile)
{
    uint length = tile_length(tile, n);
    item v[8];
    [[unroll]] for (uint k = 0; k < 8; k++) {
        uint e = own_element(k, pairing);
        v[k] = nothing();
        if (e < length)
            v[k] = term(256u * tile + e);
    }
    return lanes_tree(own_tree(v, length, pairing), length, pairing);
}

void main()
{
    uint tiles = tiles_of(n);
    FOR_SPANS(first, end, tiles) {
        FOR_TILES(tile, first, end) {
            item total = tile_tree(tile);
            if (LANE == 0 && tile < tiles)
                s.at[tile] = total;
        }
        if (tree_up(s, t, tiles, first, end - first, pairing) && ME == 0)
            finish(tree_root(s, tiles));
    }
}
