#include "each.glsl"

/* Sort keys of triplets: key[i] = row[i], and the index place[i] = i. *fault, initially the largest number, becomes
 * the first triplet whose row or column is not below `rows` or `cols`. The key of such a row is the last row, so that
 * sorting it is harmless. Traffic: 16 n bytes. */
ARGS {
    u32s row;
    u32s col;
    u32s key;
    u32s place;
    u32s fault;
    uint n;
    uint rows;
    uint cols;
};

void main()
{
    uint last = max(rows, 1u) - 1u;
    FOR_EACH(i, n) {
        uint r = row.at[i];
        if (r >= rows || col.at[i] >= cols)
            atomicMin(fault.at[0], i);
        key.at[i] = min(r, last);
        place.at[i] = i;
    }
}
