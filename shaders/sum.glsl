/* Sums in the canonical order (docs/design.md, "The order of sums"): terms in tiles of 256, a tile as a halving
 * tree (v[j] += v[j + 128], then 64, 32 ... 1), the tile sums again in tiles of 256, up to one. What is missing
 * to 256 counts as zero.
 *
 * A squad sums a tile: its lane holds the terms lane, lane + 32 ... lane + 224, so that the strides 128, 64 and 32
 * stay in registers and the rest are exchanges within the squad. The even and the odd of these eight only meet at stride
 * 32: a kernel takes them as two halves of four, whose loads are under way together. The tile sums go up the tree in one of two ways:
 *
 *   sum_up    The workgroup that completes a group of 256 sums that group (an atomic ticket, nobody waits), so that a
 *             whole reduction is one dispatch.
 *   sum_rest  A kernel leaves its tile sums, and the kernel that wants the sum adds them up, in each of its workgroups.
 *             Where they are more than FEW, sum_level brings them down between the two. Within a solver this is
 *             faster: tickets keep a workgroup waiting for memory that has nothing else to do any more.
 *
 * Define WIDE_SUMS first to sum doubles whatever REAL is. SUMS (1 or 2) are taken side by side, in rows of
 * `stride` tile sums that begin at `base`. */
#include "tiles.glsl"

#ifdef WIDE_SUMS
#define sum_t double
#define sums_t sums64
ADDRESS(8) coherent buffer sums64 { double at[]; };
#else
#define sum_t real
#define sums_t sums
ADDRESS(REAL_BYTES) coherent buffer sums { real at[]; };
#endif

#ifndef SUMS
#define SUMS 1
#endif
#define FEW 2048u /* eight groups of 256: one for each squad */

#if !SUBGROUP
shared sum_t squad_shared[256];
#endif

/* The value of the lane whose number differs in the bits of `mask`. Called by the whole workgroup at once. */
sum_t squad_xor(sum_t v, uint mask)
{
#if SUBGROUP
    return subgroupShuffleXor(v, mask);
#else
    barrier();
    squad_shared[ME] = v;
    barrier();
    return squad_shared[ME ^ mask];
#endif
}

/* The halving tree over `width` (1, 2 ... 32) neighbouring lanes; all of them get the sum. */
sum_t lanes_sum(sum_t v, uint width)
{
    for (uint stride = width / 2; stride > 0; stride /= 2)
        v = v + squad_xor(v, stride);
    return v;
}

/* Of the four terms of a half, k = half, half + 2, half + 4, half + 6: */
sum_t half_sum(sum_t v[4])
{
    sum_t a = v[0] + v[2], b = v[1] + v[3];
    return a + b;
}

/* The element of tile `tile` that is term u of a half in this lane. */
uint half_element(uint tile, uint part, uint u)
{
    return 256u * tile + 32u * (part + 2u * u) + LANE;
}

/* The sum of a tile from its halves. All lanes get it. */
sum_t tile_sum(sum_t even, sum_t odd)
{
    return lanes_sum(even + odd, 32);
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

/* Hands the finished tile sums first .. first + done - 1, which lie in one group, up the tree to the one sum. Called
 * by the whole workgroup; true in that workgroup of the dispatch that finishes last. The tickets are left at zero,
 * ready for the next run. */
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

shared sum_t squad_sums[8][SUMS];

/* The whole sums of `rows` rows (at most SUMS) of tile sums, which sum_level has brought down to FEW. Called by the whole
 * workgroup; all get them. */
sum_t[SUMS] sum_rest(sums_t s, uint tiles, uint base, uint stride, uint rows)
{
    sum_t total[SUMS];
    uint count = tiles, level = base;
    while (count > FEW) {
        level += count;
        count = groups_of(count, 256u);
    }
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
        squad_sums[SQUAD][c] = total[c];
    barrier();
    sum_t zeros[4] = sum_t[4](sum_t(0), sum_t(0), sum_t(0), sum_t(0)), even[4] = zeros;
    for (uint c = 0; c < rows; c++) {
        even[0] = LANE < 8 ? squad_sums[LANE][c] : sum_t(0);
        total[c] = tile_sum(half_sum(even), half_sum(zeros));
    }
    return total;
}

/* What sum_up has summed: for the workgroup that it told so. */
sum_t sum_whole(sums_t s, uint tiles, uint base)
{
    uint level = base;
    for (uint count = tiles; count > 1; count = groups_of(count, 256u))
        level += count;
    return s.at[level];
}
