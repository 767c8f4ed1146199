#include "kernel.glsl"
#include "sparse/slices.glsl"

/* The least column of the k-th entries of each slice, and the largest distance of a column from it. A lane group takes
 * a slice, a lane every 32nd entry, of eight rows at a time, so that their loads overlap. Traffic: the columns and
 * offsets of CSR and the order once. */
ARGS {
    u32s  row; /* n + 1 offsets into col */
    u32s  col;
    u32s  slice; /* slices + 1 offsets */
    u32s  order; /* of the rows; null: unchanged */
    u32s  base;  /* four for each unit of compact columns; null: not computed */
    u32s  most;  /* one word, initially 0; null: not computed */
    zeros none;
    uint  n;
    uint  height; /* of a slice */
};
DEFINE_NO_ADDRESS

shared uint largest_of_all;

#define AHEAD 8u

/* Merges the columns of entry k of those rows i .. i + 7 that have one into the least and the last; beyond `end` the
 * previous row is used again. */
void take_rows(uint i, uint end, uint k, inout uint least, inout uint last)
{
    uint at[AHEAD];
    bool is[AHEAD];
    [[unroll]] for (uint j = 0; j < AHEAD; j++) {
        uint to = row_of(order, n, min(i + j, end - 1u));
        at[j] = row.at[to] + k;
        is[j] = k < stored_length(row, to);
    }
    [[unroll]] for (uint j = 0; j < AHEAD; j++) {
        uint c = col.at[is[j] ? at[j] : 0u];
        least = is[j] ? min(least, c) : least;
        last = is[j] ? max(last, c) : last;
    }
}

void main()
{
    if (ME == 0)
        largest_of_all = 0;
    barrier();
    sell A = slices_of(slice, col, base, values(base), n, height, 0, 0);
    uint largest = 0;
    for (uint at = gl_WorkGroupID.x * 8u + SQUAD; at < A.slices; at += gl_NumWorkGroups.x * 8u) {
        sell_slice s = slice_at(A, at);
        for (uint k = LANE; k < s.width; k += 32u) {
            uint least = NONE, last = 0;
            for (uint i = height * at; i < min(height * at + height, n); i += AHEAD)
                take_rows(i, min(height * at + height, n), k, least, last);
            if (is_there(uvec2(base)))
                base.at[4u * s.four + k] = least;
            largest = max(largest, last - least);
        }
    }
    atomicMax(largest_of_all, largest);
    barrier();
    if (ME == 0 && is_there(uvec2(most)))
        atomicMax(most.at[0], largest_of_all);
}
