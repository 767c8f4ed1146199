#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* For each entry of A, in CSR of n rows: block[e] = its column of blocks of `size` columns; first[e] = whether it is
 * the first of its row in that block. Traffic: 12 bytes an entry. */
ARGS {
    u32s row; /* n + 1 offsets into col */
    u32s col; /* ascending in a row */
    u32s block;
    u32s first;
    uint n;
    uint entries;
};
CONSTANT(1, size);

void main()
{
    FOR_EACH(e, entries) {
        uint b = col.at[e] / size, begin = row.at[row_of(row, n, e)];
        block.at[e] = b;
        first.at[e] = uint(e == begin || col.at[e - 1u] / size != b);
    }
}
