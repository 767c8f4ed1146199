#include "kernel.glsl"
#include "dense/gemv.glsl"

/* y = A x + b, one workgroup per row: lane groups take strips in turn, and their sums are combined in shared memory.
 * Beyond 256 strips they go to s instead, for gemv_join. Traffic: as gemv_rows, in whole lines. */
ARGS {
    guard   g;
    scalars A;
    scalars x;
    scalars b; /* null: none */
    scalars y;
    scalars s;
    zeros   none;
    uint    rows;
    uint    cols;
    uint    ld;
    uint    lanes;
};
DEFINE_NO_ADDRESS

shared scalar_t strip_sums[GEMV_GROUP];

/* Sum of the strips in shared memory. Called by the whole workgroup; all invocations get it. */
scalar_t shared_sum(uint strips)
{
    scalar_t v[2][4];
    barrier();
    for (uint part = 0; part < 2; part++)
        for (uint u = 0; u < 4; u++) {
            uint j = half_element(0, part, u);
            v[part][u] = j < strips ? strip_sums[j] : scalar_t(0);
        }
    scalar_t sum = tile_sum(half_sum(v[0]), half_sum(v[1]));
    barrier(); /* before the next row */
    return sum;
}

void main()
{
    if (stopped(g))
        return;
    uint strips = strips_of(cols);
    bool here = strips <= GEMV_GROUP;
    for (uint i = gl_WorkGroupID.x; i < rows; i += gl_NumWorkGroups.x) {
        for (uint turn = 0; turn < strips; turn += 8u) {
            uint p = turn + SQUAD, from = p * GEMV_STRIP, count = LANE < lanes ? strip_length(p, cols) : 0;
            scalar_t sum = strip_terms(scalars_in(A), i * ld + from, scalars_in(x), from, count, LANE, lanes);
            sum = lanes_sum(sum, lanes);
            if (LANE == 0 && p < strips) {
                if (here)
                    strip_sums[p] = sum;
                else
                    s.at[i * strips + p] = sum;
            }
        }
        if (here) {
            scalar_t sum = shared_sum(strips);
            if (ME == 0)
                leave(y, b, i, sum);
        }
    }
}
