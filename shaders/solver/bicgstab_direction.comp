#define SUMS 2
#include "kernel.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/bicgstab.glsl"
#include "solver/course_state.glsl"
#include "solver/cg.h"

/* Direction j of a cycle: beta = alpha rho_j / rho_j-1 and u_i = r_i - beta u_i for i <= j, where before the first rho
 * is multiplied by -omega. Also z = M^-1 u_j if M is a diagonal. Updates the state by the residual of the previous
 * kernel; the first direction saves the y of the best cycle end. Traffic: j + 1 columns each of r and u read, those of
 * u written, and z: 4n for j = 0 to 13n for j = 3, n for the diagonal, and 2n if y is the best. */
ARGS {
    control          c;
    bicgstab_numbers w;
    reals            r;
    reals            rest; /* r_1 to r_4: columns of n */
    reals            u;    /* u_0 to u_4 */
    reals            d;    /* 1 / diagonal */
    reals            z;
    reals            y;
    reals            best;
    reals            history; /* r . r of each iteration, the first `kept` */
    sums             s;       /* in rows, `stride` apart */
    uint             n;
    uint             stride;
    uint             kept;
};
CONSTANT(1, j);
CONSTANT(2, form); /* FORM_... */

#include "solver/bicgstab_decide.glsl"

void leave(real total[SUMS], real before, bool sound)
{
    real rr = total[BICGSTAB_RR];
    if (j == 0)
        w.ended = rr;
    w.rho[j] = total[BICGSTAB_RHO];
    decide(rr, false);
    if (c.state != STATE_RUNNING || sound)
        return;
    bool is_finite = finite(total[BICGSTAB_RHO]) && finite(before);
    w.pivot = total[BICGSTAB_RHO];
    w.fault = real(!is_finite ? BICGSTAB_SOUND : before == real(0) ? BICGSTAB_NO_OMEGA : BICGSTAB_NO_RHO);
    c.state = is_finite ? STATE_BREAKDOWN : STATE_NOT_FINITE;
}

void main()
{
    bool is_first = gl_WorkGroupID.x == 0, is_alive = alive(c);
    real alpha = w.alpha, least = w.least, before = j == 0 ? -(w.omega * w.rho[3]) : w.rho[(j + 3u) % 4u];
    real total[SUMS] = rest_of_stripes(s, tiles_of(n), 0, stride, j == 0 || is_first ? 2 : 1);
    if (!is_alive)
        return;
    real rho = total[BICGSTAB_RHO], beta = divide(alpha * rho, before);
    bool sound = finite(beta) && rho != real(0) && before != real(0);
    bool is_best = j == 0 && least != real(0) && total[BICGSTAB_RR] < least;
    real same = form == FORM_ONE ? d.at[0] : real(1);
    FOR_EACH(i, n) {
        real e = real(0);
        for (uint k = 0; k <= j; k++) {
            e = (k == 0 ? r.at[i] : rest.at[(k - 1u) * n + i]) - beta * u.at[k * n + i];
            u.at[k * n + i] = e;
        }
        if (form != FORM_GIVEN)
            z.at[i] = form == FORM_EACH ? d.at[i] * e : form == FORM_ONE ? same * e : e;
        if (is_best)
            best.at[i] = y.at[i];
    }
    if (is_first && ME == 0)
        leave(total, before, sound);
}
