#include "each.glsl"
#include "sparse/spgemm.h"

/* pieces[i] = the number of pieces of at most 64 entries in row i of C; 0 if one lane or eight sum the row; 1 for an
 * empty row, so that its products are checked. Traffic: 12 n bytes. */
ARGS {
    u32s a_row;
    u32s c_row;
    u32s pieces;
    uint n;
};

void main()
{
    FOR_EACH(i, n) {
        uint entries = c_row.at[i + 1u] - c_row.at[i];
        uint a_entries = a_row.at[i + 1u] - a_row.at[i];
        bool whole = SPGEMM_BY_LANE(a_entries, entries) || SPGEMM_BY_OCTET(a_entries, entries);
        pieces.at[i] = whole ? 0 : max(1u, groups_of(entries, SPGEMM_PIECE));
    }
}
