/* Balanced CSR: rows sorted by length, the longest first, in slices of 32 threads. Longer rows have larger teams, none
 * smaller than the lanes that sum a row (csr.glsl). A slice has one row for each team in 32 threads, and the width
 * that its first row needs. Entry k of a row is in step k / team, of thread k mod team of its team; step i of thread j
 * of a slice is at first + 32 i + j. Slices of one class come in multiples of eight, as workgroups take them: the last
 * may have no rows. */
#include "sparse/balanced.h"

/* Contents of slice s: rows at positions first .. end - 1 of the order, within its length, with `team` threads
 * each. */
struct balanced_slice {
    uint first, end, team;
};

/* n is the number of rows. `above` counts the rows with more than 128, 64 and 32 entries. */
balanced_slice balanced_slice_at(uint s, uvec3 above, uint n, uint lanes)
{
    uint begin = 0;
    for (uint k = 0; k < BALANCED_CLASSES; k++) {
        uint end = k == 0 ? above.x : k == 1u ? above.y : k == 2u ? above.z : n, team = max(BALANCED_TEAM(k), lanes),
             slices = 8u * groups_of(end - begin, 256u / team);
        if (s < slices)
            return balanced_slice(begin + s * (32u / team), end, team);
        s -= slices;
        begin = end;
    }
    return balanced_slice(n, n, lanes);
}
