#include "each.glsl"
#include "sparse/exponents.h"

/* A step of Ruiz: divides each row (or column) by the square root of its largest entry. Clears the maxima. Traffic: 4 n
 * words. */
ARGS {
    u32s most;  /* logarithms, 0 if there is no entry */
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
