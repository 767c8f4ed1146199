#include "each.glsl"
#include "exact.glsl"

/* A step of Lanczos' recurrence for A M^-1, where z = M^-1 r and u = A z:
 *
 *   beta = sqrt(r.z)     q' = r / beta     alpha = z.u / r.z     r = u / beta - alpha q' - beta q
 *
 * and q becomes q'. Traffic: r, u and q read, r and q written: 5n, in the first step 4n. */
ARGS {
    reals found; /* r.z and z.u */
    reals r;
    reals u;
    reals q;
    uint  n;
};
CONSTANT(1, first); /* 1: there is no q yet */

void main()
{
    real rz = found.at[0], beta = square_root(rz), inverse = divide(real(1), beta);
    real alpha = divide(found.at[1], rz);
    FOR_EACH(i, n) {
        real next = inverse * r.at[i], e = inverse * u.at[i] - alpha * next;
        r.at[i] = first != 0 ? e : e - beta * q.at[i];
        q.at[i] = next;
    }
}
