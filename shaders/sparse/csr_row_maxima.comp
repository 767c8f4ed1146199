#include "kernel.glsl"
#include "sparse/bounds.glsl"
#include "sparse/magnitude.glsl"

/* most[i] = the largest magnitude in row i, ignoring NaN; initially 0. Uses atomic maxima of bits, whose order does
 * not matter. A double takes two runs, part 0 for the high words and part 1 for the low words of those with the
 * largest high word. Traffic: the values once for each part. */
#if REAL == 32
#define word_pair uint
#else
struct word_pair {
    uint low, high;
};
#endif
ADDRESS(REAL_BYTES) buffer maxima { word_pair at[]; };

ARGS {
    u32s  row; /* n + 1 offsets into val */
    reals val;
    reals most;
    uint  n;
    uint  entries;
    uint  part;
};

void main()
{
    maxima to = maxima(most);
    FOR_EACH(e, entries) {
        uint i = row_of(row, n, e);
        key m = magnitude_of(val.at[e]);
        if (is_nan(m))
            continue;
#if REAL == 32
        atomicMax(to.at[i], m);
#else
        if (part == 0)
            atomicMax(to.at[i].high, m.y);
        else if (to.at[i].high == m.y)
            atomicMax(to.at[i].low, m.x);
#endif
    }
}
