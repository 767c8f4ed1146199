/* The blocks of a block row, in ascending order: merges its rows, up to eight, except long ones. */
#include "sparse/long.h"

#define NONE 0xFFFFFFFFu

struct block_row {
    uint at[8], end[8]; /* the rest of each row */
    uint rows;          /* one bit for each row that exists and is not long */
};

block_row block_row_at(u32s row, uint n, uint size, uint index)
{
    block_row m;
    m.rows = 0u;
    [[unroll]] for (uint r = 0; r < 8u; r++) {
        uint i = index * size + r;
        bool is = r < size && i < n;
        m.at[r] = is ? row.at[i] : 0u;
        m.end[r] = is ? row.at[i + 1u] : 0u;
        is = is && m.end[r] - m.at[r] <= LONG_ROW;
        m.end[r] = is ? m.end[r] : m.at[r];
        m.rows |= uint(is) << r;
    }
    return m;
}

/* A block: its first column, NONE if none is left; a bit for each entry, four rows to a word; whether all entries
 * within the matrix exist. */
struct one_block {
    uint first;
    uvec2 mask;
    bool full;
};

one_block next_block(inout block_row m, u32s col, uint cols, uint size)
{
    one_block b = one_block(NONE, uvec2(0), true);
    [[unroll]] for (uint r = 0; r < 8u; r++)
        if (m.at[r] < m.end[r])
            b.first = min(b.first, col.at[m.at[r]]);
    if (b.first == NONE)
        return b;
    b.first = b.first / size * size;
    uint all = (1u << min(size, cols - b.first)) - 1u;
    [[unroll]] for (uint r = 0; r < 8u; r++) {
        if (r >= size)
            break;
        uint bits = 0u, most = min(size, m.end[r] - m.at[r]), last = max(m.end[r], 1u) - 1u, above[8];
        [[unroll]] for (uint k = 0; k < 8u; k++) /* independent loads */
            above[k] = k < size ? col.at[min(m.at[r] + k, last)] - b.first : size;
        [[unroll]] for (uint k = 0; k < 8u; k++)
            bits |= k < most && above[k] < size ? 1u << above[k] : 0u;
        m.at[r] += bitCount(bits);
        b.mask[r / 4u] |= bits << r % 4u * size;
        b.full = b.full && ((m.rows >> r & 1u) == 0u || bits == all);
    }
    return b;
}
