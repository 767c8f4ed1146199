#include "each.glsl"
#include "exact.glsl"
#include "sparse/bounds.glsl"

/* flags[2] becomes the first row with an entry that is not finite; the caller sets it to 0xFFFFFFFF. Traffic: the
 * values once. */
ARGS {
    u32s   row; /* n + 1 offsets into val */
    values val;
    u32s   flags;
    uint   n;
    uint   entries;
};

void main()
{
    FOR_EACH(e, entries)
        if (!finite(scalar_t(val.at[e])))
            atomicMin(flags.at[2], row_of(row, n, e));
}
