#include "kernel.glsl"
#include "sparse/slices.glsl"
#include "sparse/kinds.glsl"

/* The codes of the entries of CSR, except long rows, in slices of 32 rows, which are known; the kinds are those of
 * find_kinds. If an entry has none of these kinds, *lost becomes 1. Traffic: CSR read, the codes written. */
ARGS {
    u32s  row; /* n + 1 offsets into col and val */
    u32s  col;
    u32s  val;   /* `words` each */
    u32s  slice; /* slices + 1 offsets, as if entries were stored one by one */
    u32s  slots; /* mask + 1 pairs */
    u32s  apart;
    u32s  value; /* `words` each */
    u32s  code;
    u32s  lost;
    zeros none;
    uint  n;
    uint  units; /* of four entries, per row in every slice; 0: see `slice` */
    uint  mask;
    uint  words;
    uint  wide; /* whether codes have 16 bits, else 8 */
};
DEFINE_NO_ADDRESS

/* The code of a kind. */
uint code_of(kind k)
{
    uint mark = mark_of(k), at = home_of(k) & mask, found = 0;
    for (uint look = 0; look < KIND_PROBES && slots.at[2u * at] != mark; look++)
        at = at + 1u & mask;
    if (slots.at[2u * at] == mark)
        found = slots.at[2u * at + 1u];
    bool same = apart.at[found] == k.apart && value.at[words * found] == k.low &&
                (words == 1u || value.at[words * found + 1u] == k.high);
    if (found == 0 || !same)
        lost.at[0] = 1u;
    return found;
}

uint code_at(uint at, uint end, uint i)
{
    return at < end ? code_of(kind_of(col, val, words, at, i)) : 0;
}

void main()
{
    sell A = slices_of(slice, code, u32s(no_address()), values(val), n, 32u, 0, 0);
    FOR_EACH(i, 32u * A.slices) {
        sell_slice s = units != 0 ? sell_slice(0, 4u * units, units * (i / 32u)) : slice_of(A, i);
        uint begin = i < n ? row.at[i] : 0, end = begin + (i < n ? stored_length(row, i) : 0);
        for (uint k = 0; k < s.width; k += 4u) {
            uint at = 32u * (s.four + k / 4u) + part_of(A, i), from = begin + k;
            uvec4 c = uvec4(code_at(from, end, i), code_at(from + 1u, end, i), code_at(from + 2u, end, i),
                            code_at(from + 3u, end, i));
            if (wide != 0) {
                code.at[2u * at] = c.x | c.y << 16;
                code.at[2u * at + 1u] = c.z | c.w << 16;
            } else {
                code.at[at] = c.x | c.y << 8 | c.z << 16 | c.w << 24;
            }
        }
    }
}
