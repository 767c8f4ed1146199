#include "kernel.glsl"
#include "algebra.glsl"
#include "sparse/spgemm.h"
#define TEAM 32
#include "sparse/team.glsl"

/* As spgemm_values, for the rows of SPGEMM_BY_OCTET, eight lanes per row: they take one row of B after another, eight
 * entries at a time. These have different columns, so that no two lanes conflict, and every entry of C gets its
 * products in the order of k. */
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
    u32s    missing;
    uint    n;
};

#define OCTETS 32u /* of a workgroup */
#define OCTET (ME / 8u)
#define OCTET_LANE (ME % 8u)

#define HELD SPGEMM_OCTET_ENTRIES
#define HELD_BY OCTETS
#define HELD_FIRST (HELD * OCTET)
#include "sparse/held_row.glsl"

/* The entries of B for each lane's entry of A. */
shared uint list_begin[256], list_end[256];

/* Adds the products of entry e of A, which the lane at `place` has looked up. */
void add_row(uint i, uint e, uint place, uint length)
{
    uint at = list_begin[place] + OCTET_LANE, end = list_end[place];
    while (any_in_group(at < end)) {
        if (at < end) {
            uint s = entry_of(b_col.at[at], length);
            if (s == ABSENT)
                atomicMin(missing.at[0], i);
            else
                value[HELD_FIRST + s] += mul(a_val.at[e], b_val.at[at]);
        }
        at += 8u;
        synchronise();
    }
}

/* Adds the products of the entries first .. last - 1 of row i of A: each lane looks up one of eight. Called by the
 * whole workgroup. */
void add_products(uint i, uint first, uint last, uint length)
{
    for (; any_in_group(first < last); first += 8u) {
        uint e = first + OCTET_LANE, k = e < last ? a_col.at[e] : 0;
        list_begin[ME] = e < last ? b_row.at[k] : 0;
        list_end[ME] = e < last ? b_row.at[k + 1u] : 0;
        synchronise();
        for (uint u = 0; u < 8u; u++)
            add_row(i, first + u, 8u * OCTET + u, length);
    }
}

void main()
{
    for (uint turn = gl_WorkGroupID.x * OCTETS; turn < n; turn += gl_NumWorkGroups.x * OCTETS) {
        uint i = turn + OCTET, first = 0, last = 0, begin = 0, length = 0;
        if (i < n) {
            first = a_row.at[i];
            last = a_row.at[i + 1u];
            begin = c_row.at[i];
            length = c_row.at[i + 1u] - begin;
            if (!SPGEMM_BY_OCTET(last - first, length))
                first = last = length = 0;
        }
        for (uint s = OCTET_LANE; s < length; s += 8u) {
            column[HELD_FIRST + s] = c_col.at[begin + s];
            value[HELD_FIRST + s] = scalar_t(0);
        }
        synchronise();
        add_products(i, first, last, length);
        for (uint s = OCTET_LANE; s < length; s += 8u)
            c_val.at[begin + s] = value[HELD_FIRST + s];
        synchronise();
    }
}
