#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* The columns of the matrix whose row i is row place[i] of A. Traffic: columns read and written, row offsets and
 * places. */
ARGS {
    u32s row; /* of A */
    u32s col;
    u32s place;
    u32s to_row; /* n + 1 offsets into to_col */
    u32s to_col;
    uint n;
    uint entries;
};

void main()
{
    FOR_EACH(e, entries) {
        uint i = row_of(to_row, n, e);
        to_col.at[e] = col.at[row.at[place.at[i]] + (e - to_row.at[i])];
    }
}
