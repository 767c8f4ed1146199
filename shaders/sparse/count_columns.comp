#version 460
#include "kernel.glsl"

/* How often each column is met, by every `step`-th of the entries. Traffic: a word for each of these, and one more added
 * to. */
ARGS {
    u32s col;
    u32s count; /* for each column; zero at first */
    uint looked; /* entries */
    uint step;
};

void main()
{
    FOR_EACH(i, looked)
        atomicAdd(count.at[col.at[i * step]], 1u);
}
