/* Deferred steps y = y + alpha x, so that the following operation runs in the same pass. PETSc's CG is
 *
 *     x = x + a p,  r = r - a q,  z = d r,  ||z||,  z . r,  p = z + b p
 *
 * with one call for each: 120 bytes a row, and two waits. Two passes move 80 bytes and wait once: r, z and
 * both sums are one, x and p the other. The bits are those of the single calls.
 *
 * A Vec defers one step at a time, and at most one depends on the values of a Vec. Code that reads or changes
 * the Vecs of a step does the step first: vec_read, vec_change, vec_write and bring_to_host ensure that, and
 * every operation of the device begins with one of them. A step is dropped after its pass succeeds, so none
 * is lost if an operation fails. After a timeout of the device a pass may have run and its step be kept. */
#include "petsc/vec_steps.h"
#include "petsc/log.h"

PetscErrorCode vec_put_off(Vec y, PetscScalar alpha, Vec x)
{
    struct mirror *m = vec_mirror(y), *n = vec_mirror(x);
    vks_vector *a, *b;
    PetscFunctionBegin;
    PetscCall(vec_read(x, &a));
    PetscCall(vec_change(y, &b));
    PetscCall(vec_do_waiting(n));
    m->step = (struct step){.x = n, .alpha = alpha};
    n->waiting = m;
    PetscFunctionReturn(0);
}

/* The step of x, x = x + alpha s, then w = d x, which may overwrite s, as in PETSc's CG. It computes sums and
 * waits for them, so it runs only if sums of w were requested since the last such pass. */
PetscErrorCode vec_multiply_with_step(Vec w, Vec d, Vec x, PetscBool *done)
{
    struct mirror *m = vec_mirror(x), *s = m->step.x, *to = vec_mirror(w);
    PetscScalar alpha = m->step.alpha, dots[2];
    vks_vector *a, *b;
    PetscFunctionBegin;
    *done = PETSC_FALSE;
    if (!s || !to->asked || w == x || d == x)
        PetscFunctionReturn(0);
    to->asked = PETSC_FALSE;
    PetscCall(vec_read(d, &a));
    if (to != s)
        PetscCall(vec_write(w, &b));
    if (m->step.x != s) /* d is s, with new values on the host */
        PetscFunctionReturn(0);
    PetscCall(plugin_begin(PLUGIN_EVENT_PASS));
    PetscCallVks(vks_vector_axpy_multiply(alpha, s->device, m->device, a, to->device, dots));
    PetscCall(plugin_end(PLUGIN_EVENT_PASS));
    vec_drop_step(m);
    if (to == s)
        PetscCall(vec_write(w, &b));
    to->sums = (struct known_sums){
        .version = to->version, .version_of_y = m->version, .product = dots[0], .square = dots[1]};
    *done = PETSC_TRUE;
    PetscFunctionReturn(0);
}

/* The step of another Vec, y = y + alpha x, then x = z + beta x. */
PetscErrorCode vec_aypx_with_step(Vec x, PetscScalar beta, Vec z, PetscBool *done)
{
    struct mirror *m = vec_mirror(x), *y = m->waiting;
    vks_vector *a, *b;
    PetscFunctionBegin;
    *done = PETSC_FALSE;
    if (!y || !m->on_device || x == z || y == vec_mirror(z))
        PetscFunctionReturn(0);
    PetscCall(vec_read(z, &a));
    PetscCall(plugin_begin(PLUGIN_EVENT_PASS));
    PetscCallVks(vks_vector_axpy_aypx(y->step.alpha, m->device, y->device, beta, a));
    PetscCall(plugin_end(PLUGIN_EVENT_PASS));
    vec_drop_step(y);
    PetscCall(vec_change(x, &b));
    *done = PETSC_TRUE;
    PetscFunctionReturn(0);
}

static PetscBool knows(const struct mirror *m, const struct mirror *y)
{
    return m->sums.version == m->version && (m == y || m->sums.version_of_y == y->version) ? PETSC_TRUE
                                                                                           : PETSC_FALSE;
}

PetscBool vec_knows_dot(Vec x, Vec y, PetscScalar *result)
{
    struct mirror *m = vec_mirror(x), *n = vec_mirror(y);
    m->asked = n->asked = PETSC_TRUE;
    if (m->lent || n->lent || (!knows(m, n) && !knows(n, m)))
        return PETSC_FALSE;
    *result = m == n ? m->sums.square : knows(m, n) ? m->sums.product : n->sums.product;
    return PETSC_TRUE;
}
