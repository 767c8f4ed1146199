/* A row of A in BSR times x, with the bits of a row of CSR. Values are in slices of 32 rows, as in SELL: entry k of
 * row j of a slice at slice + 32 k + j, so that a lane group, one row per lane, reads neighbours. Blocks are in slices
 * of 32 block rows: block q of block row j at block + 32 q + j, with its first column. The rows of a lane group belong
 * to few adjacent block rows, in one slice, which is a whole number of lane groups. Partial blocks have a mask, one bit
 * for each existing entry, row by row: four rows in a word, so that blocks of more than four rows have two words.
 * Missing entries are not stored.
 *
 * If all blocks are full, entry k of a row is in column k mod size of its block k / size, and no mask is read. A row
 * has as many entries as in CSR.
 *
 * Long rows (sparse/long.h) are not stored, as if they were empty, and make no block partial.
 *
 * A row is summed by `parts` invocations of four lanes each. An invocation takes four consecutive entries, then the
 * four that are 4 parts further. The next first columns are loaded with the values, so that x need not wait for
 * them. */
#include "algebra.glsl"
#include "sparse/long.h"

ADDRESS(4) readonly restrict buffer offsets_in { uint at[]; };
ADDRESS(SCALAR_BYTES) readonly restrict buffer scalars_in { scalar_t at[]; };
ADDRESS(STORED_BYTES) readonly restrict buffer values_in { stored at[]; };

struct bsr {
    offsets_in row; /* of CSR */
    offsets_in slice, block; /* starts of the values and blocks of slices, and the last end: at least two each */
    offsets_in first, mask; /* of the blocks; mask: only if some are partial */
    values_in val;
    uint n, size;
    bool full; /* all blocks are */
};

/* The row of an invocation. */
struct bsr_row {
    uint val, block, mask; /* positions of its first value, block and mask */
    uint shift;            /* of its bits in a mask */
    uint blocks;           /* most blocks of a row */
    uint entries;          /* 0 beyond the last row and for long rows */
    bool is_long;
};

/* v / size, for v below 8192 */
uint over(uint v, uint size)
{
    return v * (65536u / size + 1u) >> 16;
}

uint words_of_mask(uint size)
{
    return size > 4u ? 2u : 1u;
}

bsr_row row_at(bsr A, uint i)
{
    uint begin = A.row.at[min(i, A.n)], end = A.row.at[min(i + 1u, A.n)];
    uint known = i < A.n ? i : 0u, rows = 32u * A.size, s = known / rows, inner = known - rows * s;
    uint from = A.slice.at[known / 32u], block = A.block.at[s], words = words_of_mask(A.size);
    uint place = over(inner, A.size), part = inner - place * A.size;
    bsr_row p;
    p.val = from + known % 32u;
    p.block = block + place;
    p.mask = words * block + 32u * (part / 4u) + place;
    p.shift = part % 4u * A.size;
    p.blocks = (A.block.at[s + 1u] - block) / 32u;
    p.is_long = end - begin > LONG_ROW;
    p.entries = p.is_long ? 0u : end - begin;
    return p;
}

/* Walk through the entries of a row in partial blocks: the rest of a block, and the next one. */
struct bsr_walk {
    uint first, bits, next;
};

void to_block(bsr A, bsr_row p, inout bsr_walk w)
{
    w.first = A.first.at[p.block + 32u * w.next];
    w.bits = A.mask.at[p.mask + 32u * words_of_mask(A.size) * w.next] >> p.shift & (1u << A.size) - 1u;
    w.next++;
}

uint next_column(bsr A, bsr_row p, inout bsr_walk w)
{
    while (w.bits == 0u && w.next < p.blocks)
        to_block(A, p, w);
    uint col = w.first + uint(findLSB(w.bits));
    w.bits &= w.bits - 1u;
    return col;
}

void leave_out(bsr A, bsr_row p, inout bsr_walk w, uint count)
{
    uint here = uint(bitCount(w.bits));
    while (count >= here && w.next < p.blocks) {
        count -= here;
        to_block(A, p, w);
        here = uint(bitCount(w.bits));
    }
    for (uint k = 0; k < min(count, here); k++)
        w.bits &= w.bits - 1u;
}
