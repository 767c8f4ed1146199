#include "solvers/dense/co_resident.h"
#include "primitive/verbs.h"

/* Fewer polls than in an elimination: a trial times out after a tenth of a second. */
enum { TRIAL_POLLS = 1 << 16 };

void pivots_clear_posted(struct rec *r, const struct pivots *p)
{
    fill_words(r, p->posted, 0, 0, (uint32_t)pivot_panel_words(r->precision, p), 1);
}

void pivots_timed_out(struct device *d, enum precision precision, struct pivots *p)
{
    co_residency_failed(&d->co_residency[pivot_panel_kernel(p)][precision], pivot_panel_groups(p));
    p->co_resident = false;
}

static vks_status try_panel(struct device *d, enum precision precision, struct pivots *p,
                            const struct memory *mailbox)
{
    struct rec r = rec_once(d, precision);
    fill_words(&r, p->state, 0, 0, PIVOT_STATE_WORDS, 1);
    pivots_clear_posted(&r, p);
    pivot_panel(&r, p, (struct block){0}, 0, TRIAL_POLLS);
    copy_words(&r, p->state, words_of(mailbox), PIVOT_STATE_WORDS);
    return rec_run_once(&r, VKS_OK);
}

vks_status probe_co_residency(struct device *d, enum precision precision, struct pivots *p,
                              const struct memory *mailbox)
{
    uint32_t groups = pivot_panel_groups(p), most = d->info.max_groups;
    struct co_residency *known = &d->co_residency[pivot_panel_kernel(p)][precision];
    p->co_resident = groups == 1 || d->info.kind == DEVICE_HOST || groups <= known->max_ok;
    if (p->co_resident || !d->info.polls || groups > PIVOT_GROUPS || groups > most ||
        (known->min_failed && groups >= known->min_failed))
        return VKS_OK;
    TRY(try_panel(d, precision, p, mailbox));
    p->co_resident = ((const uint32_t *)mailbox->mapped)[PIVOT_ENDING] == 0;
    if (p->co_resident)
        known->max_ok = groups;
    else
        pivots_timed_out(d, precision, p);
    return VKS_OK;
}
