#include "kernel.glsl"
#include "solver/gmres.glsl"
#include "solver/cg.h"

/* The next column of the basis, v = t / its norm, and z = M^-1 v if M is a diagonal, else v itself. After m columns: y
 * = y + V times the coefficients of the correction, and v, the first column of a new basis, is the residual, which is
 * a combination of the old basis. Traffic: t read, a column and z written, and the diagonal: 3n to 4n; after m columns
 * those and y: (m + 4) n more. */
ARGS {
    guard         stop;
    gmres_numbers w;
    reals         e; /* GMRES_...: columns of m + 1 */
    reals         basis;
    reals         t;
    reals         d; /* 1 / diagonal */
    reals         y;
    reals         z;
    uint          n;
    uint          m;
};
CONSTANT(1, form); /* FORM_... */

shared real coefficients[2][GMRES_MOST + 1];

void main()
{
    if (stopped(stop))
        return;
    uint column = w.column, combined = w.combined;
    real inverse = w.inverse, same = form == FORM_ONE ? d.at[0] : real(1);
    if (ME <= combined) {
        coefficients[0][ME] = e.at[GMRES_Y * (m + 1u) + ME];
        coefficients[1][ME] = e.at[GMRES_RESIDUAL * (m + 1u) + ME];
    }
    barrier();
    FOR_EACH(i, n) {
        real v = inverse * t.at[i];
        if (combined != 0) {
            real a = y.at[i], b = coefficients[1][combined] * v;
            for (uint k = 0; k < combined; k++) {
                real q = basis.at[k * n + i];
                a += coefficients[0][k] * q;
                b += coefficients[1][k] * q;
            }
            y.at[i] = a;
            v = b;
        }
        basis.at[column * n + i] = v;
        z.at[i] = form == FORM_EACH ? d.at[i] * v : form == FORM_ONE ? same * v : v;
    }
}
