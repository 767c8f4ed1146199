#include "kernel.glsl"
#include "sparse/balanced.glsl"
#include "sparse/slices.glsl"

/* The entries of each slice, including padding. Traffic: the offsets of a row for each slice read, a word written. */
ARGS {
    u32s row;   /* n + 1 offsets */
    u32s order; /* the rows, the longest first, long ones last */
    u32s size;  /* of each slice */
    uint n;
    uint lanes;
    uint above128; /* rows of more entries */
    uint above64;
    uint above32;
    uint slices;
};

void main()
{
    FOR_EACH(s, slices) {
        balanced_slice b = balanced_slice_at(s, uvec3(above128, above64, above32), n, lanes);
        size.at[s] = b.first < b.end ? 32u * groups_of(stored_length(row, order.at[b.first]), b.team) : 0;
    }
}
