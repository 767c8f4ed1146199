#version 460
#include "kernel.glsl"
#include "exact.glsl"
#include "sum.glsl"
#include "multigrid/rounding.glsl"

/* A step of inversion by sweeps (M. Goodnight, "A tutorial on the SWEEP operator", 1979): from the symmetric matrix
 * `from`, pivot k is swept into `to`. After all of them, what stands there is the inverse. The result is symmetric to
 * the last bit.
 *
 * The pivot is x' A x, where x is 1 in row k, zero in the rows after it, and solves those before it. If that is zero
 * but for rounding, it is dropped: its row and column become zero. So a singular matrix gets a generalised inverse.
 * Rounding is relative to the sum of x_i^2 reference[i] over the rows. Other pivots below zero are kept, and so an
 * indefinite matrix has an indefinite inverse, which a method notices. In that sum, lane l takes the rows l, l + 32 ...,
 * then comes a halving tree, and row k is added last.
 *
 * A product of two elements is divided by the pivot. Before that, each is divided by a power of two near the root of
 * the pivot, which changes no bit where nothing overflows. Traffic: 2 n^2, and four rows. */
ARGS {
    reals from;
    reals to;
    reals reference; /* x' D x for the unknown of each row */
    uint  n;
    uint  k;
};

/* The sum for pivot k. Called by the whole workgroup. */
real size_of_pivot()
{
    real sum = real(0);
    for (uint i = LANE; i < k; i += 32u) {
        real x = from.at[n * k + i];
        sum = sum + (x * x) * reference.at[i];
    }
    return squad_sum(sum) + reference.at[k];
}

void main()
{
    real pivot = from.at[k * n + k];
    bool dropped = is_rounding(pivot, size_of_pivot());
    real inverse = dropped ? real(0) : divide(real(1), pivot);
    int half_exponent = (int(exponent_of(pivot)) - int(BIAS)) / 2;
    real scale = power_of_two(-half_exponent), unit = power_of_two(half_exponent), rest = (inverse * unit) * unit;
    FOR_EACH(e, n * n) {
        uint i = e / n, j = e - n * i;
        real a = from.at[e], b = from.at[n * k + j], c = from.at[n * i + k];
        real v;
        if (dropped)
            v = i == k || j == k ? real(0) : a;
        else if (i == k)
            v = j == k ? inverse : b * inverse;
        else if (j == k)
            v = -(c * inverse);
        else
            v = a - ((c * scale) * (b * scale)) * rest;
        to.at[e] = v;
    }
}
