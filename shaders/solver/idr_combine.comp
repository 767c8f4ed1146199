#include "kernel.glsl"
#include "solver/idr.glsl"

/* U_k = omega z + sum c_i U_i, i >= k, where z = M^-1 v.
 * Traffic: z and 4 - k columns of U read, one written: 6n for k = 0 to 3n for k = 3. */
ARGS {
    guard       stop;
    idr_numbers w;
    reals       z;
    reals       u; /* 4 columns of n */
    uint        n;
};
CONSTANT(1, k);

void main()
{
    if (stopped(stop))
        return;
    real omega = w.omega, y[IDR_S];
    for (uint i = 0; i < IDR_S; i++)
        y[i] = w.c[i];
    FOR_EACH(i, n) {
        real b = omega * z.at[i];
        for (uint j = k; j < IDR_S; j++)
            b += y[j] * u.at[j * n + i];
        u.at[k * n + i] = b;
    }
}
