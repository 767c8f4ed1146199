#include "kernel.glsl"
#include "lanes.glsl"
#include "multigrid/strength.h"

/* joined[i] = owner[i]. A row without an owner gets the owner of strong neighbours with the largest sum of strengths,
 * added in ascending order and rounded to 16 bits, so that sums that differ in the last bits are equal. Ties go to the
 * owner of the fewest rows, then to the lowest. Only the first JOIN_MOST neighbours count. If none of these has an
 * owner, the lowest owner of the others is taken. Traffic: owners; for rows without one, the graph and strengths. */
ARGS {
    u32s row; /* n + 1 offsets into col and strength */
    u32s col;
    u32s strength; /* bits of floats */
    u32s owner;
    u32s size;
    u32s joined;
    uint n;
};
CONSTANT(1, lanes); /* per row: 1, 2 ... 32 */

/* High word of the rank of an owner among the owners of entries begin .. end - 1. */
uint rank_of(uint begin, uint end, uint root)
{
    float sum = 0.0;
    for (uint k = begin; k < end; k++)
        if (owner.at[col.at[k]] == root)
            sum = sum + uintBitsToFloat(strength.at[k]);
    uint binding = (floatBitsToUint(sum) + 0x8000u) >> 16;
    return binding << 16 | (0xFFFFu - min(size.at[root], 0xFFFFu));
}

void main()
{
    FOR_ROWS(i, n, lanes) {
        uint own = i < n ? owner.at[i] : 0u, rank = 0u, low = 0u;
        if (i < n && own == NO_AGGREGATE) {
            uint begin = row.at[i], last = row.at[i + 1u], end = min(last, begin + JOIN_MOST);
            for (uint k = begin + ME % lanes; k < end; k += lanes) {
                uint root = owner.at[col.at[k]];
                if (root == NO_AGGREGATE)
                    continue;
                uint high = rank_of(begin, end, root);
                low = high > rank ? ~root : high == rank ? max(low, ~root) : low;
                rank = max(rank, high);
            }
            for (uint k = low == 0u ? end + ME % lanes : last; k < last; k += lanes)
                low = max(low, ~owner.at[col.at[k]]);
        }
        uint best = lanes_max(rank, lanes);
        low = lanes_max(rank == best ? low : 0u, lanes);
        if (i < n && ME % lanes == 0u)
            joined.at[i] = own != NO_AGGREGATE || low == 0u ? own : ~low;
    }
}
