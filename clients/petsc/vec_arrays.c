#include "petsc/vec_arrays.h"
#include "petsc/log.h"

static PetscErrorCode get_array(Vec v, PetscScalar **array);

/* Recognises the type by an operation that is never replaced. DMs replace `duplicate`. */
PetscBool vec_is_ours(Vec v)
{
    return v->ops->getarray == get_array ? PETSC_TRUE : PETSC_FALSE;
}

PetscBool vec_may_change(Vec v)
{
    return vec_is_ours(v) && !vec_mirror(v)->lent ? PETSC_TRUE : PETSC_FALSE;
}

struct mirror *vec_mirror(Vec v)
{
    PetscObject container = NULL;
    void *mirror = NULL;
    if (PetscObjectQuery((PetscObject)v, PLUGIN_VEC, &container) || !container ||
        PetscContainerGetPointer((PetscContainer)container, &mirror))
        return NULL;
    return mirror;
}

uint64_t vec_next_version(void)
{
    static uint64_t last;
    return ++last;
}

void vec_drop_step(struct mirror *m)
{
    if (m->step.x)
        m->step.x->waiting = NULL;
    m->step.x = NULL;
}

PetscErrorCode vec_do_step(struct mirror *m)
{
    const struct mirror *x = m->step.x;
    PetscFunctionBegin;
    if (x)
        PetscCallVks(vks_vector_axpy(m->step.alpha, x->device, m->device));
    vec_drop_step(m);
    PetscFunctionReturn(0);
}

PetscErrorCode vec_do_waiting(struct mirror *m)
{
    PetscFunctionBegin;
    if (m->waiting)
        PetscCall(vec_do_step(m->waiting));
    PetscFunctionReturn(0);
}

PetscErrorCode vec_copy_up(const PetscScalar *from, vks_vector *to)
{
    uint32_t n = vks_vector_length(to);
    PetscFunctionBegin;
    PetscCall(plugin_begin(PLUGIN_EVENT_TO_DEVICE));
    PetscCallVks(vks_vector_write(to, 0, n, VKS_F64, from));
    plugin_crossed(PLUGIN_VECTORS_UP, n * sizeof(double));
    PetscCall(plugin_end(PLUGIN_EVENT_TO_DEVICE));
    PetscFunctionReturn(0);
}

PetscErrorCode vec_copy_down(const vks_vector *from, PetscScalar *to)
{
    uint32_t n = vks_vector_length(from);
    PetscFunctionBegin;
    PetscCall(plugin_begin(PLUGIN_EVENT_TO_HOST));
    PetscCallVks(vks_vector_read(from, 0, n, VKS_F64, to));
    plugin_crossed(PLUGIN_VECTORS_DOWN, n * sizeof(double));
    PetscCall(plugin_end(PLUGIN_EVENT_TO_HOST));
    PetscFunctionReturn(0);
}

/* The host's array, whether its values are valid or not. It comes first in the data of every such PETSc
 * type. */
static PetscScalar *host_array(Vec v)
{
    return *(PetscScalar **)v->data;
}

static PetscErrorCode make_device(Vec v, struct mirror *m)
{
    uint32_t n;
    PetscFunctionBegin;
    if (m->device)
        PetscFunctionReturn(0);
    PetscCall(plugin_word(v->map->n, "rows of a vector", &n));
    PetscCallVks(vks_vector_create(plugin_context, n, VKS_F64, &m->device));
    PetscFunctionReturn(0);
}

static PetscErrorCode bring_to_host(Vec v, struct mirror *m)
{
    PetscFunctionBegin;
    PetscCall(vec_do_step(m));
    if (!m->on_host)
        PetscCall(vec_copy_down(m->device, host_array(v)));
    m->on_host = PETSC_TRUE;
    PetscFunctionReturn(0);
}

/* Afterwards the host's array has the values, which may be new. */
static PetscErrorCode leave_device(struct mirror *m)
{
    PetscFunctionBegin;
    PetscCall(vec_do_waiting(m));
    m->on_device = PETSC_FALSE;
    m->version = vec_next_version();
    PetscFunctionReturn(0);
}

