#include "kernel.glsl"
#include "algebra.glsl"
#include "sparse/blocks.h"
#define TEAM 32
#include "sparse/bounds.glsl"
#include "sparse/team.glsl"

/* The values of C = A B, whose structure is known. A has blocks of high x inner, B of inner x wide, C of high x wide,
 * each by rows. A block of C is the sum of the products A_ik B_kj, in ascending k. Each of its elements starts at +0
 * and adds the terms of each product in ascending order of the columns of A_ik. That is the order of the products of
 * CSR with all entries of all blocks.
 *
 * A lane group takes up to ten consecutive blocks of C in a row, and 32 entries of A at a time. First each lane, for
 * its entry of A, looks up which of these blocks the corresponding row of B contains: so a column is looked up once per
 * product of blocks. Then groups of `wide` lanes take a block of C each, a lane its column, in registers, and visit the
 * lanes that found a block for it. Traffic: A, C, and for each entry of A its row of B. */
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
    u32s    c_rows;  /* the row of each block of C */
    uint    entries; /* blocks of C */
};
CONSTANT(1, high);
CONSTANT(2, inner);
CONSTANT(3, wide);

#define MINE (BLOCKS_SLOTS * MY_TEAM)
#define GROUPS BLOCKS_GROUPS(wide)
#define GROUP (LANE / wide)

shared uint column[BLOCKS_SLOTS * TEAMS];      /* of the blocks of C */
shared uint finders[BLOCKS_SLOTS * TEAMS];     /* one bit for each lane that found the block */
shared uint found[32u * BLOCKS_SLOTS * TEAMS]; /* which block of B it found */

/* First index at or after `from`, and before `end`, whose column is at least c, or `end`; fast if it is near `from`. */
uint gallop(uint from, uint end, uint c)
{
    uint step = 1u;
    while (from < end) {
        uint ahead = min(step, end - from) - 1u;
        if (b_col.at[from + ahead] >= c)
            return lower_bound(b_col, from, from + ahead, c);
        from += ahead + 1u;
        step *= 2u;
    }
    return end;
}

/* Looks up which of the `length` blocks entry e of A contributes to. */
void look_up(uint e, uint length)
{
    uint k = a_col.at[e], f = b_row.at[k], end = b_row.at[k + 1u];
    for (uint s = 0; s < length && f < end; s++) {
        uint c = column[MINE + s];
        f = gallop(f, end, c);
        if (f < end && b_col.at[f] == c) {
            found[32u * (MINE + s) + LANE] = f;
            atomicOr(finders[MINE + s], 1u << LANE);
        }
    }
}

/* Adds A_ik B_kj, where these are the blocks a and b, in this lane's column. */
void add_product(inout scalar_t sum[BLOCKS_SIDE], uint a, uint b)
{
    uint from_a = a * high * inner, from_b = b * inner * wide + LANE % wide;
    [[unroll]] for (uint k = 0; k < BLOCKS_SIDE; k++)
        if (k < inner) {
            scalar_t v = b_val.at[from_b + k * wide];
            [[unroll]] for (uint r = 0; r < BLOCKS_SIDE; r++)
                if (r < high)
                    sum[r] = sum[r] + mul(a_val.at[from_a + r * inner + k], v);
        }
}

/* Adds the products of 32 entries of A, starting at `first`, to the block of this group. */
void add_found(inout scalar_t sum[BLOCKS_SIDE], uint first, uint length)
{
    for (uint left = GROUP < length ? finders[MINE + GROUP] : 0; left != 0; left &= left - 1u) {
        uint finder = uint(findLSB(left));
        add_product(sum, first + finder, found[32u * (MINE + GROUP) + finder]);
    }
}

/* Sums `length` blocks of C starting at `begin`, at most GROUPS, all in the row given by the entries first .. last - 1
 * of A. Called by the whole workgroup. */
void sum_blocks(uint begin, uint length, uint first, uint last)
{
    uint turns = most(groups_of(last - first, TEAM));
    scalar_t sum[BLOCKS_SIDE];
    [[unroll]] for (uint r = 0; r < BLOCKS_SIDE; r++)
        sum[r] = scalar_t(0);
    if (LANE < length)
        column[MINE + LANE] = c_col.at[begin + LANE];
    for (uint turn = 0; turn < turns; turn++) {
        uint e = TEAM * turn + LANE;
        if (LANE < BLOCKS_SLOTS)
            finders[MINE + LANE] = 0;
        synchronise();
        if (e < last - first)
            look_up(first + e, length);
        synchronise();
        add_found(sum, first + TEAM * turn, length);
        synchronise();
    }
    [[unroll]] for (uint r = 0; r < BLOCKS_SIDE; r++)
        if (GROUP < length && r < high)
            c_val.at[((begin + GROUP) * high + r) * wide + LANE % wide] = sum[r];
}

void main()
{
    uint each = GROUPS, squads = groups_of(entries, each);
    for (uint turn = gl_WorkGroupID.x * TEAMS; turn < squads; turn += gl_NumWorkGroups.x * TEAMS) {
        uint at = turn + MY_TEAM < squads ? (turn + MY_TEAM) * each : entries, end = at + min(each, entries - at);
        while (any_in_group(at < end)) {
            uint first = 0, last = 0, length = 0;
            if (at < end) {
                uint i = c_rows.at[at];
                first = a_row.at[i];
                last = a_row.at[i + 1u];
                length = min(end, c_row.at[i + 1u]) - at;
            }
            sum_blocks(at, length, first, last);
            at += length;
        }
    }
}
