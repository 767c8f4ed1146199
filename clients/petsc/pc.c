/* PC "vksolve": a vksolve preconditioner of the rows and columns that a process owns. Over several processes
 * it is a block Jacobi method. */
#include "petsc/log.h"
#include "petsc/solvers.h"
#include "petsc/vec_lend.h"

#if PETSC_VERSION_LT(3, 22, 0)
#define VecFlag(vector, flag) VecSetInf(vector)
#endif

struct pc {
    struct spec spec;
    struct coordinates coordinates;
    struct holder held; /* the rows that M multiplies by */
    vks_precond *M;
    PetscBool deferred;    /* the KSP chooses */
    PetscBool stale;       /* options or coordinates have changed since it was made */
    uint64_t made, valued; /* the structure and the values of the matrix that M was made from */
    vks_vector *in, *out;
};

static PetscErrorCode setup(PC pc);

/* NULL for a PC of another type. */
static struct pc *own_of(PC pc)
{
    return pc->ops->setup == setup ? pc->data : NULL;
}

vks_precond *pc_precond(PC pc)
{
    return pc_is_chosen(pc) ? ((struct pc *)pc->data)->M : NULL;
}

PetscErrorCode pc_local(PC pc, Mat M, struct local **local)
{
    struct pc *p = own_of(pc);
    PetscBool current = PETSC_FALSE;
    PetscFunctionBegin;
    if (p)
        PetscCall(local_is_current(&p->held.own, M, &current));
    *local = current ? &p->held.own : NULL;
    PetscFunctionReturn(0);
}

PetscErrorCode pc_defer(PC pc)
{
    PetscFunctionBegin;
    PetscCall(PCSetType(pc, PLUGIN_SOLVER));
    own_of(pc)->deferred = PETSC_TRUE;
    PetscFunctionReturn(0);
}

PetscBool pc_is_deferred(PC pc)
{
    struct pc *p = own_of(pc);
    return p && p->deferred ? PETSC_TRUE : PETSC_FALSE;
}

PetscBool pc_is_chosen(PC pc)
{
    struct pc *p = own_of(pc);
    return p && !p->deferred ? PETSC_TRUE : PETSC_FALSE;
}

static PetscErrorCode reset(PC pc)
{
    struct pc *p = pc->data;
    PetscFunctionBegin;
    vks_precond_destroy(p->M);
    vks_vector_destroy(p->in);
    vks_vector_destroy(p->out);
    p->M = NULL;
    p->in = p->out = NULL;
    local_let_go(&p->held);
    local_clear(&p->held.own);
    PetscFunctionReturn(0);
}

static PetscErrorCode make(PC pc, const struct local *local)
{
    struct pc *p = pc->data;
    vks_status status;
    PetscFunctionBegin;
    vks_precond_destroy(p->M);
    p->M = NULL;
    PetscCall(spec_fill_amg(&p->spec, pc->pmat, &p->coordinates));
    status = vks_precond_create(local->A, &p->spec.o[0], &p->M);
    PetscCall(spec_forget(&p->spec));
    PetscCallVks(status);
    PetscFunctionReturn(0);
}

/* Records whether the matrix is unsuitable. A solve then ends as KSP_DIVERGED_PC_FAILED. */
static PetscErrorCode record_reason(PC pc)
{
    struct pc *p = pc->data;
    vks_precond_facts facts;
    PetscFunctionBegin;
    PetscCallVks(vks_precond_report(p->M, &facts));
    pc->failedreason = PC_NOERROR;
    if (facts.reason == VKS_REASON_NOT_RUN)
        PetscFunctionReturn(0);
    PetscCheck(!pc->erroriffailure, PETSC_COMM_SELF, PETSC_ERR_MAT_LU_ZRPVT, "vksolve: %s: %s",
               vks_reason_name(facts.reason), facts.detail);
    PetscCall(PetscInfo(pc, "vksolve: %s: %s\n", vks_reason_name(facts.reason), facts.detail));
    pc->failedreason = facts.reason == VKS_REASON_NOT_FINITE ? PC_FACTOR_OTHER : PC_FACTOR_NUMERIC_ZEROPIVOT;
    PetscFunctionReturn(0);
}

static PetscErrorCode follow(PC pc)
{
    struct pc *p = pc->data;
    struct local *local;
    PetscBool several;
    Mat block = pc->pmat;
    PetscFunctionBegin;
    PetscCall(PetscObjectBaseTypeCompare((PetscObject)pc->pmat, MATMPIAIJ, &several));
    if (several)
        PetscCall(MatGetDiagonalBlock(pc->pmat, &block));
    PetscCall(mat_hold(block, &p->held, &local));
    if (!p->M || p->stale || p->made != local->made)
        PetscCall(make(pc, local));
    else if (p->valued != local->valued)
        PetscCallVks(vks_precond_update(p->M));
    p->stale = PETSC_FALSE;
    p->made = local->made;
    p->valued = local->valued;
    PetscCall(record_reason(pc));
    PetscFunctionReturn(0);
}

