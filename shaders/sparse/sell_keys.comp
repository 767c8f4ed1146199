#include "kernel.glsl"
#include "sparse/sell_keys.h"
#include "sparse/slices.glsl"

/* Sort keys of rows within windows of sigma: the window, then the number of stored entries, in descending order.
 * Traffic: the row offsets read, two words for each row written. */
ARGS {
    u32s row;   /* n + 1 offsets */
    u32s key;   /* n */
    u32s order; /* n: the rows in their initial order */
    uint n;     /* rows */
    uint sigma;
};

void main()
{
    FOR_EACH(i, n) {
        key.at[i] = i / sigma << LENGTH_BITS | (LONG_ROW - stored_length(row, i));
        order.at[i] = i;
    }
}
