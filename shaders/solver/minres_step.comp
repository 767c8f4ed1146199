#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/minres.glsl"
#include "solver/course_state.glsl"

/* The rotation, the next direction p' = (z / gamma - alpha_3 p_old - alpha_2 p) / alpha_1, x = x + c' eta p', and the
 * stopping test. p' overwrites p_old. `pending`, not the state, decides, since this kernel sets the state. Traffic: z,
 * p, p_old and x read, p' and x written: 6n. */
ARGS {
    control        c;
    minres_numbers w;
    scalars        x;
    scalars        z;
    scalars        p;
    scalars        old;
    reals          history; /* r . r of each product, the first `kept` */
    sums           s;       /* in rows, `stride` apart */
    uint           n;
    uint           stride;
    uint           kept;
};
CONSTANT(1, turn);

#include "solver/minres_rotation.glsl"

/* Whether A r exceeds rounding. */
bool has_slope(rotation o)
{
    return o.slope > w.least * o.size;
}

void end(real vz, bool is_finite)
{
    c.state = !is_finite ? STATE_NOT_FINITE : vz < real(0) ? STATE_NOT_POSITIVE : STATE_NO_SOLUTION;
}

void go_on(minres_turn t, rotation o)
{
    real eta = -(o.s * t.eta), rr = (eta * eta) * w.share;
    course now = course_after(course(w.marked, w.since), rr);
    w.turn[1u - turn] = minres_turn(o.gamma, t.gamma, o.c, t.c, o.s, t.s, eta, o.size);
    w.marked = now.marked;
    w.since = now.since;
    count_iteration(c, history, kept, rr);
    c.rr = rr;
    c.state = course_state(c, c.iteration, rr, now, real(MINRES_GROWTH), MINRES_PATIENCE);
}

void main()
{
    uint pending = w.pending;
    real delta = w.delta;
    minres_turn t = w.turn[turn];
    real vz = real_part(rest_of_stripes(s, tiles_of(n), MINRES_VZ * stride, stride, 1)[0]);
    if (pending == 0)
        return;
    rotation o = rotate(t, delta, vz);
    bool is_finite = finite(vz) && finite(delta), sound = is_finite && vz >= real(0) && has_slope(o);
    if (gl_WorkGroupID.x == 0 && ME == 0) {
        w.square = vz;
        w.slope = o.slope;
        w.size = o.size;
        if (sound)
            go_on(t, o);
        else
            end(vz, is_finite);
    }
    if (!sound)
        return;
    real over = divide(real(1), t.gamma), share = divide(real(1), o.alpha_1), tau = o.c * t.eta;
    FOR_EACH(i, n) {
        scalar_t e = (over * z.at[i] - o.alpha_3 * old.at[i] - o.alpha_2 * p.at[i]) * share;
        old.at[i] = e;
        x.at[i] = x.at[i] + tau * e;
    }
}
