#include "kernel.glsl"
#include "halves.glsl"

/* y = the prefix sums of x in one pass, with the bits of the three steps: Merrill, Garland, "Single-pass parallel
 * prefix scan with decoupled look-back" (2016), modified to keep the order of primitive/scan.glsl. Traffic: x read, y
 * written.
 *
 * A workgroup takes the next tile and publishes its sum. Then its first lane group reads the states of the earlier
 * tiles of its group, one per lane, and of the 32 groups before. A group's sum (OWN) is published as soon as its last
 * tile knows the other tiles, and later the sum up to its end (UPTO). Once the tiles are known, and all groups back to
 * one with UPTO, the lanes' values are added forward, in order, so the bits do not depend on which group that was.
 *
 * As in scan_once_u32 no workgroup waits for long (Smith, Levien, Owens, "Decoupled fallback", 2025): after `polls`
 * unsuccessful polls it computes the missing sums itself, and publishes them. Whatever the device does, the work of
 * each workgroup is bounded.
 *
 * A state is published in words, each with the kind and 16 bits of the value: words of equal kind belong together,
 * whatever the order in which they become visible, and no other data is exchanged. The words only grow (kinds too), so
 * late writes do no harm. A value has the same bits whichever workgroup publishes it; halves of two NaNs, whose bits
 * are not guaranteed, still form a NaN.
 *
 * x and y are different arrays: other workgroups may reread a tile after its results have been written. */
#define item real
#if REAL == 64
#define quad dvec4
#define DOUBLES
#else
#define quad vec4
#endif
FORWARD buffer parts;
ADDRESS(4) coherent volatile buffer published { uint at[]; }; /* initially 0: tiles taken; states from WORDS on */
ADDRESS(WORDS_BYTES) coherent volatile buffer published_states { words_t at[]; };
ARGS {
    parts     x;
    parts     y;
    published p;
    uint      n;
    uint      exclusive;
    uint      polls;
};
const uint segmented = 0;

#include "primitive/scan.glsl"

#define UNKNOWN 0u
#define OWN 1u  /* the sum of the tile or group */
#define UPTO 2u /* the sum of the group and all before it */

struct state {
    uint kind;
    item value;
};

const uint no_heads[4] = uint[4](0, 0, 0, 0);

shared uint taken_tile;
shared item looked[64]; /* sums of the group's tiles, then of groups, each in order; unused ones are zero */
shared uint seen;       /* whether looking back sufficed; its results follow */
shared item seen_groups, seen_tiles;
shared state found_state;
shared uint found_groups;
#if !SUBGROUP
shared uint looked_votes;
#endif

/* Places of the states of tiles and groups. */
uint tile_place(uint tile)
{
    return 1u + tile;
}

uint group_place(uint group)
{
    return 1u + scan_tiles(n) + group;
}

state state_of(words_t words)
{
    uint kind = words.x >> 16;
    if (words >> 16 != words_t(kind))
        kind = UNKNOWN;
    return state(kind, of_halves(words));
}

words_t words_at(uint place)
{
    return published_states(uvec2(p)).at[place];
}

/* The first invocations publish a word each. */
void publish(uint place, uint kind, item value)
{
    if (ME < WORDS)
        atomicMax(p.at[WORDS * place + ME], kind << 16 | halves_of(value)[ME]);
}

/* ---- Looking back: by the first lane group if it is a subgroup, else by the whole workgroup, whose first 32
 * invocations contribute ---- */

void looked_barrier()
{
#if SUBGROUP
    squad_sync();
#else
    barrier();
#endif
}

/* Bit l: the vote of lane l. */
uint votes(bool yes)
{
#if SUBGROUP
    return squad_ballot(yes);
#else
    barrier();
    if (ME == 0)
        looked_votes = 0;
    barrier();
    if (ME < 32u && yes)
        atomicOr(looked_votes, 1u << LANE);
    barrier();
    return looked_votes;
#endif
}

/* Decodes a state. If it is known, stores its value in looked[to], which takes no registers. Returns its kind. */
uint look(words_t words, uint to)
{
    state s = state_of(words);
    if (s.kind != UNKNOWN)
        looked[to] = s.value;
    return s.kind;
}

/* The sum of looked[first ... end - 1], in order. */
item looked_sum(uint first, uint end)
{
    item sum = item(0);
    looked_barrier();
    for (uint k = first; k < end; k += 4) {
        item v[4];
        [[unroll]] for (uint j = 0; j < 4; j++)
            v[j] = looked[k + j];
        [[unroll]] for (uint j = 0; j < 4; j++)
            sum = sum + v[j];
    }
    return sum;
}

/* Computes the sum before a tile whose own sum is `own`, unless `polls` polls do not complete it. A lane looks at tile
 * LANE of the group and at the (LANE + 1)-th group before it; one that does not exist counts as a known zero. */
