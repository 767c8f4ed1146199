#include "each.glsl"
#include "sparse/long.h"

/* The number of pieces of each row, 0 for rows that are not long, and a bit for each row that is. Traffic: the row
 * offsets read, a word and a bit for each row written. */
ARGS {
    u32s row;    /* n + 1 offsets */
    u32s counts; /* of each row */
    u32s bits;
    uint n; /* rows */
};

void main()
{
    FOR_EACH(w, groups_of(n, 32u)) {
        uint word = 0, end = min(n - 32u * w, 32u) + 32u * w;
        for (uint i = 32u * w; i < end; i++) {
            uint length = row.at[i + 1] - row.at[i];
            counts.at[i] = length > LONG_ROW ? groups_of(length, LONG_PIECE) : 0;
            word |= uint(length > LONG_ROW) << (i & 31u);
        }
        bits.at[w] = word;
    }
}
