/* A row of A in SELL times x, by one invocation, with the bits of a row of CSR: term k belongs to lane k mod lanes, a
 * register here, and a halving tree joins the lanes. A slice has a number of rows, 32 by default, and the width of its
 * longest row; entry k of row j is at first + height k + j, so that a lane group reads neighbours. Padding has the
 * column NONE. Long rows (sparse/long.glsl) are not stored, as if they were empty.
 *
 * Columns may be compact: the k-th entries of a slice then have a base, and 16 bits each for their columns' offsets
 * from it; those of entries 4 k .. 4 k + 3 of a row are adjacent in two words. That saves up to 1.9 of 12 (8) bytes an
 * entry.
 *
 * M. Kreutzer et al., "A unified sparse matrix data format for efficient general sparse matrix-vector multiplication
 * on modern processors with wide SIMD units", SIAM J. Sci. Comput. 36 (2014). */
#include "algebra.glsl"
#include "sparse/long.glsl"

ADDRESS(4) readonly restrict buffer offsets_in { uint at[]; };
#ifndef X_IN
#define X_IN readonly restrict /* for an x that is not written in the same dispatch */
#endif
ADDRESS(SCALAR_BYTES) X_IN buffer scalars_in { scalar_t at[]; };
ADDRESS(STORED_BYTES) readonly restrict buffer values_in { stored at[]; };

#define NONE 0xFFFFFFFFu
#define NONE_COMPACT 0xFFFFu

ADDRESS(8) readonly restrict buffer pairs_in { uvec2 at[]; };
ADDRESS(16) readonly restrict buffer bases_in { uvec4 at[]; };

struct sell {
    offsets_in slice, col; /* slice: start of each slice, and the end of the last */
    bases_in base;         /* of compact columns */
    values_in val;
    uint slices, height, shift; /* height: of a slice, 1 << shift */
    uint width;                 /* if one slice has all rows (slices.glsl) */
    bool compact;               /* whether columns are compact */
};

/* A matrix with slices of 32 of the n rows. */
sell sell_32(u32s slice, u32s col, u32s base, values val, uint n, uint compact)
{
    return sell(offsets_in(slice), offsets_in(col), bases_in(base), values_in(val), groups_of(n, 32u), 32u, 5u, 0,
                compact != 0);
}

/* A slice: its first entry, its width, and the start of its compact columns, in units of four entries of each row. */
struct sell_slice {
    uint first, width, four;
};

/* Slice s, an empty one beyond the last. */
sell_slice slice_at(sell A, uint s)
{
    uint first = A.slice.at[min(s, A.slices)], end = A.slice.at[min(s + 1, A.slices)];
    return sell_slice(first, (end - first) >> A.shift, ((first >> A.shift) + 3u * (s + 1u)) / 4u);
}

uint widened(uint base, uint above)
{
    return above == NONE_COMPACT ? NONE : base + above;
}

/* Four consecutive entries in the row of this lane; a missing one has column NONE. */
struct four_entries {
    uint c0, c1, c2, c3;
    scalar_t v0, v1, v2, v3;
};

/* Entries k .. k + 3, k a multiple of 4 and before the width, of row j of slice s; `all`: none is beyond the width. */
four_entries entries_at(sell A, sell_slice s, uint j, uint k, bool all)
{
    uint last = s.width - 1, k1 = all ? k + 1 : min(k + 1, last), k2 = all ? k + 2 : min(k + 2, last),
         k3 = all ? k + 3 : min(k + 3, last), at = s.first + j;
    four_entries e;
    if (A.compact) {
        uvec4 base = A.base.at[s.four + k / 4u];
        uvec2 above = pairs_in(A.col).at[A.height * (s.four + k / 4u) + j];
        e.c0 = widened(base.x, above.x & 0xFFFFu);
        e.c1 = widened(base.y, above.x >> 16);
        e.c2 = widened(base.z, above.y & 0xFFFFu);
        e.c3 = widened(base.w, above.y >> 16);
    } else {
        e.c0 = A.col.at[at + A.height * k];
        e.c1 = all || k + 1 < s.width ? A.col.at[at + A.height * k1] : NONE;
        e.c2 = all || k + 2 < s.width ? A.col.at[at + A.height * k2] : NONE;
        e.c3 = all || k + 3 < s.width ? A.col.at[at + A.height * k3] : NONE;
    }
    e.v0 = A.val.at[at + A.height * k];
    e.v1 = A.val.at[at + A.height * k1];
    e.v2 = A.val.at[at + A.height * k2];
    e.v3 = A.val.at[at + A.height * k3];
    return e;
}

