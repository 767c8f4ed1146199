/* A row of A x in pairs of floats, with A in CSR, by `lanes` lanes, in the order of sparse/csr.glsl. */
#include "sparse/long.h"

/* The terms of one lane of the row with this range. */
vec2 pair_terms(u32s col, pairs val, pairs x, uvec2 range, uint lane, uint lanes)
{
    vec2 sum = vec2(0);
    for (uint k = range.x + lane; k < range.y; k += lanes)
        sum = pair_plus(sum, pair_times(val.at[k], x.at[col.at[k]]));
    return sum;
}