PetscErrorCode vec_read(Vec v, vks_vector **device)
{
    struct mirror *m = vec_mirror(v);
    PetscFunctionBegin;
    PetscCall(make_device(v, m));
    PetscCall(vec_do_step(m));
    if (!m->on_device) {
        PetscCall(vec_do_waiting(m));
        PetscCall(vec_copy_up(host_array(v), m->device));
    }
    m->on_device = m->lent ? PETSC_FALSE : PETSC_TRUE;
    *device = m->device;
    PetscFunctionReturn(0);
}

PetscErrorCode vec_change(Vec v, vks_vector **device)
{
    struct mirror *m = vec_mirror(v);
    PetscFunctionBegin;
    PetscCall(vec_read(v, device));
    PetscCall(vec_do_waiting(m));
    m->on_host = PETSC_FALSE;
    m->version = vec_next_version();
    PetscCall(PetscObjectStateIncrease((PetscObject)v));
    PetscFunctionReturn(0);
}

PetscErrorCode vec_write(Vec v, vks_vector **device)
{
    struct mirror *m = vec_mirror(v);
    PetscFunctionBegin;
    PetscCall(make_device(v, m));
    vec_drop_step(m);
    PetscCall(vec_do_waiting(m));
    m->on_device = PETSC_TRUE;
    m->on_host = PETSC_FALSE;
    m->version = vec_next_version();
    PetscCall(PetscObjectStateIncrease((PetscObject)v));
    *device = m->device;
    PetscFunctionReturn(0);
}

/* Lends the host's array. If a caller never returns it, the Vec stays on the host. getarraywrite is the same:
 * PCHYPRE sets a vector to zero and then relies on zeros in the array that it gets for writing. */
static PetscErrorCode get_array(Vec v, PetscScalar **array)
{
    struct mirror *m = vec_mirror(v);
    PetscFunctionBegin;
    PetscCall(bring_to_host(v, m));
    PetscCall(leave_device(m));
    m->lent++;
    *array = host_array(v);
    PetscFunctionReturn(0);
}

static PetscErrorCode restore_array(Vec v, PetscScalar **array)
{
    struct mirror *m = vec_mirror(v);
    (void)array;
    if (m->lent)
        m->lent--;
    return 0;
}

static PetscErrorCode get_array_read(Vec v, const PetscScalar **array)
{
    PetscFunctionBegin;
    PetscCall(bring_to_host(v, vec_mirror(v)));
    *array = host_array(v);
    PetscFunctionReturn(0);
}

static PetscErrorCode restore_array_read(Vec v, const PetscScalar **array)
{
    (void)v, (void)array;
    return 0;
}

/* The replaced array keeps the values and restores them later. The owner of the placed array sees what was
 * written to it. */
static PetscErrorCode place_array(Vec v, const PetscScalar *array)
{
    struct mirror *m = vec_mirror(v);
    PetscFunctionBegin;
    PetscCall(bring_to_host(v, m));
    PetscCall(leave_device(m));
    m->lent_aside = m->lent;
    m->lent = 0;
    PetscCall((*m->base->placearray)(v, array));
    PetscFunctionReturn(0);
}

/* PETSc's VecRestoreLocalVector takes the placed array, and does not return it. */
static PetscErrorCode reset_array(Vec v)
{
    struct mirror *m = vec_mirror(v);
    PetscFunctionBegin;
    PetscCall(bring_to_host(v, m));
    PetscCall(leave_device(m));
    m->lent = m->lent_aside;
    m->lent_aside = 0;
    PetscCall((*m->base->resetarray)(v));
    PetscFunctionReturn(0);
}

static PetscErrorCode replace_array(Vec v, const PetscScalar *array)
{
    struct mirror *m = vec_mirror(v);
    PetscFunctionBegin;
    vec_drop_step(m);
    PetscCall(leave_device(m));
    m->on_host = PETSC_TRUE;
    PetscCall((*m->base->replacearray)(v, array));
    PetscFunctionReturn(0);
}

void vec_set_arrays(VecOps ops)
{
    ops->getarray = get_array;
    ops->restorearray = restore_array;
    ops->getarrayread = get_array_read;
    ops->restorearrayread = restore_array_read;
    ops->getarraywrite = get_array;
    ops->restorearraywrite = restore_array;
    ops->placearray = place_array;
    ops->resetarray = reset_array;
    ops->replacearray = replace_array;
}
