#version 460
#include "kernel.glsl"
#include "sparse/balanced.glsl"

/* flag[i] = whether row i is a task alone, flag[n + i] = whether it is the first of a task of several: so that tasks of
 * many entries come first. Traffic: the offsets, two words for each row written. */
ARGS {
    u32s row;  /* n + 1 offsets */
    u32s flag; /* 2 n */
    uint n;
};

void main()
{
    FOR_EACH(i, n) {
        flag.at[i] = uint(is_alone(row, i));
        flag.at[n + i] = uint(is_shared(row, i) && (i == 0 || !follows(row, i)));
    }
}
