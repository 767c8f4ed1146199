#version 460
#include "kernel.glsl"

/* Another name for each column of a list: its place in the list, behind all columns. Traffic: two words for each. */
ARGS {
    u32s list; /* of columns, each once */
    u32s name; /* for each column; what is not in the list stays as it is */
    uint count;
    uint cols;
};

void main()
{
    FOR_EACH(i, count)
        name.at[list.at[i]] = cols + i;
}
