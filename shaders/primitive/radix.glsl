/* The least-significant-digit radix sort: H. H. Seward, "Information sorting in the application of electronic
 * digital computers to business operations" (1954); on parallel machines, M. Zagha, G. E. Blelloch, "Radix sort
 * for vector multiprocessors" (1991). A pass orders by one digit of up to 8 bits and keeps the order of equal
 * digits, in three dispatches, so that no workgroup waits for another:
 *
 *   radix_count     The array is cut into `blocks` blocks of `block` keys; counts[d blocks + b] becomes the
 *                   number of keys with digit d in block b.
 *   radix_scan      The counts of a digit become the numbers of such keys in earlier blocks, and totals[d]
 *                   their sum.
 *   radix_scatter   Each block writes its keys to their destinations. */
#include "primitive/sort.glsl"

#define DIGITS 256u

/* Loops over the keys of an invocation are unrolled; otherwise their array would not be in registers. */
#extension GL_EXT_control_flow_attributes : require
#define FOR_KEYS(u) [[unroll]] for (uint u = 0; u < KEYS; u++)

#ifdef WIDE
#define key_t uvec2
#define keys_t wide_keys
#else
#define key_t uint
#define keys_t u32s
#endif

uint digit_at(uint key, uint shift, uint mask, uint floats)
{
    return (ordered(key, floats) >> shift) & mask;
}

/* No digit spans both words. */
uint digit_at(uvec2 key, uint shift, uint mask, uint floats)
{
    uvec2 bits = ordered(key, floats);
    return ((shift < 32u ? bits.x : bits.y) >> (shift & 31u)) & mask;
}

#ifdef GROUP_SCAN
shared uint squad_totals[8];
#if !SUBGROUP
shared uint scanned[256];
#endif

/* Value of the lane `distance` below; of any lane if there is none. Called by the whole workgroup. */
uint from_below(uint v, uint distance)
{
#if SUBGROUP
    return squad_shuffle(v, (LANE - distance) & 31u);
#else
    barrier();
    scanned[ME] = v;
    barrier();
    return scanned[32u * SQUAD + ((LANE - distance) & 31u)];
#endif
}

/* The sum of v over the invocations before this one, and over all. Called by the whole workgroup. */
uint group_scan(uint v, out uint total)
{
    uint sum = v;
    for (uint distance = 1u; distance < 32u; distance *= 2u) {
        uint below = from_below(sum, distance);
        sum += LANE >= distance ? below : 0u;
    }
    barrier();
    if (LANE == 31u)
        squad_totals[SQUAD] = sum;
    barrier();
    uint before = 0;
    total = 0;
    for (uint s = 0; s < 8u; s++) {
        before += s < SQUAD ? squad_totals[s] : 0u;
        total += squad_totals[s];
    }
    return before + sum - v;
}
#endif
