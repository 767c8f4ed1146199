/* The bitonic network: K. E. Batcher, "Sorting networks and their applications" (1968), in the form whose comparators
 * all put the smaller element at the lower index: a stage that makes sorted blocks of 2 h out of blocks of h first
 * compares element h - 1 - o of a block with its mirror image h + o, then elements at the distances h / 2, h / 4 ... 1.
 * If the length is not a power of two, the missing elements act as infinities at the end, which no comparator would
 * move, so comparators that reach beyond the end are omitted.
 *
 * Equal keys are compared by their payload, so the result does not depend on the network. */
#include "primitive/sort.glsl"

#define CHUNK 1024u /* elements that a workgroup sorts in shared memory */

struct element {
    uvec2 key; /* ordered; its second word is 0 for keys of one word */
    uint payload;
};

bool precedes(element a, element b)
{
    if (a.key.y != b.key.y)
        return a.key.y < b.key.y;
    if (a.key.x != b.key.x)
        return a.key.x < b.key.x;
    return a.payload < b.payload;
}

/* Indices compared by comparator t of the first step of the stage that merges sorted blocks of half_block, and of the
 * later step at `distance`. Comparators within the first n elements are among the first (n + 1) / 2. */
uvec2 mirrored(uint t, uint half_block)
{
    uint block = 2u * (t & ~(half_block - 1u)), offset = t & (half_block - 1u);
    return uvec2(block + half_block - 1u - offset, block + half_block + offset);
}

uvec2 apart(uint t, uint distance)
{
    uint i = 2u * (t & ~(distance - 1u)) + (t & (distance - 1u));
    return uvec2(i, i + distance);
}

element load_element(u32s keys, u32s payload, uint words, uint floats, uint pairs, uint i)
{
    element e;
    if (words == 2)
        e.key = ordered(wide_keys(keys).at[i], floats);
    else
        e.key = uvec2(ordered(keys.at[i], floats), 0);
    e.payload = pairs != 0 ? payload.at[i] : 0;
    return e;
}

/* The key that has these ordered bits. */
uint unordered(uint bits, uint floats)
{
    uint sign = uint(int(~bits) >> 31);
    return floats != 0 ? bits ^ (sign | 0x80000000u) : bits;
}

uvec2 unordered(uvec2 bits, uint floats)
{
    uint sign = uint(int(~bits.y) >> 31);
    return floats != 0 ? bits ^ uvec2(sign, sign | 0x80000000u) : bits;
}

void store_element(u32s keys, u32s payload, uint words, uint floats, uint pairs, uint i, element e)
{
    if (words == 2)
        wide_keys(keys).at[i] = unordered(e.key, floats);
    else
        keys.at[i] = unordered(e.key.x, floats);
    if (pairs != 0)
        payload.at[i] = e.payload;
}

#ifdef SHARED_ELEMENTS
shared uint low[CHUNK], high[CHUNK], carried[CHUNK];

element shared_element(uint i)
{
    return element(uvec2(low[i], high[i]), carried[i]);
}

void share_element(uint i, element e)
{
    low[i] = e.key.x;
    high[i] = e.key.y;
    carried[i] = e.payload;
}

/* A comparator on the `length` elements starting at `base`. */
void exchange(uint base, uint length, uvec2 at)
{
    if (at.y >= length)
        return;
    element a = shared_element(base + at.x), b = shared_element(base + at.y);
    if (precedes(b, a)) {
        share_element(base + at.x, b);
        share_element(base + at.y, a);
    }
}
#endif

#ifdef CHUNK_LIST
/* A chunk of an array; `index` is its number within its segment, from 0. */
struct chunk {
    uint begin; /* of the segment, and its elements */
    uint count;
    uint index;
};

/* Chunk c of the whole array if there is no list; else of the list made by bitonic_segments. */
chunk chunk_of(uint c, uint n, uint listed, u32s list, u32s offsets)
{
    if (listed == 0)
        return chunk(0, n, c);
    uint segment = list.at[2u * c], begin = offsets.at[segment];
    return chunk(begin, offsets.at[segment + 1u] - begin, list.at[2u * c + 1u]);
}
#endif