/* Terms of up to four entries; is0 ... is3: whether the entry exists. */
struct four_terms {
    scalar_t v0, v1, v2, v3;
    bool is0, is1, is2, is3;
};

four_terms times(four_entries e, scalars_in x)
{
    bool is0 = e.c0 != NONE, is1 = e.c1 != NONE, is2 = e.c2 != NONE, is3 = e.c3 != NONE;
    scalar_t x0 = x.at[is0 ? e.c0 : 0], x1 = x.at[is1 ? e.c1 : 0], x2 = x.at[is2 ? e.c2 : 0], x3 = x.at[is3 ? e.c3 : 0];
    return four_terms(mul(e.v0, x0), mul(e.v1, x1), mul(e.v2, x2), mul(e.v3, x3), is0, is1, is2, is3);
}

scalar_t plus(scalar_t sum, scalar_t v, bool is)
{
    return is ? sum + v : sum;
}

/* The terms of one to four lanes. */
struct four_lanes {
    scalar_t l0, l1, l2, l3;
};

void add(inout four_lanes s, four_terms t, uint lanes)
{
    if (lanes == 1) {
        s.l0 = plus(plus(plus(plus(s.l0, t.v0, t.is0), t.v1, t.is1), t.v2, t.is2), t.v3, t.is3);
    } else if (lanes == 2) {
        s.l0 = plus(plus(s.l0, t.v0, t.is0), t.v2, t.is2);
        s.l1 = plus(plus(s.l1, t.v1, t.is1), t.v3, t.is3);
    } else {
        s.l0 = plus(s.l0, t.v0, t.is0);
        s.l1 = plus(s.l1, t.v1, t.is1);
        s.l2 = plus(s.l2, t.v2, t.is2);
        s.l3 = plus(s.l3, t.v3, t.is3);
    }
}

/* The sums of four neighbouring lanes, starting at entry k, plus the sums of the four that are `half_` lanes further,
 * which is half of all lanes. Loads eight entries together. */
four_lanes joined_lanes(sell A, scalars_in x, sell_slice s, uint j, uint k, uint half_)
{
    scalar_t none = scalar_t(0);
    four_lanes low = four_lanes(none, none, none, none), high = low;
    for (; k < s.width; k += 2u * half_) {
        bool two = k + half_ < s.width;
        four_entries e = entries_at(A, s, j, k, two), f = entries_at(A, s, j, two ? k + half_ : k, false);
        add(low, times(e, x), 4);
        if (two)
            add(high, times(f, x), 4);
    }
    return four_lanes(low.l0 + high.l0, low.l1 + high.l1, low.l2 + high.l2, low.l3 + high.l3);
}

/* Row j of slice s, summed by one to eight lanes, loading eight entries together. */
scalar_t sell_row(sell A, scalars_in x, sell_slice s, uint j, uint lanes)
{
    scalar_t none = scalar_t(0);
    four_lanes low = four_lanes(none, none, none, none);
    uint k = 0;
    if (lanes < 8) {
        for (; k + 4u < s.width; k += 8u) {
            four_entries e = entries_at(A, s, j, k, true), f = entries_at(A, s, j, k + 4u, k + 7u < s.width);
            four_terms t = times(e, x), u = times(f, x);
            add(low, t, lanes);
            add(low, u, lanes);
        }
        if (k < s.width)
            add(low, times(entries_at(A, s, j, k, k + 3u < s.width), x), lanes);
    } else {
        low = joined_lanes(A, x, s, j, 0, 4);
    }
    if (lanes >= 4)
        low = four_lanes(low.l0 + low.l2, low.l1 + low.l3, none, none);
    return lanes >= 2 ? low.l0 + low.l1 : low.l0;
}
