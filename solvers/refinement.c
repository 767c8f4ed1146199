/* Iterations in f32 for an x in f64. They find what x lacks, over sigma, in an x of their own; at the end of
 * a cycle the x of the solve takes that, and the true residual takes the place of theirs, scaled anew. In
 * exact arithmetic it would be the same, and so the directions stay: see docs/solvers.md. */
#include "operator/operator.h"
#include "solvers/solver.h"

#include <string.h>

/* The copy of A in f32 that it has, or that is made now; NULL where its values are stored so. */
static vks_status find_rounded(struct solve *s, const vks_matrix **rounded)
{
    struct refinement *e = &s->refinement;
    *rounded = s->A->rounded;
    bool has_none = operator_of(s->A); /* it computes its product in f32 itself */
    vks_status status =
        *rounded || s->A->narrow || has_none ? VKS_OK : matrix_round(s->A, &s->A->storage, &e->rounded);
    if (e->rounded)
        *rounded = e->rounded;
    return status;
}

vks_status refinement_setup(struct solve *s)
{
    struct refinement *e = &s->refinement;
    struct device *d = s->device;
    const vks_matrix *rounded;
    vks_status status = find_rounded(s, &rounded);
    s->report->rounded = operator_of(s->A) || rounded;
    if (!status && rounded) {
        s->system.A = rounded;
        status = csr_hold(rounded);
    }
    if (!status)
        status = device_allocate(d, MEMORY_DEVICE, s->n * (uint64_t)real_bytes(s->precision), "a work vector",
                                 &e->x);
    if (!status)
        status = device_allocate(d, MEMORY_DEVICE, sizeof(double), "the solver's numbers", &e->sigma);
    if (!status)
        status = device_allocate(d, MEMORY_SHARED, sizeof(double), "an inbox", &e->box);
    s->system.x = (reals)(uintptr_t)e->x.address;
    return status;
}

vks_status refinement_take_values(struct solve *s)
{
    struct refinement *e = &s->refinement;
    return e->rounded ? matrix_round_again(s->A, e->rounded) : VKS_OK;
}

vks_status refinement_record(struct solve *s)
{
    struct refinement *e = &s->refinement;
    rec_create(&e->gather, s->device, s->precision);
    rec_create(&e->resume, s->device, s->precision);
    copy_words(&e->gather, words_of(&e->box), words_of(&e->sigma), 2);
    if (s->pairs.is)
        pairs_add(&e->gather, pairs_of(&e->sigma), s->system.x, pairs_of(s->residual.x_memory), s->n);
    else
        widen_add(&e->gather, (doubles)(uintptr_t)e->sigma.address, s->system.x, (doubles)s->residual.x,
                  s->n);
    solve_record_put(&e->resume, s);
    s->method->set_aside(&e->resume, &s->system, &s->workspace);
    residual_record(&e->resume, s);
    s->method->start(&e->resume, &s->system, &s->workspace);
    uint64_t kept = s->workspace.numbers + NUMBER_KEPT * (uint64_t)real_bytes(s->precision);
    s->method->take_up(&e->resume, &s->system, &s->workspace, (number)(uintptr_t)kept);
    vks_status status = rec_prepare(&e->gather);
    return status ? status : rec_prepare(&e->resume);
}

vks_status refinement_gather(struct solve *s)
{
    struct refinement *e = &s->refinement;
    const struct course *c = &s->course;
    uint64_t ticket;
    if (c->end.control.state == STATE_NOT_FINITE || c->end.control.state == STATE_DIVERGED)
        return VKS_OK;
    s->report->refinements++;
    if (s->pairs.is)
        pairs_put(&e->box, 0, c->sigma);
    else
        memcpy(e->box.mapped, &c->sigma, sizeof c->sigma);
    return rec_submit(&e->gather, &ticket); /* the true residual, which is waited for, queues up behind it */
}

void refinement_release(struct solve *s)
{
    struct refinement *e = &s->refinement;
    struct device *d = s->device;
    rec_destroy(&e->gather);
    rec_destroy(&e->resume);
    if (s->system.A != s->A)
        csr_let_go(s->system.A);
    vks_matrix_destroy(e->rounded);
    device_release(d, &e->x);
    device_release(d, &e->sigma);
    device_release(d, &e->box);
}
