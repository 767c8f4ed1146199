#version 460
#include "kernel.glsl"
#include "sparse/slices.glsl"

/* The least column of the k-th entries of each slice, and the most that a column lies above it. A squad takes a
 * slice, a lane every 32nd entry. Traffic: the columns and offsets of CSR and the order once. */
ARGS {
    u32s row; /* n + 1 offsets into col */
    u32s col;
    u32s slice; /* slices + 1 offsets */
    u32s order; /* of the rows; null: their own */
    u32s base;  /* four for each unit of compact columns */
    u32s most;  /* one word, 0 before */
    uint n;
    uint height; /* of a slice */
};

shared uint largest_of_all;

void main()
{
    if (ME == 0)
        largest_of_all = 0;
    barrier();
    sell A = slices_of(slice, col, base, values(base), n, height, 0);
    uint largest = 0;
    for (uint at = gl_WorkGroupID.x * 8u + SQUAD; at < A.slices; at += gl_NumWorkGroups.x * 8u) {
        sell_slice s = slice_at(A, at);
        for (uint k = LANE; k < s.width; k += 32u) {
            uint least = NONE, last = 0;
            for (uint i = height * at; i < min(height * at + height, n); i++) {
                uint to = row_of(order, n, i), from = row.at[to] + k;
                if (k < stored_length(row, to)) {
                    least = min(least, col.at[from]);
                    last = max(last, col.at[from]);
                }
            }
            base.at[4u * s.four + k] = least;
            largest = max(largest, last - least);
        }
    }
    atomicMax(largest_of_all, largest);
    barrier();
    if (ME == 0)
        atomicMax(most.at[0], largest_of_all);
}
