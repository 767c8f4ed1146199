#include "kernel.glsl"
#include "sparse/balanced.h"
#include "sparse/slices.glsl"

/* Counts the rows with more entries than the lower limit of each class but the last. Traffic: the order, and two
 * offsets of each row, not adjacent to the next row's. */
ARGS {
    u32s row;   /* n + 1 offsets */
    u32s order; /* the rows, the longest first, long ones last */
    u32s above; /* for each class; initially zero */
    uint n;
};

void main()
{
    FOR_EACH(t, n) {
        uint length = stored_length(row, order.at[t]), next = t + 1u < n ? stored_length(row, order.at[t + 1u]) : 0;
        for (uint k = 0; k + 1u < BALANCED_CLASSES; k++)
            if (length > BALANCED_ABOVE(k) && next <= BALANCED_ABOVE(k))
                above.at[k] = t + 1u;
    }
}
