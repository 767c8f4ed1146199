#include "kernel.glsl"
#define SHARED_ELEMENTS
#define CHUNK_LIST
#include "primitive/bitonic.glsl"

/* The steps of the bitonic network within chunks of 1,024, for `chunks` chunks: if half_block is 0, all stages up to
 * 1,024; else the distances 512 ... 1 of the stage that merges sorted blocks of half_block. Traffic: the elements read
 * and written. */
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
};

void steps(uint length, uint first)
{
    for (uint distance = first; distance > 0; distance /= 2u) {
        barrier();
        for (uint t = ME; t < CHUNK / 2u; t += 256u)
            exchange(0, length, apart(t, distance));
    }
}

void main()
{
    for (uint c = gl_WorkGroupID.x; c < chunks; c += gl_NumWorkGroups.x) {
        chunk s = chunk_of(c, n, listed, list, offsets);
        if (half_block != 0 && s.count <= half_block)
            continue; /* sorted already */
        uint first = s.begin + CHUNK * s.index, length = min(CHUNK, s.count - CHUNK * s.index);
        barrier();
        for (uint i = ME; i < length; i += 256u)
            share_element(i, load_element(keys, payload, words, floats, pairs, first + i));
        for (uint stage = half_block == 0 ? 1u : CHUNK; stage < CHUNK && stage < length; stage *= 2u) {
            barrier();
            for (uint t = ME; t < CHUNK / 2u; t += 256u)
                exchange(0, length, mirrored(t, stage));
            steps(length, stage / 2u);
        }
        if (half_block != 0)
            steps(length, CHUNK / 2u);
        barrier();
        for (uint i = ME; i < length; i += 256u)
            store_element(keys, payload, words, floats, pairs, first + i, shared_element(i));
    }
}
