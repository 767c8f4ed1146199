#include "kernel.glsl"
#define SHARED_ELEMENTS
#include "primitive/bitonic.glsl"

/* Sorts each segment offsets[s] .. offsets[s + 1] - 1 that is short enough: up to 128 elements by a lane group, eight
 * segments at a time; up to 1,024 by the workgroup. The chunks of longer segments are listed as (segment, chunk), in
 * any order; the list has space for `room` of them. tally[0] becomes the number of these chunks, tally[1] the length of
 * the longest listed segment, tally[2] the first segment whose offsets descend or exceed the n elements; the caller
 * initialises tally to 0, 0 and 0xFFFFFFFF. Traffic: the elements read and written, the offsets read. */
ARGS {
    u32s keys;
    u32s payload;
    u32s offsets;
    u32s list;
    u32s tally;
    uint n;
    uint segments;
    uint room;
    uint words;
    uint floats;
    uint pairs;
};

#define SQUAD_ROOM (CHUNK / 8u)

/* The whole network on the `length` elements at `base`, by `width` invocations; this one is `me`. Runs in lockstep
 * with other lane groups, whose longest segment has `longest` elements. */
void network(uint base, uint length, uint longest, uint me, uint width)
{
    for (uint stage = 1u; stage < longest; stage *= 2u) {
        barrier();
        for (uint t = me; t < (length + 1u) / 2u; t += width)
            exchange(base, length, mirrored(t, stage));
        for (uint distance = stage / 2u; distance > 0; distance /= 2u) {
            barrier();
            for (uint t = me; t < (length + 1u) / 2u; t += width)
                exchange(base, length, apart(t, distance));
        }
    }
    barrier();
}

void load_segment(uint base, uint begin, uint length, uint me, uint width)
{
    for (uint i = me; i < length; i += width)
        share_element(base + i, load_element(keys, payload, words, floats, pairs, begin + i));
}

void store_segment(uint base, uint begin, uint length, uint me, uint width)
{
    for (uint i = me; i < length; i += width)
        store_element(keys, payload, words, floats, pairs, begin + i, shared_element(base + i));
}

/* Start and length of segment s; 0, 0 beyond the last. */
uvec2 segment_at(uint s)
{
    if (s >= segments)
        return uvec2(0);
    uint begin = offsets.at[s], end = offsets.at[s + 1u];
    return begin <= end && end <= n ? uvec2(begin, end - begin) : uvec2(0);
}

shared uint reserved;

/* Called by the whole workgroup. */
void list_chunks(uint s, uint length)
{
    uint chunks = groups_of(length, CHUNK);
    barrier();
    if (ME == 0) {
        reserved = atomicAdd(tally.at[0], chunks);
        atomicMax(tally.at[1], length);
    }
    barrier();
    for (uint c = ME; c < chunks && c < room - min(room, reserved); c += 256u) {
        list.at[2u * (reserved + c)] = s;
        list.at[2u * (reserved + c) + 1u] = c;
    }
}

void check_offsets(uint s)
{
    if (s < segments && (offsets.at[s] > offsets.at[s + 1u] || offsets.at[s + 1u] > n))
        atomicMin(tally.at[2], s);
}

void sort_by_squads(uint first)
{
    uint longest = 0;
    for (uint s = first; s < first + 8u; s++) {
        uint length = segment_at(s).y;
        longest = length <= SQUAD_ROOM ? max(longest, length) : longest;
    }
    uvec2 mine = segment_at(first + SQUAD);
    if (mine.y > SQUAD_ROOM)
        mine.y = 0;
    barrier();
    load_segment(SQUAD_ROOM * SQUAD, mine.x, mine.y, LANE, 32u);
    network(SQUAD_ROOM * SQUAD, mine.y, longest, LANE, 32u);
    store_segment(SQUAD_ROOM * SQUAD, mine.x, mine.y, LANE, 32u);
}

void main()
{
    for (uint first = 8u * gl_WorkGroupID.x; first < segments; first += 8u * gl_NumWorkGroups.x) {
        sort_by_squads(first);
        for (uint s = first; s < first + 8u; s++) {
            uvec2 next = segment_at(s);
            if (next.y > CHUNK)
                list_chunks(s, next.y);
            else if (next.y > SQUAD_ROOM) {
                barrier();
                load_segment(0, next.x, next.y, ME, 256u);
                network(0, next.y, next.y, ME, 256u);
                store_segment(0, next.x, next.y, ME, 256u);
            }
        }
        if (ME < 8u)
            check_offsets(first + ME);
    }
}
