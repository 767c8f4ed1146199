#include "kernel.glsl"
#include "sum.glsl"

/* One level of the tree: sums the groups of 256 of the `count` sums at s.at[from], and stores the results after them;
 * in `rows` rows, `stride` apart. */
ARGS {
    guard g;
    sums  s;
    uint  from;
    uint  count;
    uint  rows;
    uint  stride;
};

void main()
{
    bool ended = stopped(g); /* loaded together with the sums */
    uint groups = groups_of(count, 256u);
    for (uint first = gl_WorkGroupID.x * 8u; first < groups; first += gl_NumWorkGroups.x * 8u) {
        uint group = first + SQUAD;
        for (uint c = 0; c < rows; c++) {
            scalar_t sum = group_sum(s, from + c * stride, group, count);
            if (LANE == 0 && group < groups && !ended)
                s.at[from + c * stride + count + group] = sum;
        }
    }
}
