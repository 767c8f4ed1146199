#include "solvers/dense/together.h"
#include "primitive/verbs.h"

/* Less patience than with the real thing: a device that cannot is left after a tenth of a second. */
enum { TRIAL_POLLS = 1 << 16 };

void pivots_forget_told(struct rec *r, const struct pivots *p)
{
    fill_words(r, p->tell, 0, 0, (uint32_t)pivot_panel_words(r->precision, p->n), 1);
}

void missed(struct device *d, enum precision precision, struct pivots *p)
{
    meetings_missed(&d->meetings[KERNEL_pivot_panel][precision], pivot_panel_groups(p->n));
    p->together = false;
}

static vks_status meet(struct device *d, enum precision precision, struct pivots *p,
                       const struct memory *mailbox)
{
    struct rec r;
    rec_create(&r, d, precision);
    fill_words(&r, p->state, 0, 0, PIVOT_STATE_WORDS, 1);
    pivots_forget_told(&r, p);
    pivot_panel(&r, p, (struct block){0}, 0, TRIAL_POLLS);
    copy_words(&r, p->state, words_of(mailbox), PIVOT_STATE_WORDS);
    vks_status s = rec_run(&r);
    rec_destroy(&r);
    return s;
}

vks_status see_whether_together(struct device *d, enum precision precision, struct pivots *p,
                                const struct memory *mailbox)
{
    uint32_t groups = pivot_panel_groups(p->n), most = d->info.max_groups;
    struct meetings *m = &d->meetings[KERNEL_pivot_panel][precision];
    p->together = groups == 1 || d->info.kind == DEVICE_HOST || groups <= m->met;
    if (p->together || !d->info.polls || groups > PIVOT_GROUPS || groups > most ||
        (m->missed && groups >= m->missed))
        return VKS_OK;
    vks_status s = meet(d, precision, p, mailbox);
    if (s)
        return s;
    p->together = ((const uint32_t *)mailbox->mapped)[PIVOT_ENDING] == 0;
    if (p->together)
        m->met = groups;
    else
        missed(d, precision, p);
    return VKS_OK;
}
