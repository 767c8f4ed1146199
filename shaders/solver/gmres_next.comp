#include "kernel.glsl"
#include "algebra.glsl"
#include "solver/gmres.glsl"
#include "solver/cg.h"

/* The next column of the basis, v = t / its norm, and z = M^-1 v if M is a diagonal, else v itself. After m columns: y
 * = y + V times the coefficients of the correction, and v, the first column of a new basis, is the residual, which is
 * a combination of the old basis. Traffic: t read, a column and z written, and the diagonal: 3n to 4n; after m columns
 * those and y: (m + 4) n more. */
ARGS {
    guard         stop;
    gmres_numbers w;
    scalars       e; /* GMRES_...: columns of m + 1 */
    scalars       basis;
    scalars       t;
    scalars       d; /* 1 / diagonal */
    scalars       y;
    scalars       z;
    uint          n;
    uint          m;
};
CONSTANT(1, form); /* FORM_... */

shared scalar_t coefficients[2][GMRES_MOST + 1];

void main()
{
    if (stopped(stop))
        return;
    uint column = w.column, combined = w.combined;
    real inverse = w.inverse;
    scalar_t same = form == FORM_ONE ? d.at[0] : scalar_of(real(1));
    if (ME <= combined) {
        coefficients[0][ME] = e.at[GMRES_Y * (m + 1u) + ME];
        coefficients[1][ME] = e.at[GMRES_RESIDUAL * (m + 1u) + ME];
    }
    barrier();
    FOR_EACH(i, n) {
        scalar_t v = inverse * t.at[i];
        if (combined != 0) {
            scalar_t a = y.at[i], b = mul(coefficients[1][combined], v);
            for (uint k = 0; k < combined; k++) {
                scalar_t q = basis.at[k * n + i];
                a += mul(coefficients[0][k], q);
                b += mul(coefficients[1][k], q);
            }
            y.at[i] = a;
            v = b;
        }
        basis.at[column * n + i] = v;
        z.at[i] = form == FORM_EACH ? mul(d.at[i], v) : form == FORM_ONE ? mul(same, v) : v;
    }
}
