#include "kernel.glsl"
#include "lanes.glsl"
#include "multigrid/strength.glsl"

/* most[i] = the largest strength in row i, as bits; 0 if there is none. Traffic: the matrix once, the roots
 * gathered, 4n bytes. */
ARGS {
    u32s  row; /* n + 1 offsets into col and val */
    u32s  col;
    reals val;
    reals root;
    reals signs;
    u32s  most;
    zeros none;
    uint  n;
};
DEFINE_NO_ADDRESS
CONSTANT(1, lanes); /* per row: 1, 2 ... 32 */

void main()
{
    bool negative = only_negative(signs);
    FOR_ROWS(i, n, lanes) {
        uint end = i < n ? row.at[i + 1u] : 0u, largest = 0u;
        real root_i = i < n ? root.at[i] : real(0);
        for (uint k = i < n ? row.at[i] + ME % lanes : 0u; k < end; k += lanes) {
            uint j = col.at[k];
            if (j != i)
                largest = max(largest, strength_bits(val.at[k], root_i, root.at[j], negative));
        }
        largest = lanes_max(largest, lanes);
        if (i < n && ME % lanes == 0u)
            most.at[i] = largest;
    }
}
