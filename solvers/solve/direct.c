/* Methods that solve at once, without iterations. */
#include "report/clock.h"
#include "solvers/solve/report.h"
#include "solvers/solve/solve.h"

vks_status direct_set_up(struct solve *s)
{
    struct iteration *it = &s->it;
    TRY(residual_open(&it->residual));
    return backup_open(it);
}

/* Elimination overwrites x. */
static vks_status save_x(struct iteration *it)
{
    const vks_vector *x = it->equation.x;
    struct rec save;
    rec_create(&save, it->device, moving_precision(it->device, x->precision));
    copy_elements(&save, x, it->backup.x);
    vks_status status = rec_run(&save);
    rec_destroy(&save);
    return status;
}

vks_status solve_directly(struct solve *s, bool *solved)
{
    struct direct_solution w = {0};
    struct progress *p = &s->it.progress;
    vks_solve_report *r = s->it.report;
    double begun = clock_seconds();
    TRY(save_x(&s->it));
    TRY(s->it.method->solve_direct(&s->equation, &w, &s->diagnosis));
    report_diagnosis(r, &s->diagnosis);
    double setup = clock_seconds() - begun - w.seconds_solve;
    p->begun += setup;
    r->seconds_setup += setup;
    r->residual = w.residual;
    if (!s->strategies.chooses_method)
        r->iterations = w.iterations;
    *solved = w.solved;
    return VKS_OK;
}
