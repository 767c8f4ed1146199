/* The columns of rows of C = A B, gathered in a table in shared memory. The table has ROOM slots and
 * uses at most MOST. One team works on a row. See spgemm_squad_rows.comp. */
#include "sparse/spgemm.h"
#include "sparse/products.glsl"
#include "primitive/bitonic.glsl"

ARGS {
    u32s list; /* rows */
    u32s a_row;
    u32s a_col;
    u32s b_row;
    u32s b_col;
    u32s c_row; /* counts of entries, or offsets if `fill` is 1 */
    u32s c_col;
    u32s kept;   /* stride columns of each listed row, ascending, if it has no more */
    uint count;  /* of rows */
    uint fill;
    uint stride; /* 0: none are kept */
};

#define EMPTY 0xFFFFFFFFu
#define SLOTS (ROOM * MY_TEAM)

shared uint slot[ROOM * TEAMS];
shared uint used[TEAMS];

/* Inserts a column; the search begins at a position that a multiplication scatters. The table is given up beyond MOST;
 * insertions in progress then find a slot, or have seen all slots. */
void insert(uint column)
{
    if (used[MY_TEAM] > MOST)
        return;
    uint at = (column * 0x9E3779B1u) >> HASH_SHIFT;
    for (uint turn = 0; turn < ROOM; turn++) {
        uint there = atomicCompSwap(slot[SLOTS + at], EMPTY, column);
        if (there == EMPTY)
            atomicAdd(used[MY_TEAM], 1u);
        if (there == EMPTY || there == column)
            return;
        at = (at + 1u) & (ROOM - 1u);
    }
}

void gather_columns(uint first, uint last)
{
    for (uint s = PLACE; s < ROOM; s += TEAM)
        slot[SLOTS + s] = EMPTY;
    if (PLACE == 0)
        used[MY_TEAM] = 0;
    uint turns = most(groups_of(last - first, TEAM));
    for (uint turn = 0; turn < turns; turn++) {
        uint e = turn * TEAM + PLACE, begin = 0, end = 0;
        if (e < last - first) {
            uint k = a_col.at[first + e];
            begin = b_row.at[k];
            end = b_row.at[k + 1u];
        }
        synchronise();
        uint products = list_products(begin, end - begin);
        for (uint p = PLACE; p < products; p += TEAM)
            insert(b_col.at[p + product_shift[LIST + place_of(p)]]);
    }
    synchronise();
}

/* Moves the used slots to the front; returns their number. */
uint compact()
{
    uint mine[ROOM / TEAM], count = 0;
    [[unroll]] for (uint r = 0; r < ROOM / TEAM; r++) {
        mine[r] = slot[SLOTS + TEAM * r + PLACE];
        count += uint(mine[r] != EMPTY);
    }
    uint end = up_to(count), at = end - count;
    if (PLACE == TEAM - 1u)
        used[MY_TEAM] = end;
    synchronise();
    [[unroll]] for (uint r = 0; r < ROOM / TEAM; r++)
        if (mine[r] != EMPTY)
            slot[SLOTS + at++] = mine[r];
    synchronise();
    return used[MY_TEAM];
}

#if TEAM == 32
/* Stores the first `length` slots in `columns` from `to` on, each after the smaller ones. */
void store_columns(u32s columns, uint length, uint to)
{
    for (uint s = PLACE; s < length; s += TEAM) {
        uint column = slot[SLOTS + s], less = 0;
        for (uint other = 0; other < length; other++)
            less += uint(slot[SLOTS + other] < column);
        columns.at[to + less] = column;
    }
}
#else
void compare(uint length, uvec2 at)
{
    if (at.y >= length)
        return;
    uint a = slot[SLOTS + at.x], b = slot[SLOTS + at.y];
    if (b < a) {
        slot[SLOTS + at.x] = b;
        slot[SLOTS + at.y] = a;
    }
}

/* The same, sorted by the bitonic network. */
void store_columns(u32s columns, uint length, uint to)
{
    for (uint stage = 1u; stage < length; stage *= 2u) {
        for (uint t = PLACE; t < (length + 1u) / 2u; t += TEAM)
            compare(length, mirrored(t, stage));
        synchronise();
        for (uint distance = stage / 2u; distance > 0; distance /= 2u) {
            for (uint t = PLACE; t < (length + 1u) / 2u; t += TEAM)
                compare(length, apart(t, distance));
            synchronise();
        }
    }
    for (uint s = PLACE; s < length; s += TEAM)
        columns.at[to + s] = slot[SLOTS + s];
}
#endif

/* Fills in row i, the listed row `at`, if it has been kept; an empty row counts as kept. */
bool copy_kept(uint at, uint i)
{
    uint to = at < count ? c_row.at[i] : 0, length = at < count ? c_row.at[i + 1u] - to : 0;
    if (length > stride)
        return false;
    for (uint s = PLACE; s < length; s += TEAM)
        c_col.at[to + s] = kept.at[at * stride + s];
    return true;
}

void main()
{
    for (uint turn = gl_WorkGroupID.x * TEAMS; turn < count; turn += gl_NumWorkGroups.x * TEAMS) {
        uint at = turn + MY_TEAM, i = at < count ? list.at[at] : 0;
        bool done = fill != 0 && copy_kept(at, i);
        if (most(uint(!done)) == 0)
            continue;
        uint first = 0, last = 0;
        if (at < count && !done) {
            first = a_row.at[i];
            last = a_row.at[i + 1u];
        }
        gather_columns(first, last);
        bool over = used[MY_TEAM] > MOST;
        uint length = compact();
        if (fill != 0)
            store_columns(c_col, length, at < count ? c_row.at[i] : 0);
        else if (length <= stride)
            store_columns(kept, length, at * stride);
        if (fill == 0 && at < count && PLACE == 0)
            c_row.at[i] = over ? SPGEMM_UNKNOWN : length;
        synchronise();
    }
}
