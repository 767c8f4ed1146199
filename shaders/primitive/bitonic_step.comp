#include "kernel.glsl"
#define CHUNK_LIST
#include "primitive/bitonic.glsl"

/* One step of the stage of the bitonic network that merges sorted blocks of half_block: the first step if `distance`
 * is 0, else the one at this distance, 1,024 or more. A chunk stands for 512 comparators. Traffic: the elements read
 * and, at most, written. */
ARGS {
    u32s keys;
    u32s payload;
    u32s list;
    u32s offsets;
    uint n;
    uint chunks;
    uint listed;
    uint words;
    uint floats;
    uint pairs;
    uint half_block;
    uint distance;
};

void main()
{
    for (uint c = gl_WorkGroupID.x; c < chunks; c += gl_NumWorkGroups.x) {
        chunk s = chunk_of(c, n, listed, list, offsets);
        if (s.count <= half_block)
            continue; /* sorted already */
        for (uint u = 0; u < 2; u++) {
            uint t = CHUNK / 2u * s.index + 256u * u + ME;
            uvec2 at = distance == 0 ? mirrored(t, half_block) : apart(t, distance);
            if (at.y >= s.count)
                continue;
            at += s.begin;
            element a = load_element(keys, payload, words, floats, pairs, at.x);
            element b = load_element(keys, payload, words, floats, pairs, at.y);
            if (precedes(b, a)) {
                store_element(keys, payload, words, floats, pairs, at.x, b);
                store_element(keys, payload, words, floats, pairs, at.y, a);
            }
        }
    }
}