void look_back(uint tile, item own)
{
    uint group = tile / GROUP, member = tile % GROUP;
    uint near = LANE < member ? UNKNOWN : OWN, far = LANE < group ? UNKNOWN : UPTO;
    uint upto = 0; /* lanes */
    item tiles = item(0);
    bool tiles_known = false, groups_known = false;
    if (ME < 32u)
        looked[LANE] = looked[63u - LANE] = item(0);
    for (uint asked = 0; asked < polls && !(tiles_known && groups_known); asked++) {
        bool ask_near = ME < 32u && near == UNKNOWN, ask_far = ME < 32u && far != UPTO;
        words_t near_words = words_t(0), far_words = words_t(0);
        if (ask_near)
            near_words = words_at(tile_place(GROUP * group + LANE));
        if (ask_far)
            far_words = words_at(group_place(group - 1u - LANE));
        if (ask_near)
            near = look(near_words, LANE);
        if (ask_far)
            far = look(far_words, 63u - LANE);
        if (!tiles_known && votes(near == UNKNOWN) == 0) {
            tiles_known = true;
            tiles = looked_sum(0, member);
            if (member == GROUP - 1u)
                publish(group_place(group), OWN, tiles + own);
        }
        upto = votes(far == UPTO);
        uint nearer = (upto & -upto) - 1u; /* lanes below the first one with UPTO; all lanes if there is none */
        groups_known = upto != 0 && (votes(far == UNKNOWN) & nearer) == 0;
    }
    uint nearest = upto == 0 ? 31u : findLSB(upto);
    if (ME < 32u && LANE > nearest)
        looked[63u - LANE] = item(0);
    item groups = looked_sum(63u - nearest & ~3u, 64);
    if (ME == 0) {
        seen = uint(tiles_known && groups_known);
        seen_groups = groups;
        seen_tiles = tiles;
    }
}

/* ---- Fallback: the whole workgroup computes everything ---- */

/* A state, equal in all invocations. */
state state_at(uint place)
{
    barrier();
    if (ME == 0)
        found_state = state_of(words_at(place));
    barrier();
    return found_state;
}

/* State of the nearest group before `group` that has published UPTO, and the number of groups that it covers: 0 if no
 * group has. */
state found_upto(uint group, out uint groups)
{
    barrier();
    if (ME == 0) {
        state s = state(UPTO, item(0));
        uint count = group;
        for (; count > 0; count--) {
            s = state_of(words_at(group_place(count - 1u)));
            if (s.kind == UPTO)
                break;
        }
        found_groups = count;
        found_state = state(UPTO, count > 0 ? s.value : item(0));
    }
    barrier();
    groups = found_groups;
    return found_state;
}

/* Sum of the tiles of a group that precede tile `end`. */
item add_up_tiles(uint group, uint end)
{
    item sum = item(0);
    for (uint tile = GROUP * group; tile < min(GROUP * (group + 1u), end); tile++) {
        state s = state_at(tile_place(tile));
        if (s.kind == UNKNOWN) {
            quad v[4] = load_tile(x, tile, n);
            part before[4];
            s.value = tile_scan(v, no_heads, before).sum;
            publish(tile_place(tile), OWN, s.value);
        }
        sum = sum + s.value;
    }
    return sum;
}

/* Computes the sums before a tile: of the groups before its own, and of the tiles before it in its group. */
void add_up(uint tile, out item groups, out item tiles)
{
    uint group = tile / GROUP, next;
    groups = found_upto(group, next).value;
    for (; next < group; next++) {
        state s = state_at(group_place(next));
        if (s.kind == UNKNOWN)
            s.value = add_up_tiles(next, tile);
        groups = s.kind == UPTO ? s.value : groups + s.value;
        publish(group_place(next), UPTO, groups);
    }
    tiles = add_up_tiles(group, tile);
}

void main()
{
    FOR_EACH_TILE(turn, n) {
        if (ME == 0)
            taken_tile = atomicAdd(p.at[0], 1u);
        barrier();
        uint tile = taken_tile;
        if (tile >= scan_tiles(n))
            return;
        quad v[4] = load_tile(x, tile, n);
        part before[4];
        item own = tile_scan(v, no_heads, before).sum;
        publish(tile_place(tile), OWN, own);
        if (SUBGROUP == 0 || SQUAD == 0)
            look_back(tile, own);
        barrier();
        item groups = seen_groups, tiles = seen_tiles;
        if (seen == 0) {
            add_up(tile, groups, tiles);
            v = load_tile(x, tile, n); /* loaded again: keeping it would take registers from all workgroups */
            tile_scan(v, no_heads, before);
        }
        if (tile % GROUP == GROUP - 1u)
            publish(group_place(tile / GROUP), UPTO, groups + (tiles + own));
        store_tile(y, tile, n, tile_result(v, no_heads, before, groups + tiles, exclusive));
    }
}
