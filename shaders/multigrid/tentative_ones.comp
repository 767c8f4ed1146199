#include "each.glsl"
#include "multigrid/strength.h"

/* The tentative prolongator of a constant: row i has a 1 in the column of its aggregate. Aggregates are numbered in
 * the order of their roots: before[i] roots precede row i. Traffic: 12n bytes, n. */
ARGS {
    u32s  owner;
    u32s  before;
    u32s  row; /* n + 1 offsets into col and val: one entry for each row in an aggregate */
    u32s  col;
    reals val;
    uint  n;
};

void main()
{
    FOR_EACH(i, n) {
        uint own = owner.at[i], at = row.at[i];
        if (own != NO_AGGREGATE) {
            col.at[at] = before.at[own];
            val.at[at] = real(1);
        }
    }
}
