#include "kernel.glsl"

/* Second step: adds up the pieces of each bin, in order. */
ARGS {
    reals  sums;
    reals  bins;
    number outside;
    uint   count;
    uint   pieces;
};

void main()
{
    FOR_EACH(bin, count + 1u) {
        real sum = real(0);
        for (uint piece = 0; piece < pieces; piece++)
            sum = sum + sums.at[piece * (count + 1u) + bin];
        if (bin < count)
            bins.at[bin] = sum;
        else
            outside.value = sum;
    }
}