static PetscErrorCode setup(PC pc)
{
    struct pc *p = pc->data;
    PetscFunctionBegin;
    if (p->deferred && !p->M)
        PetscFunctionReturn(0);
    PetscCallStaged(PLUGIN_STAGE_SETUP, follow(pc));
    PetscFunctionReturn(0);
}

static PetscErrorCode apply(PC pc, Vec x, Vec y)
{
    struct pc *p = pc->data;
    vks_vector *in, *out;
    PetscFunctionBegin;
    if (!p->M)
        PetscCallStaged(PLUGIN_STAGE_SETUP, follow(pc));
    if (pc->failedreason) { /* informs all ranks: KSPs check for this if a norm is not finite */
        PetscCall(VecFlag(y, 1));
        PetscFunctionReturn(0);
    }
    PetscCall(plugin_begin(PLUGIN_EVENT_PRECOND));
    PetscCall(vec_lend_read(x, &p->in, &in));
    PetscCall(vec_lend_write(y, &p->out, &out));
    PetscCallVks(vks_precond_apply(p->M, in, out));
    PetscCall(vec_take_back(y, out));
    PetscCall(plugin_end(PLUGIN_EVENT_PRECOND));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_coordinates(PC pc, PetscInt dimensions, PetscInt nodes, PetscReal *values)
{
    struct pc *p = pc->data;
    struct coordinates *c = &p->coordinates;
    PetscFunctionBegin;
    PetscCall(PetscFree(c->values));
    c->dimensions = dimensions;
    c->nodes = nodes;
    p->stale = PETSC_TRUE;
    PetscCall(PetscMalloc1(dimensions * nodes, &c->values));
    PetscCall(PetscArraycpy(c->values, values, dimensions * nodes));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_from_options(PC pc, PetscOptionItems *PetscOptionsObject)
{
    struct pc *p = pc->data;
    PetscBool given = PETSC_FALSE;
    PetscFunctionBegin;
    PetscOptionsHeadBegin(PetscOptionsObject, "vksolve");
    PetscCall(spec_read(&p->spec, PetscOptionsObject, "-pc_vksolve_type", "-pc_vksolve_",
                        "-pc_vksolve_method", &given));
    PetscOptionsHeadEnd();
    if (given && p->deferred) {
        p->deferred = PETSC_FALSE;
        pc->setupcalled = 0; /* nothing has been made yet */
    }
    p->stale = PETSC_TRUE;
    PetscFunctionReturn(0);
}

static PetscErrorCode view(PC pc, PetscViewer viewer)
{
    struct pc *p = pc->data;
    vks_precond_facts facts;
    PetscBool ascii;
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &ascii));
    if (ascii && p->deferred)
        PetscCall(PetscViewerASCIIPrintf(viewer, "  the KSP chooses the preconditioner\n"));
    if (!ascii || !p->M)
        PetscFunctionReturn(0);
    PetscCallVks(vks_precond_report(p->M, &facts));
    PetscCall(PetscViewerASCIIPrintf(viewer, "  vksolve's %s%s, %llu bytes on the device\n",
                                     vks_precond_name(facts.kind), p->spec.o[0].in_f32 ? " in f32" : "",
                                     (unsigned long long)facts.bytes));
    PetscFunctionReturn(0);
}

static PetscErrorCode destroy(PC pc)
{
    struct pc *p = pc->data;
    PetscFunctionBegin;
    PetscCall(reset(pc));
    PetscCall(PetscFree(p->coordinates.values));
    PetscCall(PetscObjectComposeFunction((PetscObject)pc, "PCSetCoordinates_C", NULL));
    PetscCall(PetscFree(pc->data));
    PetscFunctionReturn(0);
}

PetscErrorCode pc_create(PC pc)
{
    struct pc *p;
    PetscFunctionBegin;
    PetscCall(PetscNew(&p));
    pc->data = p;
    pc->ops->setup = setup;
    pc->ops->apply = apply;
    pc->ops->reset = reset;
    pc->ops->destroy = destroy;
    pc->ops->setfromoptions = set_from_options;
    pc->ops->view = view;
    PetscCall(PetscObjectComposeFunction((PetscObject)pc, "PCSetCoordinates_C", set_coordinates));
    PetscFunctionReturn(0);
}
