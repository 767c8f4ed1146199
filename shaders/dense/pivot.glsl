/* Search for a pivot: the element of the largest magnitude among rows that have not been pivots; of equal ones, in the
 * first row. Magnitudes are compared as bits: a NaN is larger than all others, and no device flushes a denormal. Each
 * workgroup leaves a candidate of three words; the next kernel takes the best of these. */
#include "dense/pivot.h"

struct candidate {
    uint high, low; /* the bits of the magnitude */
    uint row;
};

shared uint best_high[256], best_low[256], best_row[256];

/* The candidate that loses to any other. */
candidate no_candidate()
{
    return candidate(0, 0, PIVOT_NONE);
}

candidate candidate_of(scalar_t v, uint row)
{
#if REAL == 64
    uvec2 bits = unpackDouble2x32(v);
    return candidate(bits.y & 0x7FFFFFFFu, bits.x, row);
#else
    return candidate(floatBitsToUint(v) & 0x7FFFFFFFu, 0, row);
#endif
}

bool better(candidate a, candidate b)
{
    if (a.high != b.high)
        return a.high > b.high;
    return a.low != b.low ? a.low > b.low : a.row < b.row;
}

#if SUBGROUP
/* Candidate of the lane whose number differs in the bits of `mask`, a literal: see squad_sum in sum.glsl. */
#define OF_LANE_XOR(c, mask)                                                                                  \
    candidate(subgroupShuffleXor(c.high, mask), subgroupShuffleXor(c.low, mask), subgroupShuffleXor(c.row, mask))

candidate best_of_two(candidate a, candidate b)
{
    if (better(b, a))
        return b;
    return a;
}

/* Best candidate of the workgroup, for all its invocations. Earlier writes to shared memory become visible. Successive
 * calls alternate `place`, 0 to 3. */
candidate best_of_all(candidate c, uint place)
{
    c = best_of_two(c, OF_LANE_XOR(c, 16u));
    c = best_of_two(c, OF_LANE_XOR(c, 8u));
    c = best_of_two(c, OF_LANE_XOR(c, 4u));
    c = best_of_two(c, OF_LANE_XOR(c, 2u));
    c = best_of_two(c, OF_LANE_XOR(c, 1u));
    if (LANE == 0) {
        best_high[8u * place + SQUAD] = c.high;
        best_low[8u * place + SQUAD] = c.low;
        best_row[8u * place + SQUAD] = c.row;
    }
    barrier();
    c = no_candidate();
    [[unroll]] for (uint squad = 0; squad < 8u; squad++) {
        uint at = 8u * place + squad;
        candidate other = candidate(best_high[at], best_low[at], best_row[at]);
        if (better(other, c))
            c = other;
    }
    return c;
}
#else
candidate shared_best(uint first, uint count, uint stride)
{
    candidate best = no_candidate();
    for (uint u = 0; u < count; u++) {
        uint at = first + u * stride;
        candidate c = candidate(best_high[at], best_low[at], best_row[at]);
        if (better(c, best))
            best = c;
    }
    return best;
}

void share(candidate c)
{
    best_high[ME] = c.high;
    best_low[ME] = c.low;
    best_row[ME] = c.row;
}

/* The same through shared memory: first over each sixteen, then over the sixteen results. */
candidate best_of_all(candidate c, uint place)
{
    barrier();
    share(c);
    barrier();
    c = shared_best(ME & ~15u, 16u, 1u);
    barrier();
    share(c);
    barrier();
    return shared_best(0, 16u, 16u);
}
#endif

/* How the elimination ends with this pivot; 0: it continues. */
uint ending_of(candidate c)
{
#if REAL == 64
    const uint special = 0x7FF00000u;
#else
    const uint special = 0x7F800000u;
#endif
    if (c.high >= special)
        return PIVOT_SPECIAL;
    return (c.high | c.low) == 0 ? PIVOT_ZERO : 0;
}

candidate read_candidate(u32s list, uint g)
{
    return candidate(list.at[3 * g], list.at[3 * g + 1], list.at[3 * g + 2]);
}

void leave_candidate(u32s list, candidate c)
{
    if (ME == 0) {
        uint at = 3 * gl_WorkGroupID.x;
        list.at[at] = c.high;
        list.at[at + 1] = c.low;
        list.at[at + 2] = c.row;
    }
}
