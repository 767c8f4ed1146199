#version 460
#include "kernel.glsl"
#include "sparse/exponents.h"

/* A step of Ruiz: the largest entry of each row (or column) is divided by its square root. The maxima become 0. Traffic:
 * 4 n words. */
ARGS {
    u32s most;  /* logarithms, 0 where there is no entry */
    u32s scale; /* integers, in the units of logarithms */
    uint n;
};

void main()
{
    FOR_EACH(i, n) {
        uint m = most.at[i];
        if (m != 0u)
            scale.at[i] -= (m >> 1) - uint(LOG_BIAS >> 1);
        most.at[i] = 0u;
    }
}
