#include "rows.glsl"

/* Words of the `width` (1, 2 ... 32) neighbouring lanes that share a row. Called by the whole workgroup at once. */
#if SUBGROUP
#define WORD_XOR(v, mask) subgroupShuffleXor(v, mask)
#define WORD_FROM(v, lane) squad_shuffle(v, lane)
#else
shared uint words_shared[256];
uint WORD_XOR(uint v, uint mask)
{
    barrier();
    words_shared[ME] = v;
    barrier();
    return words_shared[ME ^ mask];
}
uint WORD_FROM(uint v, uint lane)
{
    barrier();
    words_shared[ME] = v;
    barrier();
    return words_shared[32u * SQUAD + lane];
}
shared uint most_turns;
#endif

/* The largest v of these lanes. */
uint lanes_max(uint v, uint width)
{
    for (uint mask = width / 2u; mask > 0u; mask /= 2u)
        v = max(v, WORD_XOR(v, mask));
    return v;
}

/* The sum of v over these lanes. */
uint lanes_total(uint v, uint width)
{
    for (uint mask = width / 2u; mask > 0u; mask /= 2u)
        v += WORD_XOR(v, mask);
    return v;
}

/* The sum of v over the lanes before this one. */
uint lanes_before(uint v, uint width)
{
    uint up_to = v;
    for (uint distance = 1u; distance < width; distance *= 2u) {
        uint before = WORD_FROM(up_to, (LANE - distance) & 31u);
        up_to += LANE % width >= distance ? before : 0u;
    }
    return up_to - v;
}

/* Iteration count of a loop in which lanes exchange words: the maximum of the lane group or, if lane groups are not
 * subgroups, of the workgroup. */
uint turns_together(uint turns)
{
#if SUBGROUP
    return lanes_max(turns, 32u);
#else
    barrier();
    if (ME == 0)
        most_turns = 0u;
    barrier();
    atomicMax(most_turns, turns);
    barrier();
    return most_turns;
#endif
}
