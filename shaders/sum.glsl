/* Sums in the canonical order (docs/design.md, "The order of sums"): terms in tiles of 256, a tile as a halving
 * tree (v[j] += v[j + 128], then 64, 32 ... 1), the tile sums again in tiles of 256, up to one. What is missing
 * to 256 counts as zero.
 *
 * A squad sums a tile: its lane holds the terms lane, lane + 32 ... lane + 224, so that the strides 128, 64 and 32
 * stay in registers and the rest are exchanges within the squad. The workgroup that completes a group of 256 tiles
 * sums that group (an atomic ticket, nobody waits), so that a whole reduction is one dispatch.
 *
 * Define WIDE_SUMS first to sum doubles whatever REAL is. SUMS (1 or 2) are taken side by side. */
#ifdef WIDE_SUMS
#define sum_t double
#define sums_t sums64
ADDRESS(8) coherent buffer sums64 { double at[]; };
#else
#define sum_t real
#define sums_t sums
ADDRESS(REAL_BYTES) coherent buffer sums { real at[]; };
#endif
ADDRESS(4) coherent buffer tickets { uint at[]; };

#ifndef SUMS
#define SUMS 1
#endif

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

/* The halving tree over `width` (1, 2 ... 32) neighbouring lanes; the first of them holds the sum. */
sum_t lanes_sum(sum_t v, uint width)
{
    for (uint stride = width / 2; stride > 0; stride /= 2)
        v = v + squad_xor(v, stride);
    return v;
}

/* The sum of a tile: v[k] is its term LANE + 32 k. */
sum_t tile_sum(sum_t v[8])
{
    sum_t v0 = v[0] + v[4], v1 = v[1] + v[5], v2 = v[2] + v[6], v3 = v[3] + v[7];
    v0 = v0 + v2;
    v1 = v1 + v3;
    return lanes_sum(v0 + v1, 32);
}

shared uint sum_last;

/* Hands `done` finished tile sums, of which `tile` is one, up the tree. They stand in s.at[c * stride + tile],
 * c < SUMS. Called by the whole workgroup; true in that workgroup of the dispatch that completes the sum. Its ME = 0
 * then finds the totals in `total`. The tickets are left at zero, ready for the next run. */
bool sum_up(sums_t s, tickets t, uint tiles, uint stride, uint tile, uint done, out sum_t total[SUMS])
{
    uint count = tiles, level = 0, ticket = 0;
    for (int c = 0; c < SUMS; c++) /* a single tile was summed by this very invocation */
        total[c] = tiles == 1 && ME == 0 ? s.at[c * stride] : sum_t(0);
    while (count > 1) {
        uint group = tile / 256u, members = min(256u, count - 256u * group);
        memoryBarrierBuffer();
        barrier();
        if (ME == 0) {
            uint before = atomicAdd(t.at[ticket + group], done);
            sum_last = uint(before + done == members);
            if (before + done == members)
                t.at[ticket + group] = 0;
        }
        barrier();
        if (sum_last == 0)
            return false;
        memoryBarrierBuffer();
        uint groups = groups_of(count, 256u);
        for (int c = 0; c < SUMS; c++) {
            sum_t v[8];
            for (uint k = 0; k < 8; k++) {
                uint j = LANE + 32u * k;
                v[k] = j < members ? s.at[c * stride + level + 256u * group + j] : sum_t(0);
            }
            total[c] = tile_sum(v);
            if (ME == 0)
                s.at[c * stride + level + count + group] = total[c];
        }
        level += count;
        ticket += groups;
        count = groups;
        tile = group;
        done = 1;
    }
    return true;
}

/* Eight tiles at a time, one for each squad: `tile` is this squad's, and may be beyond the last; `first` is the
 * workgroup's first. All squads turn equally often. */
#define FOR_TILES(first, tile, tiles)                                                                         \
    for (uint first = gl_WorkGroupID.x * 8u, tile = first + SQUAD; first < (tiles);                           \
         first += gl_NumWorkGroups.x * 8u, tile = first + SQUAD)

uint tiles_of(uint n)
{
    return max(1u, groups_of(n, 256u));
}
