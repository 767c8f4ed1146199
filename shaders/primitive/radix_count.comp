#include "kernel.glsl"
#include "primitive/radix.glsl"

/* Counts the digits of each block (see radix.glsl). Each invocation loads eight keys together; each lane group counts
 * separately, so that fewer additions conflict. Traffic: the keys read. */
ARGS {
    u32s keys;
    u32s counts;
    uint n;
    uint words;
    uint floats;
    uint shift;
    uint mask;
    uint block;
    uint blocks;
};

shared uint count[8u * DIGITS];

#define KEYS 8u

void count_keys(uint first, uint end)
{
    uint digit[KEYS];
    if (words == 2u) {
        uvec2 key[KEYS];
        FOR_KEYS(u)
            key[u] = first + 256u * u < end ? wide_keys(keys).at[first + 256u * u] : uvec2(0);
        FOR_KEYS(u)
            digit[u] = digit_at(key[u], shift, mask, floats);
    } else {
        uint key[KEYS];
        FOR_KEYS(u)
            key[u] = first + 256u * u < end ? keys.at[first + 256u * u] : 0u;
        FOR_KEYS(u)
            digit[u] = digit_at(key[u], shift, mask, floats);
    }
    FOR_KEYS(u)
        if (first + 256u * u < end)
            atomicAdd(count[DIGITS * SQUAD + digit[u]], 1u);
}

void main()
{
    for (uint b = gl_WorkGroupID.x; b < blocks; b += gl_NumWorkGroups.x) {
        for (uint s = 0; s < 8u; s++)
            count[DIGITS * s + ME] = 0;
        barrier();
        uint end = b * block + min(block, n - b * block);
        for (uint first = b * block; first < end; first += 256u * KEYS)
            count_keys(first + ME, end);
        barrier();
        uint sum = 0;
        for (uint s = 0; s < 8u; s++)
            sum += count[DIGITS * s + ME];
        counts.at[ME * blocks + b] = sum;
    }
}
