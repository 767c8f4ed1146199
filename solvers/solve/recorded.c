/* Tracks which arrays the recordings refer to. */
#include "solvers/solve/shared.h"
#include "solvers/solve/solve.h"

/* Counts the moves so far of recorded arrays. Each count only grows while its M exists. */
static struct layouts layouts_of(const struct solve *s)
{
    const vks_precond *shared = s->options.shared_precond;
    const struct krylov *k = &s->it.krylov;
    return (struct layouts){
        .M = k->M, .arrays = k->A->layout + precond_layout(k->M), .remade = shared ? shared->remade : 0};
}

bool recordings_hold(const struct solve *s)
{
    struct layouts now = layouts_of(s);
    return s->recorded.M == now.M && s->recorded.arrays == now.arrays && s->recorded.remade == now.remade;
}

void note_recordings(struct solve *s)
{
    s->recorded = layouts_of(s);
}

vks_status setup_record_again(struct solve *s)
{
    s->recorded.M = NULL;
    TRY(iteration_record_again(&s->it));
    note_recordings(s);
    return VKS_OK;
}
