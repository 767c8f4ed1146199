#include "host/solver/course_state.h"
#include "host/sum.h"
#include "shaders/solver/lsmr.h"

struct factors {
    real to_hbar, to_x, to_h;
};

static struct lsmr_scalars first_scalars(real alpha, real beta)
{
    return (struct lsmr_scalars){.alpha = alpha,
                                 .alphabar = alpha,
                                 .rho = 1,
                                 .rhobar = 1,
                                 .cbar = 1,
                                 .rhod = 1,
                                 .zetabar = alpha * beta,
                                 .betadd = beta,
                                 .rr = beta * beta};
}

static real length_of(real a, real b)
{
    return ROOT(a * a + b * b);
}

static void estimate_residual(const struct lsmr_scalars *now, struct lsmr_scalars *next, real cosine,
                              real sine, real thetabar)
{
    real rhotilde = length_of(now->rhod, thetabar);
    real ctilde = now->rhod / rhotilde, stilde = thetabar / rhotilde;
    next->betadd = -(sine * now->betadd);
    next->betad = ctilde * (cosine * now->betadd) - stilde * now->betad;
    next->rhod = ctilde * next->rhobar;
    next->thetatilde = stilde * next->rhobar;
    next->tautilde = (now->zeta - now->thetatilde * now->tautilde) / rhotilde;
    real tau = (next->zeta - next->thetatilde * next->tautilde) / next->rhod, e = next->betad - tau;
    next->rr = e * e + next->betadd * next->betadd;
}

static struct lsmr_scalars rotated(const struct lsmr_scalars *now, real alpha, real beta, struct factors *f)
{
    struct lsmr_scalars next;
    real rho = length_of(now->alphabar, beta);
    real cosine = now->alphabar / rho, sine = beta / rho;
    real theta = sine * alpha, thetabar = now->sbar * rho, shorter = now->cbar * rho;
    next.alpha = alpha;
    next.alphabar = cosine * alpha;
    next.rho = rho;
    next.rhobar = length_of(shorter, theta);
    next.cbar = shorter / next.rhobar;
    next.sbar = theta / next.rhobar;
    next.zeta = next.cbar * now->zetabar;
    next.zetabar = -(next.sbar * now->zetabar);
    f->to_hbar = thetabar * rho / (now->rho * now->rhobar);
    f->to_x = next.zeta / (rho * next.rhobar);
    f->to_h = theta / rho;
    estimate_residual(now, &next, cosine, sine, thetabar);
    return next;
}

static real normal_of(const struct lsmr_scalars *next, real size)
{
    real a = next->zetabar < 0 ? -next->zetabar : next->zetabar;
    return a > 0 ? a / (size * ROOT(next->rr)) : 0;
}

static uint32_t fault_of(bool first, real alpha, real beta, const struct lsmr_scalars *next,
                         const struct factors *f)
{
    bool is_finite = isfinite(alpha) && isfinite(beta);
    bool has_pivots = first ? alpha > 0 : next->rho * next->rhobar > 0;
    if (is_finite && !has_pivots)
        return LSMR_NO_PIVOT;
    is_finite =
        is_finite && isfinite(f->to_hbar) && isfinite(f->to_x) && isfinite(f->to_h) && isfinite(next->rr);
    return is_finite ? LSMR_SOUND : LSMR_NOT_FINITE;
}

static void leave(const struct lsmr_step_args *a, const struct lsmr_scalars *next, uint32_t fault)
{
    a->w->fault = (real)fault;
    a->w->next = *next;
    if (fault != LSMR_SOUND)
        return;
    a->w->normal = next->normal;
    a->c->rr = next->rr;
    if (!a->first)
        count_iteration(a->c, a->history, a->kept, next->rr);
}

static void step_tile(const struct lsmr_step_args *a, const struct factors *f, real to_v, real to_x,
                      uint32_t first, uint32_t length)
{
    const scalar_t *restrict v = a->v + first;
    const real *restrict scale = a->scale + first;
    scalar_t *restrict h = a->h + first, *restrict hbar = a->hbar + first;
    scalar_t *restrict p = a->p + first, *restrict x = a->x + first;
    for (uint32_t j = 0; j < length; j++) {
        scalar_t e = to_v * v[j], b = 0, d = e;
        if (!a->first) {
            b = h[j] - f->to_hbar * hbar[j];
            d = e - f->to_h * h[j];
            x[j] += to_x * (scale[j] * b);
        }
        hbar[j] = b;
        h[j] = d;
        p[j] = scale[j] * e;
    }
}

KERNEL(lsmr_step)
{
    struct lsmr_numbers *w = a->w;
    if (!alive(a->c))
        return;
    uint32_t tiles = tiles_of(a->n);
    real alpha = ROOT(real_part(rest_of_stripes(a->s + LSMR_V * a->stride, tiles))), beta = w->beta;
    struct factors f = {0};
    struct lsmr_scalars next = a->first ? first_scalars(alpha, beta) : rotated(&w->now, alpha, beta, &f);
    next.normal = normal_of(&next, *a->size);
    uint32_t fault = fault_of(a->first, alpha, beta, &next, &f);
    real to_v = alpha > 0 ? 1 / alpha : 0, to_x = f.to_x * a->c->scale;
    if (fault == LSMR_SOUND)
        FOR_TILES (t, tiles) {
            step_tile(a, &f, to_v, to_x, t * TILE, tile_length(t, a->n));
        }
    if (LEADS)
        leave(a, &next, fault);
}
