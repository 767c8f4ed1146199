#include "kernel.glsl"

/* Counts the entries of each column, using every `step`-th entry. Traffic: a word for each of these, and one more
 * added to. */
ARGS {
    u32s col;
    u32s count; /* for each column; initially zero */
    uint sampled; /* entries */
    uint step;
};

void main()
{
    FOR_EACH(i, sampled)
        atomicAdd(count.at[col.at[i * step]], 1u);
}
