/* Workgroups of one dispatch that synchronise, and sums over all of them in the canonical order. Included after ARGS,
 * which must have sync_words (RENDEZVOUS_...) and n, and the constant spread, s below.
 *
 * A workgroup has 1 << s tiles of 256 elements, an invocation 1 << s elements of one tile. The tiles are those of a
 * group of 256 that the first strides of the tree over tile sums (sum.glsl) add up: 256 >> s apart; the elements are
 * those of a tile that the first strides of its tree add up. So a workgroup publishes one sum, in words that carry the
 * number of the rendezvous (halves.glsl): a workgroup that has read them all needs no other signal, and all workgroups
 * add them up in the same order. Other data becomes visible after rendezvous().
 *
 * A wait is bounded: a workgroup that times out gets false, and so will the others eventually. */
#include "in_all.glsl"
#include "solver/spread.glsl"

#define ALL_MEMORY (gl_StorageSemanticsBuffer | gl_StorageSemanticsShared)
#define BOTH_WAYS (gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible)

ADDRESS(WORDS_BYTES) coherent volatile buffer posted_values { words_t at[]; };

shared uint gave_up;
shared scalar_t received[SUMS][TOGETHER_MOST];
uint round; /* number of the last rendezvous */
uint polls; /* polls for the others before a workgroup gives up */

/* Index of sum k of workgroup g; for sum 3, of its arrival at a rendezvous. Neighbours are adjacent, as all read
 * all. */
uint posted_at(uint g, uint k)
{
    return 4u * RENDEZVOUS_HEAD / WORDS_BYTES + TOGETHER_MOST * k + g;
}

uint tag()
{
    return round << 16;
}

void post(uint k, words_t halves)
{
    posted_values(uvec2(sync_words)).at[posted_at(gl_WorkGroupID.x, k)] = halves | tag();
}

/* Waits for sum k of workgroup g. */
words_t await_posted(uint g, uint k)
{
    bool has_arrived = g >= gl_NumWorkGroups.x;
    words_t words = words_t(0);
    for (uint poll = 0; poll < polls && !in_all(has_arrived); poll++)
        if (!has_arrived) {
            words = posted_values(uvec2(sync_words)).at[posted_at(g, k)];
            has_arrived = ((words ^ tag()) & 0xFFFF0000u) == words_t(0);
        }
    if (!has_arrived)
        gave_up = 1;
    return words;
}

uint reached_at(uint g)
{
    return posted_at(g, 3u) * (WORDS_BYTES / 4u);
}

/* Waits until workgroup g is at this rendezvous. Reads atomically: the fences of rendezvous() order memory by it. */
void wait_for(uint g)
{
    bool is_there = g >= gl_NumWorkGroups.x;
    for (uint poll = 0; poll < polls && !in_all(is_there); poll++)
        is_there = is_there || atomicLoad(sync_words.at[reached_at(g)], gl_ScopeDevice, 0, 0) == round;
    if (!is_there)
        gave_up = 1;
}

/* Synchronises with the other workgroups; false on a timeout, else their earlier writes are visible. Called by the
 * whole workgroup. */
bool rendezvous()
{
    round++;
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, ALL_MEMORY, BOTH_WAYS);
    if (gl_NumWorkGroups.x == 1u)
        return polls > 0;
    if (ME == 0) {
        memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
        atomicStore(sync_words.at[reached_at(gl_WorkGroupID.x)], round, gl_ScopeDevice, 0, 0);
    }
    for (uint g = ME; g - LANE < gl_NumWorkGroups.x; g += 256u)
        wait_for(g);
    memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, ALL_MEMORY, BOTH_WAYS);
    return gave_up == 0;
}

/* ---- Sums over all workgroups ---- */

/* Publishes the sums of this workgroup, `rows` of them at most, starting at sum k. */
void post_sums(uint k, uint rows)
{
    if (ME < rows) {
        uint at = ME * TOGETHER_TILES;
        scalar_t total = spread_sum(tile_sums[at], tile_sums[at + 1u], tile_sums[at + 2u], tile_sums[at + 3u]);
        post(k + ME, halves_of(total));
    }
}

/* Sum c published by workgroup g, 0 beyond the last. */
scalar_t received_from(uint c, uint g)
{
    return g < gl_NumWorkGroups.x ? received[c][g] : scalar_t(0);
}

/* Sum of group `group` of 256 tiles, published by 32 << e workgroups. */
scalar_t received_sum(uint c, uint group, uint e)
{
    uint g = (32u << e) * group + LANE;
    scalar_t sum = received_from(c, g), other = received_from(c, g + 32u);
    if (e == 2u) {
        sum = sum + received_from(c, g + 64u);
        other = other + received_from(c, g + 96u);
    }
    if (e == 3u) {
        sum = (sum + received_from(c, g + 128u)) + (received_from(c, g + 64u) + received_from(c, g + 192u));
        other = (other + received_from(c, g + 160u)) + (received_from(c, g + 96u) + received_from(c, g + 224u));
    }
    return squad_sum(sum + other);
}

/* Whole sums of the published sums in `rows` rows. */
scalar_t[SUMS] add_up(uint rows, uint groups)
{
    scalar_t total[SUMS];
    uint e = 3u - spread;
    total[0] = received_sum(0, groups == 1 ? 0 : SQUAD, e);
    total[1] = rows == 1u ? total[0] : received_sum(1, groups == 1 ? 0 : SQUAD, e);
    if (groups == 1)
        return total;
    if (LANE == 0) {
        few_sums[SQUAD][0] = total[0];
        few_sums[SQUAD][1] = total[1];
    }
    barrier();
    total[0] = few_sum(0, groups);
    if (rows == 2u)
        total[1] = few_sum(1, groups);
    return total;
}

/* The whole sums of `rows` rows of `terms`, published as sums k, k + 1. False if other workgroups timed out. Called by
 * the whole workgroup. */
bool whole_sums(uint k, uint rows, out scalar_t total[SUMS])
{
    sum_tiles(rows);
    if (gl_NumWorkGroups.x == 1u) { /* the only workgroup, with one tile */
        total = scalar_t[SUMS](tile_sums[0], tile_sums[TOGETHER_TILES]);
        return true;
    }
    round++;
    post_sums(k, rows);
    for (uint g = ME; g - LANE < gl_NumWorkGroups.x; g += 256u)
        for (uint c = 0; c < rows; c++)
            received[c][min(g, TOGETHER_MOST - 1u)] = of_halves(await_posted(g, k + c));
    barrier();
    total = add_up(rows, groups_of(tiles_of(n), 256u));
    return gave_up == 0;
}
