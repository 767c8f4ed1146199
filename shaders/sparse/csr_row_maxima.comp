#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/magnitude.glsl"

/* most[i] = the largest magnitude in row i, NaN not counted; 0 where there is none. Traffic: the values once. */
ARGS {
    u32s  row; /* n + 1 offsets into val */
    reals val;
    reals most;
    uint  n;     /* rows */
    uint  lanes; /* of a row */
};

void main()
{
    uint rows = 256u / lanes;
    for (uint first = gl_WorkGroupID.x * rows; first < n; first += gl_NumWorkGroups.x * rows) {
        uint i = first + ME / lanes, end = row.at[min(i + 1u, n)];
        key largest = LEAST_KEY;
        for (uint k = row.at[min(i, n)] + ME % lanes; k < end; k += lanes) {
            key m = magnitude_of(val.at[k]);
            if (below(largest, m) && !is_nan(m))
                largest = m;
        }
        for (uint stride = lanes / 2u; stride > 0; stride /= 2u) {
            key other = magnitude_of(squad_xor(of_magnitude(largest), stride));
            if (below(largest, other))
                largest = other;
        }
        if (i < n && ME % lanes == 0)
            most.at[i] = of_magnitude(largest);
    }
}
