/* Second of three steps of prefix sums: replaces the sums of the tiles by the sums before the tiles. One workgroup
 * takes 256 groups of tiles at a time, one per invocation; one invocation sums the groups. Each loads eight sums
 * before it uses the first.
 *
 * The sum before a tile carries into it, whether or not a segment begins there. */
ARGS {
    parts sums;
    u32s  heads;
    uint  n; /* tiles */
    uint  segmented;
};

#include "primitive/scan.glsl"

#define AHEAD 8u

shared part groups[256]; /* of an iteration: each group's sum, then the sum before it */

part[AHEAD] load_parts(uint tile)
{
    part v[AHEAD];
    [[unroll]] for (uint k = 0; k < AHEAD; k++) {
        v[k] = none();
        if (tile + k < n)
            v[k] = part(sums.at[tile + k], segmented != 0 ? heads.at[tile + k] : 0);
    }
    return v;
}

part group_part(uint group)
{
    part all = none();
    for (uint tile = GROUP * group; tile < min(GROUP * (group + 1u), n); tile += AHEAD) {
        part v[AHEAD] = load_parts(tile);
        [[unroll]] for (uint k = 0; k < AHEAD; k++)
            all = follow(all, v[k]);
    }
    return all;
}

/* Replaces the first `count` groups of the iteration by the sums before them, after `all`; returns all including
 * them. */
part groups_before(part all, uint count)
{
    for (uint group = 0; group < count; group += AHEAD) {
        part v[AHEAD];
        [[unroll]] for (uint k = 0; k < AHEAD; k++)
            v[k] = groups[group + k];
        [[unroll]] for (uint k = 0; k < AHEAD; k++) {
            groups[group + k] = all;
            all = follow(all, v[k]);
        }
    }
    return all;
}

void store_offsets(uint group, part before)
{
    part inside = none();
    for (uint tile = GROUP * group; tile < min(GROUP * (group + 1u), n); tile += AHEAD) {
        part v[AHEAD] = load_parts(tile);
        [[unroll]] for (uint k = 0; k < AHEAD; k++) {
            if (tile + k < n)
                sums.at[tile + k] = follow(before, inside).sum;
            inside = follow(inside, v[k]);
        }
    }
}

void main()
{
    part all = none(); /* sum before this iteration; in the invocation that sums groups */
    uint count = groups_of(n, GROUP);
    if (gl_WorkGroupID.x != 0)
        return;
    for (uint first = 0; first < count; first += 256u) {
        groups[ME] = group_part(first + ME);
        barrier();
        if (ME == 0)
            all = groups_before(all, min(256u, count - first));
        barrier();
        store_offsets(first + ME, groups[ME]);
    }
}
