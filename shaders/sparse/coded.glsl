/* A row of A times x, A in SELL of slices of 32 rows whose entries are codes (sparse/kinds.h): the number
 * of a kind, which is what a column lies above its row, and a value; 0 is no entry. A code has 8 bits or
 * 16, and those of entries 4 k .. 4 k + 3 of a row stand side by side, in one word or two. What is looked
 * up is the same for most rows of a squad, and stays in the nearest cache.
 *
 * K. Kourtis, G. Goumas, N. Koziris, "Optimizing sparse matrix-vector multiplication using index and value
 * compression", Computing Frontiers (2008), has codes for values. */
#include "sparse/sell.glsl"

struct coded {
    offsets_in slice, code, apart;
    values_in value;
    uint slices;
    bool wide; /* 16 bits */
};

coded coded_of(u32s slice, u32s code, u32s apart, values value, uint n, uint wide)
{
    return coded(offsets_in(slice), offsets_in(code), offsets_in(apart), values_in(value), groups_of(n, 32u),
                 wide != 0);
}

/* A slice: where its codes begin, for this lane, and how many units of four a row has. */
struct coded_slice {
    uint at, units;
};

/* Slice s, an empty one beyond the last. */
coded_slice coded_slice_at(coded A, uint s)
{
    uint begin = A.slice.at[min(s, A.slices)] / 32u, end = A.slice.at[min(s + 1u, A.slices)] / 32u;
    return coded_slice(32u * ((begin + 3u * (s + 1u)) / 4u) + LANE, groups_of(end - begin, 4u));
}

/* Unit u, in one word where codes have 8 bits; beyond the last no entries. */
uvec2 codes_at(coded A, coded_slice s, uint u)
{
    if (u >= s.units)
        return uvec2(0);
    uint at = s.at + 32u * u;
    return A.wide ? pairs_in(A.code).at[at] : uvec2(A.code.at[at], 0);
}

uint column_of(coded A, uint code, uint row)
{
    uint apart = A.apart.at[code];
    return code == 0 ? NONE : row + apart;
}

four_entries decoded(coded A, uvec2 w, uint row)
{
    uvec4 c = A.wide ? uvec4(w.x & 0xFFFFu, w.x >> 16, w.y & 0xFFFFu, w.y >> 16)
                     : uvec4(w.x & 0xFFu, w.x >> 8 & 0xFFu, w.x >> 16 & 0xFFu, w.x >> 24);
    return four_entries(column_of(A, c.x, row), column_of(A, c.y, row), column_of(A, c.z, row),
                        column_of(A, c.w, row), A.value.at[c.x], A.value.at[c.y], A.value.at[c.z],
                        A.value.at[c.w]);
}

/* Row `row`, of the slice s, summed by one to eight lanes; eight entries are under way, and the codes of
 * the next ones. */
real coded_row(coded A, reals_in x, coded_slice s, uint row, uint lanes)
{
    real none = real(0);
    four_lanes low = four_lanes(none, none, none, none), high = low;
    uvec2 first = codes_at(A, s, 0), second = codes_at(A, s, 1u);
    for (uint u = 0; u < s.units; u += 2u) {
        four_entries e = decoded(A, first, row), f = decoded(A, second, row);
        first = codes_at(A, s, u + 2u);
        second = codes_at(A, s, u + 3u);
        four_terms t = times(e, x), v = times(f, x);
        add(low, t, min(lanes, 4u));
        if (lanes == 8u)
            add(high, v, 4u);
        else
            add(low, v, lanes);
    }
    if (lanes == 8u)
        low = four_lanes(low.l0 + high.l0, low.l1 + high.l1, low.l2 + high.l2, low.l3 + high.l3);
    if (lanes >= 4u)
        low = four_lanes(low.l0 + low.l2, low.l1 + low.l3, none, none);
    return lanes >= 2u ? low.l0 + low.l1 : low.l0;
}
