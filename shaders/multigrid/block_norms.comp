#include "kernel.glsl"
#include "exact.glsl"

/* norm[e] = the Frobenius norm of block e of a matrix of blocks of size x size, with squares summed in order;
 * inverse[i] = 1 / the norm of the diagonal block of row i. Elements whose squares would overflow or vanish are first
 * multiplied by a power of two. Traffic: the matrix once, a real for each block, n. */
ARGS {
    u32s  col;
    reals val;
    u32s  rows; /* the row of each block */
    reals norm;
    reals inverse;
    uint  entries;
};
CONSTANT(1, size);

/* Scales above 2^(BIAS / 2 - 4) and below 2^-(BIAS / 2 - 16). */
int exponent_of_scale(real largest)
{
    int half_range = int(BIAS) / 2, e = int(exponent_of(largest)) - int(BIAS);
    return e > half_range - 4 ? -half_range : e < 16 - half_range ? half_range : 0;
}

void main()
{
    FOR_EACH(e, entries) {
        uint first = size * size * e;
        real sum = real(0), largest = real(0);
        for (uint k = 0u; k < size * size; k++)
            largest = max(largest, abs(val.at[first + k]));
        int power = exponent_of_scale(largest);
        real scale = power_of_two(power);
        for (uint k = 0u; k < size * size; k++) {
            real a = val.at[first + k] * scale;
            sum = sum + a * a;
        }
        real length = square_root(sum) * power_of_two(-power);
        uint i = rows.at[e];
        norm.at[e] = length;
        if (col.at[e] == i)
            inverse.at[i] = divide(real(1), length);
    }
}
