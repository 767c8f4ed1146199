/* Last dispatch of a pass, in two versions: WIDE for keys of two words.
 *
 * A block is processed in tiles of 3,584 keys, fourteen per invocation, each lane group taking 448 neighbouring ones
 * (without subgroups 3,072, 12 and 384). First their positions in the tile by digit are determined: a lane group takes
 * 32 neighbours at a time, finds those with equal digits by eight ballots, and counts its digits as it goes. Then the
 * tile is ordered in shared memory, and written in runs of equal digits. All shared memory is below the 16 KiB that
 * every device has. A payload follows its keys through the same memory. Traffic: keys and payload read and written. */
#define GROUP_SCAN
#include "primitive/radix.glsl"

ARGS {
    u32s from;
    u32s to;
    u32s payload_from;
    u32s payload_to;
    u32s counts;
    u32s totals;
    uint n;
    uint floats;
    uint pairs;
    uint shift;
    uint mask;
    uint block;
    uint blocks;
};

/* Even: see peers_of. Longer runs are written faster, but the votes need space. */
#if SUBGROUP
#define KEYS 14u
#else
#define KEYS 12u
#endif
#define TILE (256u * KEYS)

shared uint tile[TILE];          /* first the digit counts of each lane group, then the words of the tile */
shared uint destination[DIGITS]; /* position of key 0 of the tile if it had this digit */
#if !SUBGROUP
shared uint votes[2][8][8]; /* one bit of the digits of a lane group's 32 keys, for two iterations */
#endif

/* The lanes of the lane group with the same digit, as bits. Called by the whole workgroup. */
uint peers_of(uint digit, uint turn)
{
    uint peers = 0xFFFFFFFFu;
#if SUBGROUP
    for (uint bit = 0; bit < 8u; bit++) {
        bool set = (digit >> bit & 1u) != 0;
        uint ballot = squad_ballot(set);
        peers &= set ? ballot : ~ballot;
    }
#else
    for (uint bit = 0; bit < 8u; bit++)
        if ((digit >> bit & 1u) != 0)
            atomicOr(votes[turn & 1u][SQUAD][bit], 1u << LANE);
    barrier();
    for (uint bit = 0; bit < 8u; bit++) {
        uint ballot = votes[turn & 1u][SQUAD][bit];
        peers &= (digit >> bit & 1u) != 0 ? ballot : ~ballot;
    }
#endif
    return peers;
}

/* Orders each lane's reads of shared memory before later writes, within a lane group. */
void squad_barrier()
{
#if SUBGROUP
    squad_sync();
#else
    barrier();
#endif
}

/* Number of earlier keys of the lane group with the same digit. The keys come in the order of iterations and lanes. */
uint rank_of(uint digit, uint turn)
{
    uint peers = peers_of(digit, turn), counter = DIGITS * SQUAD + digit;
    uint before = tile[counter];
    squad_barrier();
    if (findLSB(peers) == int(LANE))
        tile[counter] = before + bitCount(peers);
#if SUBGROUP
    squad_sync();
#else
    /* The next iteration uses the other votes, and its barrier precedes the next read of the counters. */
    if (LANE < 8u)
        votes[turn & 1u][SQUAD][LANE] = 0;
#endif
    return before + bitCount(peers & ((1u << LANE) - 1u));
}

/* Converts the lane groups' counts to the positions in the tile where their digits begin. Digit ME begins at `next` in
 * the whole array; returns its count. */
uint place_digits(uint next)
{
    uint sum = 0, total;
    for (uint s = 0; s < 8u; s++)
        sum += tile[DIGITS * s + ME];
    uint start = group_scan(sum, total), place = start;
    for (uint s = 0; s < 8u; s++) {
        uint count = tile[DIGITS * s + ME];
        tile[DIGITS * s + ME] = place;
        place += count;
    }
    destination[ME] = next - start;
    return sum;
}

/* Orders the values of the tile by their positions. */
uint[KEYS] permuted(uint value[KEYS], uint place[KEYS])
{
    barrier();
    FOR_KEYS(u)
        tile[place[u]] = value[u];
    barrier();
    FOR_KEYS(u)
        value[u] = tile[256u * u + ME];
    return value;
}

#ifdef WIDE
key_t[KEYS] permuted_keys(key_t key[KEYS], uint place[KEYS])
{
    uint part[KEYS];
    for (uint w = 0; w < 2u; w++) {
        FOR_KEYS(u)
            part[u] = w == 0 ? key[u].x : key[u].y;
        part = permuted(part, place);
        FOR_KEYS(u)
            key[u] = w == 0 ? uvec2(part[u], key[u].y) : uvec2(key[u].x, part[u]);
    }
    return key;
}
#else
#define permuted_keys permuted
#endif

/* Writes the `count` keys starting at `first` to their destinations. Keys that the last tile lacks are placed at its
 * end, with the last digit. Returns the number of keys with digit ME that were written from `next` on. */
uint scatter_tile(uint first, uint count, uint next)
{
    key_t key[KEYS];
    uint place[KEYS], mine = 32u * KEYS * SQUAD + LANE;
    FOR_KEYS(u)
        key[u] = mine + 32u * u < count ? keys_t(from).at[first + mine + 32u * u] : key_t(0);
    barrier();
    for (uint s = 0; s < 8u; s++)
        tile[DIGITS * s + ME] = 0;
    barrier();
    FOR_KEYS(u) {
        uint digit = mine + 32u * u < count ? digit_at(key[u], shift, mask, floats) : mask;
        place[u] = rank_of(digit, u);
    }
    barrier();
    uint sum = place_digits(next);
    barrier();
    FOR_KEYS(u) {
        uint digit = mine + 32u * u < count ? digit_at(key[u], shift, mask, floats) : mask;
        place[u] += tile[DIGITS * SQUAD + digit];
    }
    key = permuted_keys(key, place);
    uint target[KEYS];
    FOR_KEYS(u) {
        target[u] = destination[digit_at(key[u], shift, mask, floats)] + 256u * u + ME;
        if (256u * u + ME < count)
            keys_t(to).at[target[u]] = key[u];
    }
    if (pairs == 0)
        return sum;
    uint value[KEYS];
    FOR_KEYS(u)
        value[u] = mine + 32u * u < count ? payload_from.at[first + mine + 32u * u] : 0u;
    value = permuted(value, place);
    FOR_KEYS(u)
        if (256u * u + ME < count)
            payload_to.at[target[u]] = value[u];
    return sum;
}

void main()
{
    uint total, start = group_scan(totals.at[ME], total);
#if !SUBGROUP
    if (ME < 128u)
        votes[ME >> 6][ME >> 3 & 7u][ME & 7u] = 0;
#endif
    for (uint b = gl_WorkGroupID.x; b < blocks; b += gl_NumWorkGroups.x) {
        uint next = start + counts.at[ME * blocks + b], end = b * block + min(block, n - b * block);
        for (uint first = b * block; first < end; first += TILE)
            next += scatter_tile(first, min(TILE, end - first), next);
    }
}
