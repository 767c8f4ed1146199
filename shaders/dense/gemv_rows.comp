#include "kernel.glsl"
#include "dense/gemv.glsl"

/* y = A x + b, one invocation per row: its registers are the lanes. With several strips, s[i strips + p] becomes the
 * sum of strip p of row i, for gemv_join. Neighbouring invocations read addresses `ld` apart: suited to few columns,
 * where one cache line serves several rows. Traffic: A; x, b and y once; with several strips, their sums. */
ARGS {
    guard   g;
    scalars A;
    scalars x;
    scalars b; /* null: none */
    scalars y;
    scalars s;
    zeros   none;
    uint    rows;
    uint    cols;
    uint    ld;
    uint    lanes;
};
DEFINE_NO_ADDRESS

/* The sum of `count` terms by up to 8 lanes, or by 16 or 32. */
scalar_t by_few(uint at, uint from, uint count)
{
    scalar_t v[8];
    [[unroll]] for (uint l = 0; l < 8; l++)
        v[l] = scalar_t(0);
    for (uint k = 0; k < count; k += lanes)
        [[unroll]] for (uint l = 0; l < 8; l++)
            if (l < lanes && k + l < count)
                v[l] = v[l] + mul(A.at[at + k + l], x.at[from + k + l]);
    [[unroll]] for (uint stride = 4; stride > 0; stride /= 2)
        if (stride < lanes)
            [[unroll]] for (uint l = 0; l < stride; l++)
                v[l] = v[l] + v[l + stride];
    return v[0];
}

scalar_t by_many(uint at, uint from, uint count)
{
    scalar_t v[32];
    [[unroll]] for (uint l = 0; l < 32; l++)
        v[l] = scalar_t(0);
    for (uint k = 0; k < count; k += lanes)
        [[unroll]] for (uint l = 0; l < 32; l++)
            if (l < lanes && k + l < count)
                v[l] = v[l] + mul(A.at[at + k + l], x.at[from + k + l]);
    [[unroll]] for (uint stride = 16; stride > 0; stride /= 2)
        if (stride < lanes)
            [[unroll]] for (uint l = 0; l < stride; l++)
                v[l] = v[l] + v[l + stride];
    return v[0];
}

void main()
{
    if (stopped(g))
        return;
    uint strips = strips_of(cols);
    FOR_EACH(i, rows)
        for (uint p = 0; p < strips; p++) {
            uint from = p * GEMV_STRIP, at = i * ld + from, count = strip_length(p, cols);
            scalar_t sum = lanes <= 8 ? by_few(at, from, count) : by_many(at, from, count);
            if (strips == 1)
                leave(y, b, i, sum);
            else
                s.at[i * strips + p] = sum;
        }
}
