/* Reductions of items of any kind, by trees over tiles of 256, in one of two pairings:
 *
 *   halving     v[j] = v[j] o v[j + 128], then 64, 32 ... 1; items missing to 256 are nothing(). The operation
 *               must be commutative. With + it is the canonical order of sums (sum.glsl).
 *   neighbours  v[j] = v[2 j] o v[2 j + 1], repeatedly; a last item without a right neighbour is kept. The order
 *               is preserved, so that associativity suffices.
 *
 * The values of the tiles are again reduced in tiles of 256, down to one; the workgroup that completes a group of 256
 * tiles reduces that group (an atomic ticket, no waiting), so that a whole reduction is one dispatch.
 *
 * Requires:   item                a type
 *             combine(a, b)       a o b, a preceding b
 *             nothing()           the neutral item
 *             exchange(v, mask)   if SUBGROUP is 1: v of the lane whose number differs in `mask` */
#include "tiles.glsl"

#define HALVING 0u /* the values of vks_pairing */
#define NEIGHBOURS 1u

ADDRESS(8) coherent buffer partials { item at[]; };

#if !SUBGROUP
shared item squad_items[256];
#endif

/* Called by the whole workgroup at once. */
item squad_xor(item v, uint mask)
{
#if SUBGROUP
    return exchange(v, mask);
#else
    barrier();
    squad_items[ME] = v;
    barrier();
    return squad_items[ME ^ mask];
#endif
}

/* Element of a tile that is item k (0 .. 7) of this lane: neighbours are in one lane, or 32 apart. */
uint own_element(uint k, uint pairing)
{
    return pairing == NEIGHBOURS ? 8u * LANE + k : 32u * k + LANE;
}

/* Elements of a tile; 0 beyond the last. */
uint tile_length(uint tile, uint n)
{
    uint first = 256u * tile;
    return first < n ? min(256u, n - first) : 0;
}

/* A node of the tree of neighbours, whose right child begins at element `right` of the tile. */
item join(item a, item b, uint right, uint length)
{
    return right < length ? combine(a, b) : a;
}

/* The lane's part of the tree. Called with the eight items of own_element; those beyond `length` are nothing(). */
item own_tree(item v[8], uint length, uint pairing)
{
    if (pairing == NEIGHBOURS) {
        uint e = 8u * LANE;
        item a = join(v[0], v[1], e + 1, length), b = join(v[2], v[3], e + 3, length);
        item c = join(v[4], v[5], e + 5, length), d = join(v[6], v[7], e + 7, length);
        return join(join(a, b, e + 2, length), join(c, d, e + 6, length), e + 4, length);
    }
    item a = combine(combine(v[0], v[4]), combine(v[2], v[6]));
    item b = combine(combine(v[1], v[5]), combine(v[3], v[7]));
    return combine(a, b);
}

/* The rest of the tree, over the lanes of the lane group, which all get the item. */
item lanes_tree(item v, uint length, uint pairing)
{
    for (uint level = 0; level < 5; level++) {
        uint mask = pairing == NEIGHBOURS ? 1u << level : 16u >> level;
        item other = squad_xor(v, mask), a = v, b = other;
        if ((LANE & mask) != 0) {
            a = other;
            b = v;
        }
        uint right = 8u * ((LANE | mask) & ~(mask - 1u));
        v = pairing == NEIGHBOURS ? join(a, b, right, length) : combine(a, b);
    }
    return v;
}

/* The group `group` of the `count` items at s.at[from]. */
item group_tree(partials s, uint from, uint group, uint count, uint pairing)
{
    uint length = tile_length(group, count);
    item v[8]; /* unrolled, to stay in registers */
    [[unroll]] for (uint k = 0; k < 8; k++) {
        uint e = own_element(k, pairing);
        v[k] = nothing();
        if (e < length)
            v[k] = s.at[from + 256u * group + e];
    }
    return lanes_tree(own_tree(v, length, pairing), length, pairing);
}

/* Passes the finished tiles first .. first + done - 1, which lie in one group, up the tree. The whole
 * workgroup calls it. It returns true in the workgroup that finishes last, where tree_root gives the result. */
bool tree_up(partials s, tickets t, uint tiles, uint first, uint done, uint pairing)
{
    uint count = tiles, level = 0, ticket = 0;
    while (count > 1) {
        uint group = first / 256u, members = min(256u, count - 256u * group);
        if (!completes(t, ticket + group, done, members))
            return false;
        item total = group_tree(s, level, group, count, pairing);
        if (ME == 0)
            s.at[level + count + group] = total;
        level += count;
        count = groups_of(count, 256u);
        ticket += count;
        first = group;
        done = 1;
    }
    return true;
}

item tree_root(partials s, uint tiles)
{
    uint level = 0;
    for (uint count = tiles; count > 1; count = groups_of(count, 256u))
        level += count;
    return s.at[level];
}
