#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/minres.glsl"

/* The scalars of the first step, from the stripe sums of v . z, where v = r and z = M^-1 r. c.rr is the square of the
 * true norm. One workgroup. */
ARGS {
    control        c;
    minres_numbers w;
    sums           s; /* in rows, `stride` apart */
    uint           n;
    uint           stride;
};

void main()
{
    real vz = real_part(rest_of_stripes(s, tiles_of(n), MINRES_VZ * stride, stride, 1)[0]);
    if (ME != 0)
        return;
    real gamma = square_root(vz);
    w.square = vz;
    w.share = divide(c.rr, vz);
    w.turn[0] = minres_turn(gamma, real(1), real(1), real(1), real(0), real(0), gamma, real(0));
    if (!finite(vz) || (vz > real(0) && !finite(w.share)))
        c.state = STATE_NOT_FINITE;
    else if (vz <= real(0))
        c.state = STATE_NOT_POSITIVE;
}
