#include "each.glsl"
#include "batch/batch.h"

/* The values of all systems of a batch in ELL, from values in the order of the caller. Slot e of each `slots` has entry
 * map[e] of each `entries`. Traffic: each value read and written, the map read. */
ARGS {
    u32s  map; /* `slots` numbers of entries, or NO_ENTRY */
    reals from;
    reals val;
    uint  slots;
    uint  entries;
    uint  n; /* all slots */
};

void main()
{
    FOR_EACH(e, n) {
        uint k = map.at[e % slots];
        if (k == NO_ENTRY)
            val.at[e] = real(0);
        else
            val.at[e] = from.at[(e / slots) * entries + k];
    }
}
