#define SUMS 2
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/bicgstab.glsl"
#include "solver/course_state.glsl"
#include "solver/cg.h"

/* Direction j of a cycle: beta = alpha rho_j / rho_j-1 and u_i = r_i - beta u_i for i <= j. For j = 0, rho_j-1 is the
 * last rho times -omega. Also z = M^-1 u_j if M is a diagonal. Updates the state by the residual of the previous
 * kernel; the first direction saves the y of the best cycle end. Traffic: j + 1 columns each of r and u read, those of
 * u written, and z: 4n for j = 0 to 13n for j = 3, n for the diagonal, and 2n if y is the best. */
ARGS {
    control          c;
    bicgstab_numbers w;
    scalars          r;
    scalars          rest; /* r_1 to r_4: columns of n */
    scalars          u;    /* u_0 to u_4 */
    scalars          d;    /* 1 / diagonal */
    scalars          z;
    scalars          y;
    scalars          best;
    reals            history; /* r . r of each iteration, the first `kept` */
    sums             s;       /* in rows, `stride` apart */
    uint             n;
    uint             stride;
    uint             kept;
};
CONSTANT(1, j);
CONSTANT(2, form); /* FORM_... */

#include "solver/bicgstab_decide.glsl"

void leave(scalar_t total[SUMS], scalar_t before, bool sound)
{
    real rr = real_part(total[BICGSTAB_RR]);
    if (j == 0)
        w.ended = rr;
    w.rho[j] = total[BICGSTAB_RHO];
    decide(rr, false);
    if (c.state != STATE_RUNNING || sound)
        return;
    bool is_finite = finite(total[BICGSTAB_RHO]) && finite(before);
    w.pivot = total[BICGSTAB_RHO];
    w.fault = real(!is_finite ? BICGSTAB_SOUND : before == scalar_t(0) ? BICGSTAB_NO_OMEGA : BICGSTAB_NO_RHO);
    c.state = is_finite ? STATE_BREAKDOWN : STATE_NOT_FINITE;
}

void main()
{
    bool is_first = gl_WorkGroupID.x == 0, is_alive = alive(c);
    scalar_t alpha = w.alpha;
    real least = w.least;
    scalar_t before = j == 0 ? -mul(w.omega, w.rho[3]) : w.rho[(j + 3u) % 4u];
    scalar_t total[SUMS] = rest_of_stripes(s, tiles_of(n), 0, stride, j == 0 || is_first ? 2 : 1);
    if (!is_alive)
        return;
    scalar_t rho = total[BICGSTAB_RHO], beta = divide(mul(alpha, rho), before);
    bool sound = finite(beta) && rho != scalar_t(0) && before != scalar_t(0);
    bool is_best = j == 0 && least != real(0) && real_part(total[BICGSTAB_RR]) < least;
    scalar_t same = form == FORM_ONE ? d.at[0] : scalar_of(real(1));
    FOR_EACH(i, n) {
        scalar_t e = scalar_t(0);
        for (uint k = 0; k <= j; k++) {
            e = (k == 0 ? r.at[i] : rest.at[(k - 1u) * n + i]) - mul(beta, u.at[k * n + i]);
            u.at[k * n + i] = e;
        }
        if (form != FORM_GIVEN)
            z.at[i] = form == FORM_EACH ? mul(d.at[i], e) : form == FORM_ONE ? mul(same, e) : e;
        if (is_best)
            best.at[i] = y.at[i];
    }
    if (is_first && ME == 0)
        leave(total, before, sound);
}
