#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/long.glsl"

/* y for rows of more than 256 pieces, from the sums of the pieces, which are overwritten. A workgroup takes a row,
 * level by level. Traffic: the sums read, and 1/128 of that again. */
ARGS {
    guard   g;
    u32s    list;
    u32s    head; /* the first piece of each such row */
    sums    sum;
    scalars y;
    uint    pieces;
    uint    heads;
};

/* Workgroup barrier; makes its writes visible. */
void synchronise()
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
}

/* Replaces the `count` sums starting at p by the sums of their groups of 256. An iteration writes only before what the
 * next one reads. */
void one_level(uint p, uint count)
{
    uint groups = groups_of(count, 256u);
    for (uint turn = 0; turn < groups; turn += 8u) {
        uint group = turn + SQUAD;
        scalar_t s = group_sum(sum, p, group, count);
        synchronise();
        if (LANE == 0 && group < groups)
            sum.at[p + group] = s;
    }
    synchronise();
}

void main()
{
    if (stopped(g))
        return;
    for (uint h = gl_WorkGroupID.x; h < heads; h += gl_NumWorkGroups.x) {
        uint p = head.at[h];
        long_piece q = piece_at(list, p, pieces);
        for (uint count = q.of; count > 1u; count = groups_of(count, 256u))
            one_level(p, count);
        if (ME == 0)
            y.at[q.row] = sum.at[p];
    }
}
