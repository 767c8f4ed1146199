#version 460
#include "kernel.glsl"
#include "exact.glsl"

/* norm[e] = the Frobenius norm of block e of a matrix of blocks of size x size, its squares added up in order; and
 * inverse[i] = 1 / the norm of the diagonal block of row i. Traffic: the matrix once, a real for each block, n. */
ARGS {
    u32s  col;
    reals val;
    u32s  rows; /* the row of each block */
    reals norm;
    reals inverse;
    uint  entries;
};
CONSTANT(1, size);

void main()
{
    FOR_EACH(e, entries) {
        real sum = real(0);
        for (uint k = 0u; k < size * size; k++) {
            real a = val.at[size * size * e + k];
            sum = sum + a * a;
        }
        real length = square_root(sum);
        uint i = rows.at[e];
        norm.at[e] = length;
        if (col.at[e] == i)
            inverse.at[i] = divide(real(1), length);
    }
}
