#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* The CSR of A, which has n rows of blocks of high x wide, each by rows: all entries of all blocks, zeros included.
 * Traffic: A, and its CSR. */
ARGS {
    u32s    row; /* n + 1 offsets into col */
    u32s    col; /* of blocks */
    scalars val;
    u32s    to_row; /* n high + 1 */
    u32s    to_col;
    scalars to_val;
    uint    n;
    uint    entries; /* of the CSR */
};
CONSTANT(1, high);
CONSTANT(2, wide);

void main()
{
    FOR_EACH(i, n * high + 1u) {
        uint r = i % high, begin = row.at[i / high];
        uint length = r > 0 ? row.at[i / high + 1u] - begin : 0;
        to_row.at[i] = (begin * high + r * length) * wide;
    }
    FOR_EACH(t, entries) {
        uint q = t / (high * wide), r = t / wide % high, c = t % wide, i = row_of(row, n, q);
        uint begin = row.at[i], length = row.at[i + 1u] - begin;
        uint to = (begin * high + r * length + q - begin) * wide + c;
        to_col.at[to] = col.at[q] * wide + c;
        to_val.at[to] = val.at[t];
    }
}
