/* Sums in the canonical order (docs/internals/sums.md): terms in tiles of 256, a tile as a halving
 * tree (v[j] += v[j + 128], then 64, 32 ... 1), the tile sums again in tiles of 256, down to one. Terms missing
 * to 256 count as zero.
 *
 * A lane group sums a tile: its lane holds the terms lane, lane + 32 ... lane + 224, so that the strides 128, 64 and 32
 * stay in registers and the rest are exchanges within the lane group. The even and the odd terms of these eight are
 * only combined at stride 32: a kernel takes them as two halves of four, each loaded together. The tile sums go up the
 * tree in one of two ways:
 *
 *   sum_up    The workgroup that completes a group of 256 sums that group (an atomic ticket, no waiting), so that a
 *             whole reduction is one dispatch.
 *   rest_of_tiles, rest_of_stripes
 *             A kernel leaves sums of its tiles or stripes, and the kernel that needs the total adds them up, in
 *             each of its workgroups. If there are more than FEW, sum_level or sum_stripes reduces them between the
 *             two. Within a solver this is faster: tickets make an otherwise finished workgroup wait for memory.
 *
 * A stripe is the eight tiles of a group of 256 that its strides 128, 64 and 32 add up: those 32 apart. A workgroup
 * that takes a stripe, one tile for each lane group, leaves one sum instead of eight.
 *
 * Sums are elements; real_part() takes a sum of magnitudes, such as r . r, out of them. Define REAL_SUMS first to sum
 * magnitudes alone, WIDE_SUMS to sum in doubles for any REAL, or PAIR_SUMS to sum pairs of floats, with WIDE_PAIRS of
 * doubles (pairs.glsl). SUMS (1 to 8) sums are computed together, in rows of `stride` tile sums starting at `base`. */
#extension GL_EXT_control_flow_attributes : require
#include "tiles.glsl"

#if defined WIDE_SUMS
#ifdef REAL_SUMS
#define sum_t double
#else
#define sum_t wide_t
#endif
#define sums_t sums64
ADDRESS(8) coherent buffer sums64 { sum_t at[]; };
#elif defined PAIR_SUMS
#include "pairs.glsl"
#define sum_t pair_t
#define sums_t pair_sums
ADDRESS(8) coherent buffer pair_sums { pair_t at[]; };
#else
#ifdef REAL_SUMS
#define sum_t real
#else
#define sum_t scalar_t
#endif
#define sums_t sums
ADDRESS(SCALAR_BYTES) coherent buffer sums { sum_t at[]; };
#endif

#ifdef PAIR_SUMS
#define PLUS(a, b) pair_plus(a, b)
#else
#define PLUS(a, b) ((a) + (b))
#endif

#ifndef SUMS
#define SUMS 1
#endif
#define FEW 2048u /* eight groups of 256: one for each lane group */

/* Value of the lane whose number differs in the bits of `mask`. Called by the whole workgroup at once. */
#if SUBGROUP
#define SQUAD_XOR(v, mask) subgroupShuffleXor(v, mask)
#else
shared sum_t squad_shared[256];
sum_t SQUAD_XOR(sum_t v, uint mask)
{
    barrier();
    squad_shared[ME] = v;
    barrier();
    return squad_shared[ME ^ mask];
}
#endif

/* The halving tree over a lane group, whose lanes all get the sum. Unrolled literal masks: in solver/rendezvous.glsl a
 * loop over masks was ten times as slow on an H200, 0.75 us (docs/internals/sums.md). Without subgroups each exchange
 * has barriers, and lavapipe takes a minute to compile a kernel with some hundred: hence the loop. */
sum_t squad_sum(sum_t v)
{
#if SUBGROUP
    v = PLUS(v, SQUAD_XOR(v, 16u));
    v = PLUS(v, SQUAD_XOR(v, 8u));
    v = PLUS(v, SQUAD_XOR(v, 4u));
    v = PLUS(v, SQUAD_XOR(v, 2u));
    return PLUS(v, SQUAD_XOR(v, 1u));
#else
    [[dont_unroll]] for (uint mask = 16; mask > 0; mask /= 2)
        v = PLUS(v, SQUAD_XOR(v, mask));
    return v;
#endif
}

