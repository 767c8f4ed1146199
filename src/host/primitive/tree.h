/* Reductions by trees over tiles of 256 items, in either pairing; shaders/primitive/tree.glsl is its twin.
 * Define before including: the type `item`, combine(a, b, op) with a before b, and nothing(op), the neutral
 * item. */
#ifndef VKS_HOST_PRIMITIVE_TREE_H
#define VKS_HOST_PRIMITIVE_TREE_H

#include "host/sum.h"

enum { HALVING, NEIGHBOURS }; /* the values of vks_pairing */

static inline item halving_tree(item *v, uint32_t length, uint32_t op)
{
    for (uint32_t j = length; j < TILE; j++)
        v[j] = nothing(op);
    for (uint32_t half = TILE / 2; half; half /= 2)
        for (uint32_t j = 0; j < half; j++)
            v[j] = combine(v[j], v[j + half], op);
    return v[0];
}

static inline item neighbour_tree(item *v, uint32_t length, uint32_t op)
{
    for (; length > 1; length = (length + 1) / 2) {
        for (uint32_t j = 0; j < length / 2; j++)
            v[j] = combine(v[2 * j], v[2 * j + 1], op);
        if (length % 2)
            v[length / 2] = v[length - 1];
    }
    return length ? v[0] : nothing(op);
}

/* Reduces a tile; overwrites v. */
static inline item tile_tree(item *v, uint32_t length, uint32_t op, uint32_t pairing)
{
    return pairing == NEIGHBOURS ? neighbour_tree(v, length, op) : halving_tree(v, length, op);
}

/* Reduces the items of the tiles at s level by level; each level is stored after the level below. */
static inline item tree_up(item *s, uint32_t tiles, uint32_t op, uint32_t pairing)
{
    for (; tiles > 1; tiles = tiles_of(tiles)) {
        uint32_t groups = tiles_of(tiles);
        for (uint32_t g = 0; g < groups; g++) {
            item v[TILE];
            uint32_t length = tile_length(g, tiles);
            memcpy(v, s + g * TILE, length * sizeof *v);
            s[tiles + g] = tile_tree(v, length, op, pairing);
        }
        s += tiles;
    }
    return *s;
}

#endif
