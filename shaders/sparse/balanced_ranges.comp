#version 460
#include "kernel.glsl"
#include "sparse/balanced.h"
#include "sparse/slices.glsl"

/* For rows in the order of their lengths, the longest first and long ones last, the range of each; and how many have more
 * entries than each class asks for. Traffic: the order read, the offsets of the rows, which are no neighbours, two words
 * for each row written. */
ARGS {
    u32s row;   /* n + 1 offsets */
    u32s order; /* n rows */
    u32s range; /* 2 n: first entry, entry behind the last */
    u32s above; /* of each class; zero where there are none */
    uint n;
};

void main()
{
    FOR_EACH(t, n) {
        uint i = order.at[t], length = stored_length(row, i), next = t + 1u < n ? stored_length(row, order.at[t + 1u]) : 0;
        bool is_long = row.at[i + 1u] - row.at[i] > LONG_ROW;
        range.at[2u * t] = is_long ? BALANCED_LONG_BEGIN : row.at[i];
        range.at[2u * t + 1u] = is_long ? BALANCED_LONG_END : row.at[i + 1u];
        for (uint c = 0; c < BALANCED_CLASSES; c++)
            if (length > BALANCED_ABOVE(c) && next <= BALANCED_ABOVE(c))
                above.at[c] = t + 1u;
    }
}
