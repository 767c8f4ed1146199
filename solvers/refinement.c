/* Iterations in f32 for an x in f64. They find what x lacks, over sigma, in an x of their own; at the end of
 * a cycle the x of the solve takes that, and the true residual takes the place of theirs, scaled anew. In
 * exact arithmetic it would be the same, and so the directions stay: see docs/solvers.md. */
#include "operator/operator.h"
#include "solvers/solver.h"

#include <string.h>

vks_status refinement_setup(struct solve *s)
{
    struct refinement *e = &s->refinement;
    struct device *d = s->device;
    bool is_operator = operator_of(s->A); /* which computes its product in f32 itself */
    vks_status status = s->A->narrow || is_operator ? VKS_OK : matrix_round(s->A, &e->rounded);
    s->report->rounded = is_operator || e->rounded;
    if (!status && e->rounded) {
        s->system.A = e->rounded;
        status = csr_hold(e->rounded);
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
    widen_add(&e->gather, (doubles)(uintptr_t)e->sigma.address, s->system.x, (doubles)s->residual.x, s->n);
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
    memcpy(e->box.mapped, &c->sigma, sizeof c->sigma);
    return rec_submit(&e->gather, &ticket); /* the true residual, which is waited for, queues up behind it */
}

void refinement_release(struct solve *s)
{
    struct refinement *e = &s->refinement;
    struct device *d = s->device;
    rec_destroy(&e->gather);
    rec_destroy(&e->resume);
    if (e->rounded)
        csr_let_go(e->rounded);
    vks_matrix_destroy(e->rounded);
    device_release(d, &e->x);
    device_release(d, &e->sigma);
    device_release(d, &e->box);
}
