#include "kernel.glsl"
#include "sparse/long.h"

/* The values of a BSR matrix from those of CSR; the starts of the slices are known. Padding of rows to the width of
 * their slice, and long rows entirely, is 0. Traffic: the values and row offsets of CSR read, the padded values
 * written. */
ARGS {
    u32s  row; /* n + 1 offsets into from_val */
    reals from_val;
    u32s  slice; /* slices + 1 offsets into val */
    reals val;
    uint  n;
};

void main()
{
    FOR_EACH(i, 32u * groups_of(n, 32u)) {
        uint s = i / 32u, end = slice.at[s + 1u], from = row.at[min(i, n)], last = row.at[min(i + 1u, n)];
        last = last - from > LONG_ROW ? from : last;
        for (uint to = slice.at[s] + i % 32u; to < end; to += 32u, from++)
            val.at[to] = from < last ? from_val.at[from] : real(0);
    }
}
