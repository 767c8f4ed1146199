#version 460
#include "kernel.glsl"
#include "sparse/spgemm.h"
#define TEAM 32
#include "sparse/team.glsl"

/* As spgemm_values, for the rows that SPGEMM_BY_OCTET tells, eight lanes to each: they take one row of B after the
 * other, eight entries at a time. These have different columns, so that no two lanes meet, and every entry of C gets
 * its products in the order of k. */
ARGS {
    u32s  a_row;
    u32s  a_col;
    reals a_val;
    u32s  b_row;
    u32s  b_col;
    reals b_val;
    u32s  c_row;
    u32s  c_col;
    reals c_val;
    u32s  missing;
    uint  n;
};

#define OCTETS 32u /* of a workgroup */
#define OCTET (ME / 8u)
#define OCTET_LANE (ME % 8u)

#define HELD SPGEMM_OCTET_ENTRIES
#define HELD_BY OCTETS
#define HELD_FIRST (HELD * OCTET)
#include "sparse/held_row.glsl"

/* The products of the entries e .. last - 1 of row i of A. Called by the whole workgroup. */
void add_products(uint i, uint e, uint last, uint length)
{
    uint at = 0, end = 0;
    real alpha = real(0);
    while (anybody(at < end || e < last)) {
        if (at >= end && e < last) {
            uint k = a_col.at[e];
            alpha = a_val.at[e++];
            at = b_row.at[k];
            end = b_row.at[k + 1u];
        }
        uint f = at + OCTET_LANE;
        if (f < end) {
            uint s = entry_of(b_col.at[f], length);
            if (s == NOBODY)
                atomicMin(missing.at[0], i);
            else
                value[HELD_FIRST + s] += alpha * b_val.at[f];
        }
        at += 8u;
        meet();
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
            value[HELD_FIRST + s] = real(0);
        }
        meet();
        add_products(i, first, last, length);
        for (uint s = OCTET_LANE; s < length; s += 8u)
            c_val.at[begin + s] = value[HELD_FIRST + s];
        meet();
    }
}
