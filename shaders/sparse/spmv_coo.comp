#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/bounds.glsl"
#include "sparse/coo.h"
#include "solver/control.glsl"

/* y = A x, A in COO, sorted by row and column, with the bits of CSR; rows without entries are left alone. Within a solve
 * (c is not null) only while it is alive.
 *
 * A workgroup takes a fixed share of the entries, whatever rows they are of, and sums the rows that begin there: products
 * go to shared memory, and from there each row is summed by its lanes. So nothing is carried from share to share: of the
 * last row, what lies behind the share is read twice, the second time from a cache. Traffic: the entries, x and y once. */
ARGS {
    control c;
    u32s    row;
    u32s    col;
    reals   val;
    reals   x;
    reals   y;
    uint    entries;
    uint    lanes; /* of a row's sum */
};

ADDRESS(4) readonly restrict buffer words_in { uint at[]; };
ADDRESS(REAL_BYTES) readonly restrict buffer reals_in { real at[]; };

#define TAKEN (COO_SHARE + COO_TAIL)
#define PLACES (TAKEN / 256u) /* entries of an invocation, of which the last is in the tail */

shared real products[TAKEN];
shared uint firsts[TAKEN / 32u]; /* a bit for each: whether a row begins there, or all have ended */
shared uint begins[COO_SHARE + 1u];

/* Sets bit ME of eight words of `firsts`, which are zero. Called by the whole workgroup. */
void vote(uint place, bool first)
{
#if SUBGROUP
    uint votes = subgroupBallot(first).x;
    if (LANE == 0)
        firsts[8u * place + SQUAD] = votes;
#else
    if (first)
        atomicOr(firsts[8u * place + SQUAD], 1u << LANE);
#endif
}

/* Products of the share that begins at `first`, and of the rest of its last row. */
void load(uint first)
{
    words_in rows = words_in(row), cols = words_in(col);
    reals_in vals = reals_in(val), xs = reals_in(x);
    uint last = rows.at[min(first + COO_SHARE, entries) - 1u], r[PLACES], before[PLACES], j[PLACES];
    real v[PLACES];
    bool is[PLACES];
    [[unroll]] for (uint u = 0; u < PLACES; u++) {
        uint k = first + 256u * u + ME, at = min(k, entries - 1u);
        r[u] = rows.at[at];
        before[u] = rows.at[max(at, 1u) - 1u];
        is[u] = k < entries;
        if (u + 1u < PLACES) {
            j[u] = cols.at[at];
            v[u] = vals.at[at];
        }
    }
    uint tail = PLACES - 1u, at = min(first + COO_SHARE + ME, entries - 1u);
    bool goes_on = is[tail] && r[tail] == last;
    j[tail] = goes_on ? cols.at[at] : j[0];
    v[tail] = goes_on ? vals.at[at] : v[0];
    [[unroll]] for (uint u = 0; u < PLACES; u++) {
        products[256u * u + ME] = v[u] * xs.at[j[u]];
        vote(u, !is[u] || r[u] != before[u] || first + 256u * u + ME == 0);
    }
}

/* Lists where rows begin, and at the end where the last of them ends; how many they are. Called by the whole workgroup. */
uint list_rows(uint first)
{
    uint count = 0, share = min(COO_SHARE, entries - first), rows = 0;
    for (uint w = 0; w < TAKEN / 32u; w++) {
        uint word = firsts[w], place = count + bitCount(bitfieldExtract(word, 0, int(LANE)));
        if (w % 8u == SQUAD && (word >> LANE & 1u) != 0 && place <= COO_SHARE)
            begins[place] = 32u * w + LANE;
        count += bitCount(word);
        if (32u * w < share)
            rows += bitCount(bitfieldExtract(word, 0, int(min(share - 32u * w, 32u))));
    }
    if (count == rows && ME == 0) /* a row longer than the tail: where the next begins */
        begins[rows] = lower_bound(row, first + TAKEN, entries, row.at[first + COO_SHARE - 1u] + 1u) - first;
    return rows;
}

real term(uint first, uint k)
{
    return k < TAKEN ? products[k] : val.at[first + k] * x.at[col.at[first + k]];
}

void main()
{
    if (uvec2(c) != uvec2(0) && !alive(c))
        return;
    uint turn = 256u / lanes, lane = ME % lanes, shares = groups_of(entries, COO_SHARE);
    for (uint share = gl_WorkGroupID.x; share < shares; share += gl_NumWorkGroups.x) {
        uint first = COO_SHARE * share;
        if (ME < TAKEN / 32u)
            firsts[ME] = 0;
        barrier();
        load(first);
        barrier();
        uint rows = list_rows(first);
        barrier();
        for (uint i = 0; i < rows; i += turn) {
            uint mine = i + ME / lanes;
            uint begin = mine < rows ? begins[mine] : 0, end = mine < rows ? begins[mine + 1u] : 0;
            real sum = real(0);
            for (uint k = begin + lane; k < end; k += lanes)
                sum = sum + term(first, k);
            sum = lanes_sum(sum, lanes);
            if (mine < rows && lane == 0)
                y.at[row.at[first + begin]] = sum;
        }
        barrier(); /* all has been read */
    }
}
