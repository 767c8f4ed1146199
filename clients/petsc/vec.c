/* The two arrays of a Vec, and how its values go from one to the other. */
#include "petsc/vec.h"

static struct _VecOps base_seq, base_mpi;

static PetscErrorCode duplicate(Vec v, Vec *w);

static PetscErrorCode get_array(Vec v, PetscScalar **array);

/* By an operation that nobody replaces, as DMs do with the one that duplicates. */
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

static PetscErrorCode destroy_mirror(void *mirror)
{
    struct mirror *m = mirror;
    PetscErrorCode code;
    vec_drop_step(m);
    code = vec_do_waiting(m);
    if (m->waiting)
        vec_drop_step(m->waiting);
    vks_vector_destroy(m->device);
    (void)PetscFree(m);
    return code;
}

/* The host's array, whether its values are valid or not. Every type of PETSc with an array begins with it. */
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

/* From here on the host's array counts, and another one than before. */
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

/* Lends the host's array. A caller that never gives it back leaves the Vec on the host. It also serves those
 * who ask for it in order to write: PCHYPRE sets a vector to zero and then relies on the zeros in the array
 * that it takes so. */
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

/* The array that is laid aside keeps the values, and comes back with them; the lender of the other one finds
 * there what was done to it. */
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

/* PETSc's VecRestoreLocalVector takes the array that was placed, and does not give it back. */
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

/* A Vec of the same layout and type, with what programs have composed, such as its DM. Its own mirror takes
 * the place of that of v. */
static PetscErrorCode duplicate(Vec v, Vec *w)
{
    PetscFunctionBegin;
    PetscCall(VecCreate(PetscObjectComm((PetscObject)v), w));
    PetscCall(PetscLayoutReference(v->map, &(*w)->map));
    PetscCall(PetscObjectListDuplicate(((PetscObject)v)->olist, &((PetscObject)*w)->olist));
    PetscCall(PetscFunctionListDuplicate(((PetscObject)v)->qlist, &((PetscObject)*w)->qlist));
    PetscCall(VecSetType(*w, ((PetscObject)v)->type_name));
    *(*w)->ops = *v->ops;
    (*w)->stash.donotstash = v->stash.donotstash;
    (*w)->stash.ignorenegidx = v->stash.ignorenegidx;
    PetscFunctionReturn(0);
}

/* One by one: PETSc 3.22 would let them share what is composed with v. */
static PetscErrorCode duplicate_several(Vec v, PetscInt count, Vec **w)
{
    PetscFunctionBegin;
    PetscCall(PetscCalloc1(count, w));
    for (PetscInt k = 0; k < count; k++)
        PetscCall(VecDuplicate(v, &(*w)[k]));
    PetscFunctionReturn(0);
}

/* A copy, which VecRestoreSubVector takes back through the scatter that is composed with it. Where nobody
 * offers that, PETSc makes a Vec on a part of the host's array, and v does not learn what is written there.
 */
static PetscErrorCode get_sub_vector(Vec v, IS places, Vec *part)
{
    VecScatter scatter;
    PetscInt local, all, block;
    PetscFunctionBegin;
    PetscCall(ISGetLocalSize(places, &local));
    PetscCall(ISGetSize(places, &all));
    PetscCall(ISGetBlockSize(places, &block));
    PetscCall(VecCreate(PetscObjectComm((PetscObject)v), part));
    PetscCall(VecSetSizes(*part, local, all));
    PetscCall(VecSetBlockSize(*part, block));
    PetscCall(VecSetType(*part, ((PetscObject)v)->type_name));
    PetscCall(VecScatterCreate(v, places, *part, NULL, &scatter));
    PetscCall(VecScatterBegin(scatter, v, *part, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterEnd(scatter, v, *part, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(PetscObjectCompose((PetscObject)*part, "VecGetSubVector_Scatter", (PetscObject)scatter));
    PetscCall(VecScatterDestroy(&scatter));
    PetscFunctionReturn(0);
}

static PetscErrorCode destroy(Vec v)
{
    const struct _VecOps *base = vec_mirror(v)->base;
    PetscFunctionBegin;
    PetscCall(PetscObjectCompose((PetscObject)v, PLUGIN_VEC, NULL));
    PetscCall((*base->destroy)(v));
    PetscFunctionReturn(0);
}

static void set_arrays(VecOps ops)
{
    ops->duplicate = duplicate;
    ops->duplicatevecs = duplicate_several;
    ops->destroy = destroy;
    ops->getarray = get_array;
    ops->restorearray = restore_array;
    ops->getarrayread = get_array_read;
    ops->restorearrayread = restore_array_read;
    ops->getarraywrite = get_array;
    ops->restorearraywrite = restore_array;
    ops->placearray = place_array;
    ops->resetarray = reset_array;
    ops->replacearray = replace_array;
    ops->getsubvector = get_sub_vector;
}

static PetscErrorCode create_on(Vec v, VecType of_petsc, struct _VecOps *base, VecType type)
{
    struct mirror *m;
    PetscContainer container;
    PetscFunctionBegin;
    PetscCall(plugin_open());
    PetscCall(PetscObjectChangeTypeName((PetscObject)v, NULL)); /* else VecSetType may do nothing */
    PetscCall(VecSetType(v, of_petsc));
    *base = *v->ops;
    PetscCall(PetscNew(&m));
    m->base = base;
    m->on_host = PETSC_TRUE;
    m->version = vec_next_version();
    PetscCall(PetscContainerCreate(PETSC_COMM_SELF, &container));
    PetscCall(PetscContainerSetPointer(container, m));
    PetscCall(PetscContainerSetUserDestroy(container, destroy_mirror));
    PetscCall(PetscObjectCompose((PetscObject)v, PLUGIN_VEC, (PetscObject)container));
    PetscCall(PetscContainerDestroy(&container));
    v->petscnative = PETSC_FALSE; /* ibcgs and fbcgsr, which keep the arrays of vectors, then refuse it */
    set_arrays(v->ops);
    vec_set_algebra(v->ops);
    vec_set_sums(v->ops);
    PetscCall(PetscObjectChangeTypeName((PetscObject)v, type));
    PetscFunctionReturn(0);
}

PetscErrorCode vec_create_seq(Vec v)
{
    return create_on(v, VECSEQ, &base_seq, PLUGIN_VEC_SEQ);
}

PetscErrorCode vec_create_mpi(Vec v)
{
    return create_on(v, VECMPI, &base_mpi, PLUGIN_VEC_MPI);
}

/* Makes it without VecSetType, which takes a Vec that already has one of the two types for finished. */
PetscErrorCode vec_create(Vec v)
{
    PetscMPIInt size;
    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)v), &size));
    PetscCall(size == 1 ? vec_create_seq(v) : vec_create_mpi(v));
    PetscFunctionReturn(0);
}
