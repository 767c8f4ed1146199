#version 460
#include "kernel.glsl"
#include "sparse/balanced.glsl"

/* The tasks, from which of the flags of balanced_flags.comp were set: first row, row behind the last, first entry, entry
 * behind the last. Traffic: 20 bytes for each task, and the offsets of its rows. */
ARGS {
    u32s row;  /* n + 1 offsets */
    u32s flag; /* the indices of those that were set */
    u32s task; /* four words for each */
    uint n;
    uint tasks;
};

void main()
{
    FOR_EACH(t, tasks) {
        uint f = flag.at[t], from = f < n ? f : f - n, end = from + 1u;
        while (f >= n && end < n && follows(row, end)) /* at most BALANCED_SHARE rows */
            end++;
        task.at[4u * t] = from;
        task.at[4u * t + 1u] = end;
        task.at[4u * t + 2u] = row.at[from];
        task.at[4u * t + 3u] = row.at[end];
    }
}
