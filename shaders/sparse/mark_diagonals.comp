#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* Sets a bit for each diagonal that has an entry: by column - row in `upper`, by row - column in `lower`, both
 * initially zero. Invocations take entries, not rows, so that long rows cause no delay. A bit that is seen to be set is
 * not set again, because in banded matrices all atomics would conflict on a few words. Traffic: the columns once. */
ARGS {
    u32s row; /* n + 1 offsets into col */
    u32s col;
    u32s upper; /* a bit for each column */
    u32s lower; /* a bit for each row */
    uint n;
    uint entries;
};

void main()
{
    FOR_EACH(e, entries) {
        uint i = row_of(row, n, e), c = col.at[e], off = c < i ? i - c : c - i, bit = 1u << (off & 31u);
        if (c < i) {
            if ((lower.at[off / 32u] & bit) == 0u)
                atomicOr(lower.at[off / 32u], bit);
        } else if ((upper.at[off / 32u] & bit) == 0u) {
            atomicOr(upper.at[off / 32u], bit);
        }
    }
}
