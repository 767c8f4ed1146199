#version 460
#include "kernel.glsl"

/* q = p - M^-1 r: what of the direction p does not come from the residual r. M is the diagonal or the identity; or z
 * is given for r. Traffic: p, r and d read, q written: 4n (3n without a preconditioner). */
ARGS {
    reals p;
    reals r;
    reals d; /* 1 / diagonal, where jacobi is 1 */
    reals q;
    uint  n;
    uint  jacobi;
};

void main()
{
    FOR_EACH(i, n) {
        real z = jacobi != 0 ? d.at[i] * r.at[i] : r.at[i];
        q.at[i] = p.at[i] - z;
    }
}
