#version 460
#include "kernel.glsl"
#include "exact.glsl"

/* A step of inversion by sweeps (M. Goodnight, "A tutorial on the SWEEP operator", 1979): from the symmetric matrix
 * `from`, pivot k is swept into `to`. After all of them, what stands there is the inverse. A pivot whose magnitude has
 * fallen to 1e-10 (f32: 1e-3) of the diagonal entry that it was is dropped: its row and column become zero. So a
 * singular matrix gets a generalised inverse. A pivot below zero is kept, and so an indefinite matrix has an
 * indefinite inverse, which a method notices. The result is symmetric to the last bit.
 * Traffic: 2 n^2, and two rows. */
ARGS {
    reals from;
    reals to;
    reals inverse_diagonal; /* of the matrix at first */
    uint  n;
    uint  k;
};

#if REAL == 64
#define LEAST_PIVOT 1e-10lf
#else
#define LEAST_PIVOT 1e-3
#endif

void main()
{
    real pivot = from.at[k * n + k];
    bool dropped = !(abs(pivot) * inverse_diagonal.at[k] > LEAST_PIVOT);
    real inverse = dropped ? real(0) : divide(real(1), pivot);
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
            v = a - (c * b) * inverse;
        to.at[e] = v;
    }
}
