#include "kernel.glsl"
#include "multigrid/strength.h"

/* The tentative prolongator as blocks: row i has the block of node i, of `elements` elements, in the column of its
 * aggregate, if it is in one. aggregate[i] becomes that number, or NO_AGGREGATE. Aggregates are numbered in the order
 * of their roots: before[i] roots precede node i. Traffic: 16n bytes, and the blocks twice if val is given. */
ARGS {
    u32s  owner;
    u32s  before;
    u32s  row; /* n + 1 offsets into col and val: one block for each node in an aggregate */
    u32s  col;
    u32s  aggregate;
    reals block; /* of each node */
    reals val;   /* null: only the numbers are computed */
    zeros none;
    uint  n;
};
DEFINE_NO_ADDRESS
CONSTANT(1, elements);

void main()
{
    FOR_EACH(i, n) {
        uint own = owner.at[i], at = row.at[i];
        aggregate.at[i] = own != NO_AGGREGATE ? before.at[own] : NO_AGGREGATE;
        if (own == NO_AGGREGATE || !is_there(uvec2(val)))
            continue;
        col.at[at] = before.at[own];
        for (uint k = 0u; k < elements; k++)
            val.at[elements * at + k] = block.at[elements * i + k];
    }
}
