/* Makes Vecs of the types of the plug-in. */
#include "petsc/vec.h"
#include "petsc/context.h"
#include "petsc/vec_arrays.h"
#include "petsc/vec_operations.h"

static struct _VecOps base_seq, base_mpi;

/* A Vec of the same layout and type, with the objects that programs have composed, such as its DM. It has its
 * own mirror. */
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

/* One at a time: PETSc 3.22 would let them share the objects that are composed with v. */
static PetscErrorCode duplicate_several(Vec v, PetscInt count, Vec **w)
{
    PetscFunctionBegin;
    PetscCall(PetscCalloc1(count, w));
    for (PetscInt k = 0; k < count; k++)
        PetscCall(VecDuplicate(v, &(*w)[k]));
    PetscFunctionReturn(0);
}

/* A copy, which VecRestoreSubVector writes back through the scatter that is composed with it. Without that,
 * PETSc would make a Vec on a part of the host's array, and v would not notice writes to it. */
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
    v->petscnative = PETSC_FALSE; /* ibcgs and fbcgsr, which keep the arrays of vectors, then reject it */
    v->ops->duplicate = duplicate;
    v->ops->duplicatevecs = duplicate_several;
    v->ops->destroy = destroy;
    v->ops->getsubvector = get_sub_vector;
    vec_set_arrays(v->ops);
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

/* Avoids VecSetType, which does nothing if a Vec already has one of the two types. */
PetscErrorCode vec_create(Vec v)
{
    PetscMPIInt size;
    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)v), &size));
    PetscCall(size == 1 ? vec_create_seq(v) : vec_create_mpi(v));
    PetscFunctionReturn(0);
}
