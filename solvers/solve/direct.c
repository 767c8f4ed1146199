/* Direct methods, which have no iterations. */
#include "report/clock.h"
#include "solvers/solve/report.h"
#include "solvers/solve/solve.h"

vks_status direct_set_up(struct solve *s)
{
    TRY(residual_open(&s->it.residual));
    return backup_open(&s->it);
}

void **kept_of(struct solve *s, const struct method *method)
{
    if (!method->forget)
        return NULL;
    if (s->kept.method != method)
        kept_forget(s);
    s->kept.method = method;
    return &s->kept.of_A;
}

void kept_forget(struct solve *s)
{
    if (s->kept.method)
        s->kept.method->forget(s->kept.of_A);
    s->kept = (struct kept){0};
}

/* Saves x, since elimination overwrites it. */
static vks_status save_x(struct iteration *it)
{
    const vks_vector *x = it->equation.x;
    struct rec save = rec_once(it->device, moving_precision(it->device, x->precision));
    copy_elements(&save, x, it->backup.x);
    return rec_run_once(&save, VKS_OK);
}

vks_status solve_directly(struct solve *s, bool *solved)
{
    const struct method *method = s->it.method;
    struct direct_solution w = {0};
    struct column *c = &s->it.column;
    vks_solve_report *r = c->report;
    double begun = clock_seconds();
    diagnosis_clear(&s->diagnosis);
    TRY(save_x(&s->it));
    TRY(method->solve_direct(&s->equation, kept_of(s, method), &w, &s->diagnosis));
    report_diagnosis(r, &s->diagnosis);
    double setup = clock_seconds() - begun - w.seconds_solve;
    s->it.progress.begun += setup;
    r->seconds_setup += setup;
    r->residual = w.residual;
    if (!s->strategies.chooses_method)
        r->iterations = w.iterations;
    c->is_sure = w.is_sure;
    *solved = w.solved;
    return VKS_OK;
}
