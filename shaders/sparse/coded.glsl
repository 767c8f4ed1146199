/* A row of A times x, A in SELL of slices of 32 rows whose entries are codes (sparse/kinds.h): the number of a kind,
 * which is the column minus the row, and a value; code 0 is no entry. A code has 8 bits or 16, and the codes of entries
 * 4 k .. 4 k + 3 of a row are adjacent, in one word or two. The table entries are the same for most rows of a lane
 * group, and stay in the nearest cache.
 *
 * K. Kourtis, G. Goumas, N. Koziris, "Optimizing sparse matrix-vector multiplication using index and value
 * compression", Computing Frontiers (2008), has codes for values. */
#include "sparse/sell.glsl"

struct coded {
    offsets_in slice, code, apart;
    values_in value;
    uint slices;
    uint units; /* of four entries, per row in every slice; 0: see `slice` */
    bool wide;  /* 16 bits */
};

coded coded_of(u32s slice, u32s code, u32s apart, values value, uint n, uint units, uint wide)
{
    return coded(offsets_in(slice), offsets_in(code), offsets_in(apart), values_in(value), groups_of(n, 32u), units,
                 wide != 0);
}

/* A slice: the start of its codes for this lane, and the units of four in a row. */
struct coded_slice {
    uint at, units;
};

/* Slice s; beyond the last an empty one, or the last again, whose rows must then be used. */
coded_slice coded_slice_at(coded A, uint s)
{
    if (A.units != 0)
        return coded_slice(32u * A.units * min(s, A.slices - 1u) + LANE, A.units);
    uint begin = A.slice.at[min(s, A.slices)] / 32u, end = A.slice.at[min(s + 1u, A.slices)] / 32u;
    return coded_slice(32u * ((begin + 3u * (s + 1u)) / 4u) + LANE, groups_of(end - begin, 4u));
}

/* Unit u, in one word if codes have 8 bits; beyond the last, no entries. */
uvec2 codes_at(coded A, coded_slice s, uint u)
{
    if (u >= s.units)
        return uvec2(0);
    uint at = s.at + 32u * u;
    return A.wide ? pairs_in(A.code).at[at] : uvec2(A.code.at[at], 0);
}

/* Whether x[0] is read where there is no entry, instead of skipping the read. */
#ifndef READS_FOR_NONE
#define READS_FOR_NONE false
#endif

scalar_t product_of(coded A, scalars_in x, uint code, uint row)
{
    uint column = row + A.apart.at[code];
    scalar_t v = A.value.at[code], there = scalar_t(0);
    if (READS_FOR_NONE) {
        scalar_t any = x.at[code != 0 ? column : 0];
        there = code != 0 ? any : there;
    } else if (code != 0) {
        there = x.at[column];
    }
    return mul(v, there);
}

/* The products of the entries of a unit. Missing entries give +0, which changes no sum: sums start at +0, never -0. */
four_lanes products_of(coded A, scalars_in x, uvec2 w, uint row)
{
    uvec4 c = A.wide ? uvec4(w.x & 0xFFFFu, w.x >> 16, w.y & 0xFFFFu, w.y >> 16)
                     : uvec4(w.x & 0xFFu, w.x >> 8 & 0xFFu, w.x >> 16 & 0xFFu, w.x >> 24);
    return four_lanes(product_of(A, x, c.x, row), product_of(A, x, c.y, row), product_of(A, x, c.z, row),
                      product_of(A, x, c.w, row));
}

/* Adds four consecutive products of a row. The first belongs to the first lane. */
void add_products(inout four_lanes s, four_lanes t, uint lanes)
{
    if (lanes == 1) {
        s.l0 = s.l0 + t.l0 + t.l1 + t.l2 + t.l3;
    } else if (lanes == 2) {
        s.l0 = s.l0 + t.l0 + t.l2;
        s.l1 = s.l1 + t.l1 + t.l3;
    } else {
        s = four_lanes(s.l0 + t.l0, s.l1 + t.l1, s.l2 + t.l2, s.l3 + t.l3);
    }
}

/* Units u and u + 1 of a row, u even. */
void add_two(inout four_lanes low, inout four_lanes high, four_lanes first, four_lanes second, uint lanes)
{
    add_products(low, first, lanes);
    if (lanes == 8u)
        add_products(high, second, lanes);
    else
        add_products(low, second, lanes);
}

/* Row `row`, of the slice s, summed by one to eight lanes. `few` is a constant: the units of all slices, whose loop is
 * then unrolled, or 0. A loop loads eight entries together, and the codes of the next ones. */
scalar_t coded_row(coded A, scalars_in x, coded_slice s, uint row, uint lanes, uint few)
{
    scalar_t none = scalar_t(0);
    four_lanes low = four_lanes(none, none, none, none), high = low;
    if (few != 0) {
        [[unroll]] for (uint u = 0; u < few; u += 2u)
            add_two(low, high, products_of(A, x, codes_at(A, s, u), row),
                    products_of(A, x, u + 1u < few ? codes_at(A, s, u + 1u) : uvec2(0), row), lanes);
    } else {
        uvec2 first = codes_at(A, s, 0), second = codes_at(A, s, 1u);
        for (uint u = 0; u < s.units; u += 2u) {
            four_lanes t = products_of(A, x, first, row), v = products_of(A, x, second, row);
            first = codes_at(A, s, u + 2u);
            second = codes_at(A, s, u + 3u);
            add_two(low, high, t, v, lanes);
        }
    }
    if (lanes == 8u)
        low = four_lanes(low.l0 + high.l0, low.l1 + high.l1, low.l2 + high.l2, low.l3 + high.l3);
    if (lanes >= 4u)
        low = four_lanes(low.l0 + low.l2, low.l1 + low.l3, none, none);
    return lanes >= 2u ? low.l0 + low.l1 : low.l0;
}
