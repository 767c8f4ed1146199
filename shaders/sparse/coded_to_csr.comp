#include "kernel.glsl"
#include "sparse/slices.glsl"

/* Columns and values of CSR, except long rows, with known row offsets, from codes in slices of 32 rows. Traffic: the
 * codes read, CSR written. */
ARGS {
    u32s  slice; /* slices + 1 offsets, as if entries were stored one by one */
    u32s  code;
    u32s  apart;
    u32s  value; /* `words` each */
    u32s  row;   /* n + 1 offsets into col and val */
    u32s  col;
    u32s  val; /* `words` each */
    zeros none;
    uint  n;
    uint  units; /* of four entries, per row in every slice; 0: see `slice` */
    uint  words;
    uint  wide; /* whether a code has 16 bits, else 8 */
};
DEFINE_NO_ADDRESS

ADDRESS(8) writeonly restrict buffer pairs_out { uvec2 at[]; };

/* The code of entry k of a row whose first unit is at `at`. */
uint code_at(uint at, uint k)
{
    at += 32u * (k / 4u);
    return wide != 0 ? code.at[2u * at + k / 2u % 2u] >> 16u * (k % 2u) & 0xFFFFu
                     : code.at[at] >> 8u * (k % 4u) & 0xFFu;
}

void main()
{
    sell A = slices_of(slice, code, u32s(no_address()), values(val), n, 32u, 0, 0);
    FOR_EACH(i, n) {
        uint four = units != 0 ? units * (i / 32u) : slice_of(A, i).four;
        uint at = 32u * four + part_of(A, i), to = row.at[i], length = stored_length(row, i);
        for (uint k = 0; k < length; k++, to++) {
            uint c = code_at(at, k);
            col.at[to] = i + apart.at[c];
            if (words == 2u)
                pairs_out(val).at[to] = pairs_in(value).at[c];
            else
                val.at[to] = value.at[c];
        }
    }
}