/* The halving tree over `width` (1, 2 ... 32) neighbouring lanes. */
sum_t lanes_sum(sum_t v, uint width)
{
    for (uint mask = width / 2; mask > 0; mask /= 2)
        v = PLUS(v, SQUAD_XOR(v, mask));
    return v;
}

/* Sum of the four terms of a half, k = half, half + 2, half + 4, half + 6: */
sum_t half_sum(sum_t v[4])
{
    sum_t a = PLUS(v[0], v[2]), b = PLUS(v[1], v[3]);
    return PLUS(a, b);
}

/* The element of tile `tile` that is term u of a half in this lane. */
uint half_element(uint tile, uint part, uint u)
{
    return 256u * tile + 32u * (part + 2u * u) + LANE;
}

/* The sum of a tile from its halves. All lanes get it. */
sum_t tile_sum(sum_t even, sum_t odd)
{
    return squad_sum(PLUS(even, odd));
}

/* The sum of group `group` of the `count` values at s.at[from]. */
sum_t group_sum(sums_t s, uint from, uint group, uint count)
{
    sum_t v[2][4];
    for (uint part = 0; part < 2; part++)
        for (uint u = 0; u < 4; u++) {
            uint j = half_element(group, part, u);
            v[part][u] = j < count ? s.at[from + j] : sum_t(0);
        }
    return tile_sum(half_sum(v[0]), half_sum(v[1]));
}

/* Passes the finished tile sums first .. first + done - 1, which lie in one group, up the tree. Called by the whole
 * workgroup; true in the workgroup of the dispatch that finishes last. The tickets are left at zero, ready for the
 * next run. */
bool sum_up(sums_t s, tickets t, uint tiles, uint base, uint stride, uint first, uint done)
{
    uint count = tiles, level = base, ticket = 0;
    while (count > 1) {
        uint group = first / 256u, members = min(256u, count - 256u * group);
        if (!completes(t, ticket + group, done, members))
            return false;
        for (uint c = 0; c < SUMS; c++) {
            sum_t total = group_sum(s, level + c * stride, group, count);
            if (ME == 0)
                s.at[level + c * stride + count + group] = total;
        }
        level += count;
        count = groups_of(count, 256u);
        ticket += count;
        first = group;
        done = 1;
    }
    return true;
}

shared sum_t few_sums[64][SUMS];

/* The sum of few_sums[0 .. count - 1][c], as one group of 256. Called by the whole workgroup, after a barrier. */
sum_t few_sum(uint c, uint count)
{
    sum_t even[4], odd[4];
    for (uint u = 0; u < 4; u++)
        even[u] = odd[u] = sum_t(0);
    even[0] = LANE < count ? few_sums[LANE][c] : sum_t(0);
    odd[0] = 32u + LANE < count ? few_sums[32u + LANE][c] : sum_t(0);
    return tile_sum(half_sum(even), half_sum(odd));
}

/* The whole sums of `count` (at most FEW) sums in each of `rows` (at most SUMS) rows that start at `level`. */
sum_t[SUMS] sum_few(sums_t s, uint level, uint count, uint stride, uint rows)
{
    sum_t total[SUMS];
    if (count == 1) {
        for (uint c = 0; c < rows; c++)
            total[c] = s.at[level + c * stride];
        return total;
    }
    bool one_group = count <= 256u;
    for (uint c = 0; c < rows; c++)
        total[c] = group_sum(s, level + c * stride, one_group ? 0 : SQUAD, count);
    if (one_group)
        return total;
    barrier();
    for (uint c = 0; c < rows; c++)
        if (LANE == 0)
            few_sums[SQUAD][c] = total[c];
    barrier();
    for (uint c = 0; c < rows; c++)
        total[c] = few_sum(c, 8);
    return total;
}

