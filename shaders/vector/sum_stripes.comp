#include "kernel.glsl"
#include "sum.glsl"

/* The level above stripes: sums the groups of 32 of the `count` stripe sums at s.at[from], and stores the results
 * after them; in `rows` rows, `stride` apart. */
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
    uint groups = groups_of(count, 32u);
    for (uint first = gl_WorkGroupID.x * 8u; first < groups; first += gl_NumWorkGroups.x * 8u) {
        uint group = first + SQUAD, j = 32u * group + LANE;
        for (uint c = 0; c < rows; c++) {
            scalar_t sum = squad_sum(j < count ? s.at[from + c * stride + j] : scalar_t(0));
            if (LANE == 0 && group < groups && !ended)
                s.at[from + c * stride + count + group] = sum;
        }
    }
}
