#include "each.glsl"

/* Renames each column of a list to `cols` plus its position in the list. Traffic: two words for each. */
ARGS {
    u32s list; /* of columns, each once */
    u32s name; /* for each column; unchanged if not in the list */
    uint count;
    uint cols;
};

void main()
{
    FOR_EACH(i, count)
        name.at[list.at[i]] = cols + i;
}