/* The whole sums of `rows` rows of tile sums, which sum_level has reduced to at most FEW. Called by the whole
 * workgroup; all get them. */
sum_t[SUMS] rest_of_tiles(sums_t s, uint tiles, uint base, uint stride, uint rows)
{
    uint count = tiles, level = base;
    while (count > FEW) {
        level += count;
        count = groups_of(count, 256u);
    }
    return sum_few(s, level, count, stride, rows);
}

uint stripes_of(uint tiles)
{
    return 32u * (tiles / 256u) + min(32u, tiles % 256u);
}

/* This lane group's tile of a stripe; it may be beyond the last. */
uint stripe_tile(uint stripe)
{
    return 256u * (stripe / 32u) + 32u * SQUAD + stripe % 32u;
}

/* Stores the first `rows` sums of a stripe at s.at[to + c * stride]; each lane group provides the sum of its tile. The
 * sum of a single tile is stored unchanged. Called by the whole workgroup. */
void leave_rows(sums_t s, uint tiles, uint to, uint stride, sum_t tile[SUMS], uint rows)
{
    barrier(); /* the previous stripe has been added up */
    for (uint c = 0; c < rows; c++)
        if (LANE == 0)
            few_sums[SQUAD][c] = tile[c];
    barrier();
    if (ME >= rows)
        return;
    sum_t even[4], odd[4];
    for (uint u = 0; u < 4; u++) {
        even[u] = few_sums[2 * u][ME];
        odd[u] = few_sums[2 * u + 1][ME];
    }
    s.at[to + ME * stride] = tiles == 1 ? few_sums[0][ME] : PLUS(half_sum(even), half_sum(odd));
}

/* As leave_rows, for all SUMS rows. */
void leave_stripe(sums_t s, uint tiles, uint to, uint stride, sum_t tile[SUMS])
{
    leave_rows(s, tiles, to, stride, tile, SUMS);
}

/* The whole sums of `rows` rows of stripe sums. Of up to FEW, lane group q takes the 32 of each of the groups q, q + 8
 * ... q + 56; sum_stripes has reduced more to sums of groups. Called by the whole workgroup; all get them. */
sum_t[SUMS] rest_of_stripes(sums_t s, uint tiles, uint base, uint stride, uint rows)
{
    uint stripes = stripes_of(tiles), groups = groups_of(tiles, 256u);
    if (tiles == 1)
        return rest_of_tiles(s, tiles, base, stride, rows);
    if (stripes > FEW)
        return rest_of_tiles(s, groups, base + stripes, stride, rows);
    sum_t total[SUMS];
    uint first = groups == 1 ? 0 : SQUAD, turns = groups_of(groups, 8u);
    for (uint c = 0; c < rows; c++) {
        sum_t v[8];
        for (uint u = 0; u < 8; u++) {
            uint j = 32u * (first + 8u * u) + LANE;
            v[u] = j < stripes ? s.at[base + c * stride + j] : sum_t(0);
        }
        for (uint u = 0; u < 8 && u < turns; u++)
            v[u] = squad_sum(v[u]);
        total[c] = v[0];
        for (uint u = 0; u < 8; u++)
            if (LANE == 0)
                few_sums[SQUAD + 8u * u][c] = v[u];
    }
    if (groups == 1)
        return total;
    barrier();
    for (uint c = 0; c < rows; c++)
        total[c] = few_sum(c, groups);
    return total;
}

/* The result of sum_up, in the workgroup where it returned true. */
sum_t sum_whole(sums_t s, uint tiles, uint base)
{
    uint level = base;
    for (uint count = tiles; count > 1; count = groups_of(count, 256u))
        level += count;
    return s.at[level];
}

/* Loop over stripes, shared by all workgroups. */
#define FOR_STRIPES(stripe, tiles)                                                                            \
    for (uint stripe = gl_WorkGroupID.x; stripe < stripes_of(tiles); stripe += gl_NumWorkGroups.x)
