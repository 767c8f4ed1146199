/* The least and the largest element of x, and the first position of each, in one pass: two elements are compared
 * first, then the lesser with the least and the larger with the largest so far: three comparisons for two elements
 * (Cormen, Leiserson, Rivest, Stein, "Introduction to algorithms", section 9.1). Requires before its inclusion:
 * key.glsl, and the arguments x, s, t, result and n. */
struct range {
    key  low, high;
    uint low_at, high_at;
};
#define item range
const uint pairing = 0; /* every order gives the same */

item nothing()
{
    return range(LARGEST_KEY, LEAST_KEY, 0xFFFFFFFFu, 0xFFFFFFFFu);
}

/* Of equal elements the first counts. */
item combine(item a, item b)
{
    if (below(b.low, a.low) || (b.low == a.low && b.low_at < a.low_at)) {
        a.low = b.low;
        a.low_at = b.low_at;
    }
    if (below(a.high, b.high) || (b.high == a.high && b.high_at < a.high_at)) {
        a.high = b.high;
        a.high_at = b.high_at;
    }
    return a;
}

#if SUBGROUP
item exchange(item v, uint mask)
{
    return range(subgroupShuffleXor(v.low, mask), subgroupShuffleXor(v.high, mask),
                 subgroupShuffleXor(v.low_at, mask), subgroupShuffleXor(v.high_at, mask));
}
#endif

#include "primitive/tree.glsl"

/* Elements i and j, i < j: one comparison orders them; if they are equal, the first counts for both. */
item pair(uint i, key a, uint j, key b)
{
    if (below(b, a))
        return range(b, a, j, i);
    return range(a, b, i, a == b ? i : j);
}

item tile_range(uint tile)
{
    uint first = 256u * tile + LANE;
    key v[8];
    [[unroll]] for (uint k = 0; k < 8; k++) {
        uint i = first + 32u * k;
        v[k] = LEAST_KEY;
        if (i < n)
            v[k] = key_of(x.at[i]);
    }
    item all = nothing();
    [[unroll]] for (uint k = 0; k < 8; k += 2) {
        uint i = first + 32u * k, j = i + 32u;
        if (j < n)
            all = combine(all, pair(i, v[k], j, v[k + 1]));
        else if (i < n)
            all = combine(all, range(v[k], v[k], i, i));
    }
    return lanes_tree(all, 256u, pairing);
}

/* result: the keys of the least and the largest, two words each; their positions */
void main()
{
    uint tiles = tiles_of(n);
    FOR_SPANS(first, end, tiles) {
        FOR_TILES(tile, first, end) {
            item total = tile_range(tile);
            if (LANE == 0 && tile < tiles)
                s.at[tile] = total;
        }
        if (tree_up(s, t, tiles, first, end - first, pairing) && ME == 0) {
            item total = tree_root(s, tiles);
            uvec2 low = words_of(total.low), high = words_of(total.high);
            result.at[0] = low.x;
            result.at[1] = low.y;
            result.at[2] = high.x;
            result.at[3] = high.y;
            result.at[4] = total.low_at;
            result.at[5] = total.high_at;
        }
    }
}
