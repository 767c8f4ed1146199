#include "kernel.glsl"
#include "solver/gmres.glsl"

/* y = y + V times the coefficients of the correction, after the iterations have ended. Traffic: the existing columns,
 * and y read and written. */
ARGS {
    gmres_numbers w;
    reals         coefficients;
    reals         basis;
    reals         y;
    uint          n;
};

void main()
{
    uint combined = w.combined;
    if (combined == 0)
        return;
    FOR_EACH(i, n) {
        real a = y.at[i];
        for (uint k = 0; k < combined; k++)
            a += coefficients.at[k] * basis.at[k * n + i];
        y.at[i] = a;
    }
}
