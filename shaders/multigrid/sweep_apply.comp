#include "kernel.glsl"
#include "exact.glsl"
#include "multigrid/sweep.glsl"

/* Sweeps the pivots k, k + 1 ... with the columns and factors from sweep_panel, in place: element by element, one
 * pivot after another. The row of a pivot is its column, with the opposite sign for pivots that are already swept. So
 * the resulting inverse is symmetric. Traffic: 2 n^2. */
ARGS {
    reals matrix;
    reals panel;
    reals factors;
    uint  n;
    uint  k;
};

void main()
{
    FOR_EACH(e, n * n) {
        uint i = e / n, j = e - n * i;
        real v = matrix.at[e];
        for (uint q = 0; q < SWEEP_PIVOTS && k + q < n; q++) {
            sweep w = sweep_of(factors.at[SWEEP_FACTORS * q], factors.at[SWEEP_FACTORS * q + 1u]);
            real c = panel.at[n * q + i], b = panel.at[n * q + j];
            b = j < k + q ? -b : b;
            if (i == k + q)
                v = j == i ? w.inverse : swept_row(w, b);
            else
                v = j == k + q ? swept_column(w, c) : swept(w, v, c, b);
        }
        matrix.at[e] = v;
    }
}
