#include "kernel.glsl"
#include "algebra.glsl"
#include "sparse/spgemm.h"
#define TEAM 32
#include "sparse/bounds.glsl"
#include "sparse/products.glsl"

/* The values of C = A B, whose structure is known: c_ij = a_ik b_kj summed in ascending k, from +0. A lane group takes
 * a piece of a row, up to 64 entries of C, and 32 of its products at a time. If several of these belong to one entry,
 * they are added one after another. missing[0] becomes the first row in which a product has no entry in C; the caller
 * initialises it to 0xFFFFFFFF. *pieces is the number of pieces. Traffic: A, C, and for each entry of A its row of
 * B. */
ARGS {
    u32s    a_row;
    u32s    a_col;
    scalars a_val;
    u32s    b_row;
    u32s    b_col;
    scalars b_val;
    u32s    c_row;
    u32s    c_col;
    scalars c_val;
    u32s    piece_row;
    u32s    piece_begin;
    u32s    pieces;
    u32s    missing;
};

#define HELD SPGEMM_PIECE
#define HELD_BY TEAMS
#define HELD_FIRST (HELD * MY_TEAM)
#include "sparse/held_row.glsl"

/* Columns from `low` up to, not including, `high` if `bounded`. */
struct columns {
    uint low, high;
    bool from_low, to_high;
};

/* The entries of row k of B in these columns: their start and number. */
uvec2 met(uint k, columns c)
{
    uint begin = b_row.at[k], end = b_row.at[k + 1u];
    if (c.from_low)
        begin = lower_bound(b_col, begin, end, c.low);
    if (c.to_high)
        end = lower_bound(b_col, begin, end, c.high);
    return uvec2(begin, end - begin);
}

/* Adds v to the entry `at` for every lane of the lane group that has one, the lowest lanes first. */
#if SUBGROUP
void add_in_order(uint at, scalar_t v)
{
    bool mine = at != ABSENT;
    uint same = squad_ballot(mine); /* lanes with this lane's entry */
    [[unroll]] for (uint bit = 1u; bit < SPGEMM_PIECE; bit *= 2u) {
        uint set = squad_ballot((at & bit) != 0);
        same &= (at & bit) != 0 ? set : ~set;
    }
    bool adds = mine && (same & ((1u << LANE) - 1u)) == 0; /* the lowest adds for all */
    scalar_t sum = adds ? value[HELD_FIRST + at] : scalar_t(0);
    for (uint left = adds ? same : 0; squad_ballot(left != 0) != 0; left &= left - 1u) {
        scalar_t next = squad_shuffle(v, left != 0 ? uint(findLSB(left)) : 0);
        sum = left != 0 ? sum + next : sum;
    }
    if (adds)
        value[HELD_FIRST + at] = sum;
    synchronise();
}
#else
shared uint claim[SPGEMM_PIECE * TEAMS]; /* the lowest lane that claims an entry */

void add_in_order(uint at, scalar_t v)
{
    bool pending = at != ABSENT;
    if (pending)
        claim[HELD_FIRST + at] = ABSENT;
    while (any_in_group(pending)) {
        if (pending)
            atomicMin(claim[HELD_FIRST + at], LANE);
        synchronise();
        bool first = pending && claim[HELD_FIRST + at] == LANE;
        synchronise();
        if (first) {
            value[HELD_FIRST + at] += v;
            claim[HELD_FIRST + at] = ABSENT;
            pending = false;
        }
        synchronise();
    }
}
#endif

/* Adds the listed products of the entries of A starting at `first`, 32 at a time. */
void add_listed(uint i, uint first, uint products, uint length)
{
    uint turns = most(groups_of(products, TEAM));
    for (uint turn = 0; turn < turns; turn++) {
        uint p = TEAM * turn + LANE, at = ABSENT;
        scalar_t v = scalar_t(0);
        if (p < products) {
            uint place = place_of(p), e = p + product_shift[LIST + place];
            v = mul(a_val.at[first + place], b_val.at[e]);
            at = entry_of(b_col.at[e], length);
            if (at == ABSENT)
                atomicMin(missing.at[0], i);
        }
        add_in_order(at, v);
    }
}

/* Adds the products of the entries first .. last - 1 of A. */
void add_products(uint i, uint first, uint last, uint length, columns c)
{
    uint turns = most(groups_of(last - first, TEAM));
    for (uint turn = 0; turn < turns; turn++) {
        uint e = TEAM * turn + LANE;
        uvec2 list = e < last - first ? met(a_col.at[first + e], c) : uvec2(0);
        synchronise();
        uint products = list_products(list.x, list.y);
        add_listed(i, first + TEAM * turn, products, length);
    }
}

void main()
{
    uint n = pieces.at[0];
    for (uint turn = gl_WorkGroupID.x * TEAMS; turn < n; turn += gl_NumWorkGroups.x * TEAMS) {
        uint i = 0, first = 0, last = 0, begin = 0, length = 0;
        columns c = columns(0, 0, false, false);
        if (turn + MY_TEAM < n) {
            i = piece_row.at[turn + MY_TEAM];
            first = a_row.at[i];
            last = a_row.at[i + 1u];
            begin = piece_begin.at[turn + MY_TEAM];
            length = min(SPGEMM_PIECE, c_row.at[i + 1u] - begin);
            c.from_low = begin != c_row.at[i];
            c.to_high = begin + length != c_row.at[i + 1u];
            c.low = c.from_low ? c_col.at[begin] : 0;
            c.high = c.to_high ? c_col.at[begin + length] : 0;
        }
        for (uint s = LANE; s < SPGEMM_PIECE; s += TEAM) {
            column[HELD_FIRST + s] = s < length ? c_col.at[begin + s] : 0;
            value[HELD_FIRST + s] = scalar_t(0);
        }
        add_products(i, first, last, length, c);
        synchronise();
        for (uint s = LANE; s < length; s += TEAM)
            c_val.at[begin + s] = value[HELD_FIRST + s];
        synchronise();
    }
}
