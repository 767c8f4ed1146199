#version 460
#include "kernel.glsl"
#include "sparse/spgemm.h"

/* bound[i] = how many products a row of A B is made of, or 0xFFFFFFFF where it is more: an upper bound of its entries.
 * entries[i] = 0 where there are none, else SPGEMM_UNKNOWN. Each row by `lanes` lanes. Traffic: row offsets and columns
 * of A, and two offsets of B for each entry of A. */
ARGS {
    u32s a_row;
    u32s a_col;
    u32s b_row;
    u32s bound;
    u32s entries;
    uint n;
    uint lanes;
};

shared uint sum[256], over[256];

/* Adds v to the sum at s; both stand for 2^32 - 1 or more where that is reached. */
void add(uint s, uint v)
{
    uint before = atomicAdd(sum[s], v);
    if (before + v < before)
        over[s] = 1u;
}

void main()
{
    uint rows = 256u / lanes, mine = ME / lanes;
    for (uint first = gl_WorkGroupID.x * rows; first < n; first += gl_NumWorkGroups.x * rows) {
        uint i = first + mine;
        sum[ME] = 0;
        over[ME] = 0;
        barrier();
        for (uint e = i < n ? a_row.at[i] + ME % lanes : 0; i < n && e < a_row.at[i + 1u]; e += lanes) {
            uint k = a_col.at[e];
            add(mine, b_row.at[k + 1u] - b_row.at[k]);
        }
        barrier();
        if (i < n && ME % lanes == 0) {
            uint products = over[mine] != 0 ? 0xFFFFFFFFu : sum[mine];
            bound.at[i] = products;
            entries.at[i] = products == 0 ? 0 : SPGEMM_UNKNOWN;
        }
        barrier();
    }
}
