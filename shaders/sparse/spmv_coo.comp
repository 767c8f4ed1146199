#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "sparse/coo.h"

/* y = A x, A in COO, sorted by row and column, with the bits of CSR. Rows without entries are skipped, and long rows
 * have no entries here.
 *
 * A workgroup takes a fixed share of the entries, regardless of rows, and sums the rows that begin there: products go
 * to shared memory, from which each row is summed by its lanes. Shares thus exchange no sums; the part of the last row
 * beyond the share is read twice, the second time from a cache. Traffic: the entries, x and y once. */
ARGS {
    guard   g;
    u32s    row;
    u32s    col;
    values  val;
    scalars x;
    scalars y;
    uint    entries;
    uint    lanes; /* per row */
};

ADDRESS(4) readonly restrict buffer words_in { uint at[]; };
ADDRESS(SCALAR_BYTES) readonly restrict buffer scalars_in { scalar_t at[]; };
ADDRESS(STORED_BYTES) readonly restrict buffer values_in { stored at[]; };

#define TAKEN (COO_SHARE + COO_TAIL)
#define PLACES (TAKEN / 256u) /* entries of an invocation; the last lane groups take the tail */
#define SHARING (COO_SHARE / (32u * PLACES)) /* lane groups that take no part of the tail */

shared scalar_t products[TAKEN + TAKEN / 16u];
shared uint firsts[TAKEN / 32u]; /* a bit for each entry: whether a row begins there */
shared uint counts[8];           /* number of these bits in the entries of each lane group */
shared uint begins[COO_SHARE + 1u];

/* Position of the product of entry k of a share, so that rows of 8 or 16 entries do not all begin in the same bank. */
uint banked(uint k)
{
    return k + k / 16u;
}

/* Sets the bits of this lane group at `place`, which are zero. Called by the whole workgroup. */
void vote(uint place, bool first)
{
#if SUBGROUP
    uint votes = squad_ballot(first);
    if (LANE == 0)
        firsts[PLACES * SQUAD + place] = votes;
#else
    if (first)
        atomicOr(firsts[PLACES * SQUAD + place], 1u << LANE);
#endif
}

/* Products of the share that begins at `first`, and of the rest of its last row. */
void load(uint first)
{
    words_in rows = words_in(row), cols = words_in(col);
    values_in vals = values_in(val);
    scalars_in xs = scalars_in(x);
    uint last = rows.at[min(first + COO_SHARE, entries) - 1u], mine = 32u * PLACES * SQUAD + LANE;
    uint j[PLACES];
    scalar_t v[PLACES];
    bool begun[PLACES], is[PLACES];
    [[unroll]] for (uint u = 0; u < PLACES; u++) {
        uint k = first + mine + 32u * u, at = min(k, entries - 1u), r = rows.at[at];
        begun[u] = k < entries && (k == 0 || rows.at[max(at, 1u) - 1u] != r);
        is[u] = k < entries && (SQUAD < SHARING || r == last);
        j[u] = is[u] ? cols.at[at] : 0;
        v[u] = is[u] ? vals.at[at] : scalar_t(0);
    }
    [[unroll]] for (uint u = 0; u < PLACES; u++)
        v[u] = mul(v[u], xs.at[j[u]]);
    [[unroll]] for (uint u = 0; u < PLACES; u++) {
        products[banked(mine + 32u * u)] = v[u]; /* products outside the share are never read */
        vote(u, begun[u]);
    }
}

/* Lists the starts of rows, and the end of the last; returns the number of rows. Called by the whole workgroup. */
uint list_rows(uint first)
{
    uint words[PLACES], own = 0, before = 0, rows = 0, all = 0;
    [[unroll]] for (uint u = 0; u < PLACES; u++) {
        words[u] = firsts[PLACES * SQUAD + u];
        own += bitCount(words[u]);
    }
    if (LANE == 0)
        counts[SQUAD] = own;
    barrier();
    [[unroll]] for (uint s = 0; s < 8u; s++) {
        before += s < SQUAD ? counts[s] : 0;
        rows += s < SHARING ? counts[s] : 0;
        all += counts[s];
    }
    [[unroll]] for (uint u = 0; u < PLACES; u++) {
        uint place = before + bitCount(bitfieldExtract(words[u], 0, int(LANE)));
        if ((words[u] >> LANE & 1u) != 0 && place <= COO_SHARE)
            begins[place] = 32u * (PLACES * SQUAD + u) + LANE;
        before += bitCount(words[u]);
    }
    if (all == rows && ME == 0) /* no row begins in the tail: the last one ends with it, or with all entries */
        begins[rows] = min(TAKEN, entries - first);
    return rows;
}

/* A lane's sum over the row, starting at the lane's first entry k; the row ends before `end`. */
scalar_t lane_sum(uint k, uint end)
{
    scalar_t sum = scalar_t(0);
    for (; k + 3u * lanes < end; k += 4u * lanes) {
        scalar_t v0 = products[banked(k)], v1 = products[banked(k + lanes)], v2 = products[banked(k + 2u * lanes)],
             v3 = products[banked(k + 3u * lanes)];
        sum = sum + v0;
        sum = sum + v1;
        sum = sum + v2;
        sum = sum + v3;
    }
    for (; k < end; k += lanes)
        sum = sum + products[banked(k)];
    return sum;
}

void main()
{
    if (stopped(g))
        return;
    uint turn = 256u / lanes, lane = ME % lanes, shares = groups_of(entries, COO_SHARE);
    for (uint share = gl_WorkGroupID.x; share < shares; share += gl_NumWorkGroups.x) {
        uint first = COO_SHARE * share;
        if (ME < TAKEN / 32u)
            firsts[ME] = 0;
        barrier(); /* and the products of the last share have been read */
        load(first);
        barrier();
        uint rows = list_rows(first);
        barrier();
        for (uint i = 0; i < rows; i += turn) {
            uint mine = i + ME / lanes;
            uint begin = mine < rows ? begins[mine] : 0, end = mine < rows ? begins[mine + 1u] : 0;
            scalar_t sum = lanes_sum(lane_sum(begin + lane, end), lanes);
            if (mine < rows && lane == 0)
                y.at[row.at[first + begin]] = sum;
        }
    }
}
