#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* Gives an unknown that represents nothing (see `empty`) a row and a column of zeros. Its diagonal element becomes its
 * reference, or one if that is zero. The matrix has blocks of size x size; an entry in its column without one in its
 * row is kept. Traffic: 4n bytes; the rows and columns of such unknowns. */
ARGS {
    u32s  row; /* n / size + 1 offsets into col and val */
    u32s  col;
    reals val;
    reals reference;
    u32s  empty;
    uint  n;
};
CONSTANT(1, size);

/* Clears the elements of column c in the rows of block row j. Empty rows clear themselves. */
void clear_column(uint c, uint j)
{
    uint i = c / size, end = row.at[j + 1u], at = lower_bound(col, row.at[j], end, i);
    if (at == end || col.at[at] != i)
        return;
    for (uint q = 0u; q < size; q++)
        if (empty.at[size * j + q] == 0u)
            val.at[size * (size * at + q) + c % size] = real(0);
}

void main()
{
    FOR_EACH(c, n) {
        if (empty.at[c] == 0u)
            continue;
        uint i = c / size, q = c % size;
        for (uint k = row.at[i]; k < row.at[i + 1u]; k++) {
            uint j = col.at[k];
            for (uint p = 0u; p < size; p++)
                val.at[size * (size * k + q) + p] =
                    size * j + p != c ? real(0) : reference.at[c] > real(0) ? reference.at[c] : real(1);
            clear_column(c, j);
        }
    }
}
