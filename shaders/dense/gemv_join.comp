#include "kernel.glsl"
#include "dense/gemv.glsl"

/* y = the sums of the strips + b. Row i has strips s[i strips ...], which are overwritten beyond 256. A lane group
 * takes a row of up to 256 strips, a workgroup a longer one, level by level. Traffic: s read; b and y. */
ARGS {
    guard   g;
    sums    s;
    scalars b; /* null: none */
    scalars y;
    zeros   none;
    uint    rows;
    uint    strips;
};
DEFINE_NO_ADDRESS

/* Workgroup barrier; makes its writes visible. */
void synchronise()
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
}

/* Replaces the `count` sums starting at `at` by the sums of their groups of 256. An iteration writes only before what
 * the next one reads. */
void one_level(uint at, uint count)
{
    uint groups = groups_of(count, GEMV_GROUP);
    for (uint turn = 0; turn < groups; turn += 8u) {
        uint group = turn + SQUAD;
        scalar_t sum = group_sum(s, at, group, count);
        synchronise();
        if (LANE == 0 && group < groups)
            s.at[at + group] = sum;
    }
    synchronise();
}

void main()
{
    if (stopped(g))
        return;
    if (strips <= GEMV_GROUP) {
        for (uint first = gl_WorkGroupID.x * 8u; first < rows; first += gl_NumWorkGroups.x * 8u) {
            uint i = first + SQUAD;
            scalar_t sum = group_sum(s, i * strips, 0, i < rows ? strips : 0);
            if (LANE == 0 && i < rows)
                leave(y, b, i, sum);
        }
        return;
    }
    for (uint i = gl_WorkGroupID.x; i < rows; i += gl_NumWorkGroups.x) {
        for (uint count = strips; count > 1u; count = groups_of(count, GEMV_GROUP))
            one_level(i * strips, count);
        if (ME == 0)
            leave(y, b, i, s.at[i * strips]);
    }
}
