#version 460
#include "kernel.glsl"
#include "sparse/spgemm.h"

/* bound[i] = how many products row i of A B is made of: an upper bound of its entries. It fits a word, because a row
 * of A meets each row of B once. entries[i] = 0 where there are none, else SPGEMM_UNKNOWN. Each row by `lanes` lanes.
 * Traffic: row offsets and columns of A, and two offsets of B for each entry of A. */
ARGS {
    u32s a_row;
    u32s a_col;
    u32s b_row;
    u32s bound;
    u32s entries;
    uint n;
    uint lanes;
};

shared uint sum[256];

void main()
{
    uint rows = 256u / lanes, mine = ME / lanes;
    for (uint first = gl_WorkGroupID.x * rows; first < n; first += gl_NumWorkGroups.x * rows) {
        uint i = first + mine;
        sum[ME] = 0;
        barrier();
        for (uint e = i < n ? a_row.at[i] + ME % lanes : 0; i < n && e < a_row.at[i + 1u]; e += lanes) {
            uint k = a_col.at[e];
            atomicAdd(sum[mine], b_row.at[k + 1u] - b_row.at[k]);
        }
        barrier();
        if (i < n && ME % lanes == 0) {
            bound.at[i] = sum[mine];
            entries.at[i] = sum[mine] == 0 ? 0 : SPGEMM_UNKNOWN;
        }
        barrier();
    }
}
