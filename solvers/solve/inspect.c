/* The inspection of A, from which VKS_PRECOND_AUTO chooses a preconditioner. */
#include "solvers/precond/block_jacobi.h"
#include "solvers/solve/solve.h"

#include <math.h>

/* Makes natural blocks, and measures their share unless nearly every row is a block. Keeps suitable ones. */
static vks_status measure_share(struct solve *s)
{
    struct facts *f = &s->strategies.facts;
    const vks_precond_options asked = method_precond(s->it.method, &s->options),
                              blocks = {.kind = VKS_PRECOND_BLOCK_JACOBI, .in_f32 = asked.in_f32};
    struct prepared *t = prepared_of(s, &blocks);
    double share = 0;
    vks_status status = prepare(s, t);
    bool are_some = t->M && t->M->blocks <= f->rows / 5 * 4;
    if (!status && !diagnosis_refuses(&t->diagnosis) && are_some)
        status = block_jacobi_share(t->M->narrow ? t->M->narrow : t->M, &share);
    f->share = status || !isfinite(share) ? 0 : share;
    f->experience.is_blind |= lacks_memory(status);
    if (t->M && !chooses_blocks(f)) {
        precond_destroy(t->M);
        t->M = NULL;
        s->recorded.M = NULL; /* it may have been recorded */
    }
    return forgive_lack_of_memory(s->it.message, status) ? VKS_OK : status;
}

static vks_status measure(struct solve *s)
{
    struct facts *f = &s->strategies.facts;
    const struct krylov *k = &s->it.krylov;
    if (f->has_signs)
        return VKS_OK;
    TRY(facts_measure_signs(k->A, k->r.precision, f));
    f->share = 0;
    f->experience.is_blind = isnan(f->signs.positive);
    vks_status status = share_matters(f) ? measure_share(s) : VKS_OK;
    f->has_signs = !status;
    return status;
}

vks_status solve_inspect(struct solve *s)
{
    vks_solve_report *r = s->it.column.report;
    TRY(measure(s));
    s->strategies.has_inspected = true;
    struct facts *f = &s->strategies.facts;
    f->experience.kind = precond_choose(f, r->choice, sizeof r->choice).precond;
    return VKS_OK;
}
