/* Common part of the forms of y = A x + b. A row of up to 256 columns is one strip, summed by `lanes` lanes; a longer
 * one has strips of 1,024 columns, summed by 32 lanes each, and the sums of the strips are summed like the elements of
 * a vector. Lane l takes the columns l, l + lanes ... of a strip, and a halving tree joins the lanes. */
#include "algebra.glsl"
#include "sum.glsl"
#include "dense/order.h"

ADDRESS(SCALAR_BYTES) readonly restrict buffer scalars_in { scalar_t at[]; };

uint strips_of(uint cols)
{
    return max(1u, groups_of(cols, GEMV_STRIP));
}

/* Columns of strip p. */
uint strip_length(uint p, uint cols)
{
    return p < strips_of(cols) ? min(GEMV_STRIP, cols - p * GEMV_STRIP) : 0;
}

/* Terms of one lane: `count` elements of a row starting at A[at], with x starting at x[from]. The loads of eight are
 * issued before the first is used. */
scalar_t strip_terms(scalars_in A, uint at, scalars_in x, uint from, uint count, uint lane, uint lanes)
{
    scalar_t sum = scalar_t(0);
    uint k = lane;
    for (; k + 7 * lanes < count; k += 8 * lanes) {
        scalar_t a[8], v[8];
        [[unroll]] for (uint u = 0; u < 8; u++) {
            a[u] = A.at[at + k + u * lanes];
            v[u] = x.at[from + k + u * lanes];
        }
        [[unroll]] for (uint u = 0; u < 8; u++)
            sum = sum + mul(a[u], v[u]);
    }
    for (; k < count; k += lanes)
        sum = sum + mul(A.at[at + k], x.at[from + k]);
    return sum;
}

/* y[i] = sum + b[i] */
void leave(scalars y, scalars b, uint i, scalar_t sum)
{
    if (is_there(uvec2(b)))
        sum = sum + b.at[i];
    y.at[i] = sum;
}
