/* The solve of a KSP: from its own options, the options of its PC, and the null space of its matrix. */
#include "petsc/ksp.h"
#include "petsc/vec_lend.h"

#include <float.h>

/* The names of the methods, followed by auto with any_device (1), no_direct (2) and both (3). */
#define X(NAME, module, name, text) name,
static const char *const methods[] = {"auto", VKS_METHODS(X) "auto(device=any)", "auto(direct=no)",
                                      "auto(device=any,direct=no)"};
#undef X
#define METHODS ((PetscInt)PETSC_STATIC_ARRAY_LENGTH(methods))

#define X(NAME, name, text) name,
static const char *const scalings[VKS_SCALING_COUNT_] = {"auto", VKS_SCALINGS(X)};
static const char *const norms[VKS_NORM_COUNT_] = {VKS_NORMS(X)};
#undef X

static PetscInt method_word(const vks_solve_options *o)
{
    int options = (o->any_device ? 1 : 0) + (o->no_direct ? 2 : 0);
    return options ? (PetscInt)VKS_METHOD_COUNT_ - 1 + options : (PetscInt)o->method;
}

static void take_method_word(vks_solve_options *o, PetscInt word)
{
    int options = word < (PetscInt)VKS_METHOD_COUNT_ ? 0 : (int)(word - (PetscInt)VKS_METHOD_COUNT_ + 1);
    o->method = options ? VKS_METHOD_AUTO : (vks_method)word;
    o->any_device = options & 1;
    o->no_direct = options >> 1;
}

PetscErrorCode ksp_set_from_options(KSP ksp, PetscOptionItems *PetscOptionsObject)
{
    struct ksp *k = ksp->data;
    PetscInt method = method_word(&k->o), scaling = (PetscInt)k->o.scaling, norm = (PetscInt)k->o.norm,
             restart = (PetscInt)k->o.restart;
    PetscBool f32 = k->o.iterate_in_f32 ? PETSC_TRUE : PETSC_FALSE;
    PetscFunctionBegin;
    PetscOptionsHeadBegin(PetscOptionsObject, "vksolve");
    PetscCall(PetscOptionsEList("-ksp_vksolve_method", "method", NULL, methods, METHODS, methods[method],
                                &method, NULL));
    PetscCall(PetscOptionsEList("-ksp_vksolve_scaling", "scaling of the system", NULL, scalings,
                                VKS_SCALING_COUNT_, scalings[scaling], &scaling, NULL));
    PetscCall(PetscOptionsEList("-ksp_vksolve_norm", "norms of b - A x that decide", NULL, norms,
                                VKS_NORM_COUNT_, norms[norm], &norm, NULL));
    PetscCall(PetscOptionsBoundedInt("-ksp_vksolve_restart", "of gmres", NULL, restart, &restart, NULL, 0));
    PetscCall(PetscOptionsBool("-ksp_vksolve_f32", "iterate in f32", NULL, f32, &f32, NULL));
    if (!k->by_option)
        k->spec.o[0].block_size = k->block_size;
    PetscCall(spec_read(&k->spec, PetscOptionsObject, "-ksp_vksolve_precond", "-ksp_vksolve_",
                        "-ksp_vksolve_precond_method", &k->by_option));
    k->block_size = k->spec.o[0].block_size;
    PetscOptionsHeadEnd();
    k->stale = PETSC_TRUE;
    take_method_word(&k->o, method);
    k->o.scaling = (vks_scaling)scaling;
    k->o.norm = (vks_norm)norm;
    k->o.restart = (uint32_t)restart;
    k->o.iterate_in_f32 = f32;
    PetscCall(ksp_take_pc(ksp));
    PetscFunctionReturn(0);
}

/* The kind that a PC of PETSc names, if vksolve has that kind. */
static PetscErrorCode kind_of(PC pc, PetscBool *known, vks_precond_kind *kind, uint32_t *block_size)
{
    PetscBool none, jacobi, blocks;
    PetscInt block = 1;
    Mat P = NULL;
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCNONE, &none));
    PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCJACOBI, &jacobi));
    PetscCall(PetscObjectTypeCompareAny((PetscObject)pc, &blocks, PCPBJACOBI, PCVPBJACOBI, ""));
    if (blocks)
        PetscCall(PCGetOperators(pc, NULL, &P));
    if (P)
        PetscCall(MatGetBlockSize(P, &block));
    *known = none || jacobi || blocks ? PETSC_TRUE : PETSC_FALSE;
    *kind = blocks ? VKS_PRECOND_BLOCK_JACOBI : jacobi ? VKS_PRECOND_JACOBI : VKS_PRECOND_NONE;
    *block_size = block > 1 && block <= 32 ? (uint32_t)block : 0;
    PetscFunctionReturn(0);
}

/* PETSc chooses ilu, icc or bjacobi if no preconditioner is requested. Fails if the PC has any other type
 * that vksolve lacks. */
static PetscErrorCode check_default(PC pc)
{
    PetscBool by_default, asked;
    const char *type = ((PetscObject)pc)->type_name;
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompareAny((PetscObject)pc, &by_default, PCILU, PCICC, PCBJACOBI, ""));
    PetscCall(PetscOptionsHasName(((PetscObject)pc)->options, ((PetscObject)pc)->prefix, "-pc_type", &asked));
    PetscCheck(!type || (by_default && !asked), PETSC_COMM_SELF, PETSC_ERR_SUP,
               "-ksp_type " PLUGIN_SOLVER " takes -pc_type none, jacobi, pbjacobi or " PLUGIN_SOLVER
               ", or -ksp_vksolve_precond; not %s",
               type);
    PetscFunctionReturn(0);
}

/* Sets the kind that a PC of PETSc names. */
static void take_kind(struct ksp *k, vks_precond_kind kind, uint32_t block_size)
{
    if (kind == VKS_PRECOND_BLOCK_JACOBI && k->block_size)
        block_size = k->block_size;
    k->automatic = kind == VKS_PRECOND_AUTO ? PETSC_TRUE : PETSC_FALSE;
    if (k->spec.o[0].kind != kind || k->spec.o[0].block_size != block_size)
        k->stale = PETSC_TRUE;
    spec_set(&k->spec, kind, block_size);
}

PetscErrorCode ksp_take_pc(KSP ksp)
{
    struct ksp *k = ksp->data;
    vks_precond_kind kind = VKS_PRECOND_AUTO;
    uint32_t block_size = 0;
    PetscBool known = PETSC_FALSE, ours;
    PC pc;
    PetscFunctionBegin;
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PetscObjectTypeCompare((PetscObject)pc, PLUGIN_SOLVER, &ours));
    if (!ours && !k->by_option) {
        PetscCall(kind_of(pc, &known, &kind, &block_size));
        if (!known)
            PetscCall(check_default(pc));
    }
    if (!ours && !known)
        PetscCall(pc_defer(pc));
    k->automatic = PETSC_FALSE;
    if (!k->by_option && (known || pc_is_deferred(pc)))
        take_kind(k, known ? kind : VKS_PRECOND_AUTO, block_size);
    PetscFunctionReturn(0);
}

static PetscErrorCode clear_null_space(struct null_space *n)
{
    PetscFunctionBegin;
    for (uint32_t i = 0; i < n->count; i++)
        vks_vector_destroy(n->vectors[i]);
    *n = (struct null_space){0};
    PetscFunctionReturn(0);
}

/* Adds a copy of v on the device; v NULL: a vector of ones. */
static PetscErrorCode add_null_vector(struct null_space *n, Vec v, uint32_t rows)
{
    vks_vector **to = &n->vectors[n->count], *from;
    PetscFunctionBegin;
    n->count++;
    PetscCallVks(vks_vector_create(plugin_context, rows, VKS_F64, to));
    if (!v)
        PetscCallVks(vks_vector_fill(*to, 1));
    else {
        PetscCall(vec_check_length(v, rows, "null space"));
        PetscCall(vec_lend_read(v, to, &from));
        if (from != *to)
            PetscCallVks(vks_vector_copy(from, *to));
    }
    PetscFunctionReturn(0);
}

/* The null space of M; NULL if it has none, or an empty one. */
static PetscErrorCode null_space_of(Mat M, MatNullSpace *space, PetscObjectId *id)
{
    PetscBool constants;
    PetscInt count;
    PetscFunctionBegin;
    *id = 0;
    PetscCall(MatGetNullSpace(M, space));
    if (!*space)
        PetscFunctionReturn(0);
    PetscCheck(!(*space)->remove, PetscObjectComm((PetscObject)M), PETSC_ERR_SUP,
               "-ksp_type " PLUGIN_SOLVER
               " takes null spaces by their vectors, not by a function (MatNullSpaceSetFunction)");
    PetscCall(MatNullSpaceGetVecs(*space, &constants, &count, NULL));
    if (constants || count)
        PetscCall(PetscObjectGetId((PetscObject)*space, id));
    else
        *space = NULL;
    PetscFunctionReturn(0);
}

static PetscErrorCode take_null_space(struct null_space *n, Mat M, uint32_t rows)
{
    MatNullSpace space;
    PetscBool constants;
    PetscInt count;
    const Vec *vectors;
    PetscFunctionBegin;
    PetscCall(clear_null_space(n));
    PetscCall(null_space_of(M, &space, &n->id));
    if (!space)
        PetscFunctionReturn(0);
    PetscCall(MatNullSpaceGetVecs(space, &constants, &count, &vectors));
    PetscCheck(count + constants <= VKS_LARGEST_NULL_SPACE, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "vksolve takes a null space of up to %d vectors, not %" PetscInt_FMT, VKS_LARGEST_NULL_SPACE,
               count + constants);
    if (count && constants)
        PetscCall(add_null_vector(n, NULL, rows));
    for (PetscInt i = 0; i < count; i++)
        PetscCall(add_null_vector(n, vectors[i], rows));
    PetscFunctionReturn(0);
}

/* Capacity for the iterations, which are reported after the solve if requested. With several processes, a
 * single one may request them, but all must make their solvers together, so all always have capacity. */
static uint32_t history_wanted(KSP ksp)
{
    const struct ksp *k = ksp->data;
    return ksp->numbermonitors || ksp->res_hist_max || k->partners.processes > 1
               ? (uint32_t)PetscMin(ksp->max_it, 1 << 20)
               : 0;
}

static PetscErrorCode make_history(KSP ksp, vks_solve_options *o)
{
    PetscFunctionBegin;
    PetscCall(PetscFree(o->history));
    o->history_capacity = history_wanted(ksp);
    if (o->history_capacity)
        PetscCall(PetscMalloc1(o->history_capacity, &o->history));
    PetscFunctionReturn(0);
}

/* A tolerance of 0 means 0 in PETSc, but the default in vksolve. */
static double tolerance(double value)
{
    return value > 0 ? value : DBL_MIN;
}

/* Makes the solver of this process, without communication. */
static PetscErrorCode make(KSP ksp, Mat M, const vks_matrix *A)
{
    struct ksp *k = ksp->data;
    const struct coordinates none = {0};
    vks_solve_options o;
    vks_status status;
    PetscFunctionBegin;
    PetscCall(make_history(ksp, &k->o));
    PetscCall(take_null_space(&k->null, M, vks_matrix_rows(A)));
    PetscCall(spec_fill_amg(&k->spec, M, &none));
    o = k->o;
    o.precond_options = k->automatic || k->shared ? NULL : &k->spec.o[0];
    o.shared_precond = k->shared;
    o.singular = k->null.id ? 1 : 0;
    o.null_space = k->null.count ? (const vks_vector *const *)k->null.vectors : NULL;
    o.null_space_count = k->null.count;
    PetscCall(partners_set_options(&k->partners, M, k->automatic ? NULL : &k->spec.o[0], &o));
    status = vks_solver_create(A, &o, &k->solver);
    PetscCall(spec_forget(&k->spec));
    PetscCallVks(status);
    PetscFunctionReturn(0);
}

static void drop_solver(struct ksp *k)
{
    vks_solver_destroy(k->solver);
    k->solver = NULL;
}

/* Makes the solvers of all processes. If one process fails, all drop their solvers, and make them again next
 * time. */
static PetscErrorCode make_everywhere(KSP ksp, Mat M, const struct local *local)
{
    struct ksp *k = ksp->data;
    PetscErrorCode code;
    PetscFunctionBegin;
    drop_solver(k); /* it uses data that change now */
    code = partners_agree(&k->partners, make(ksp, M, local->A));
    if (code)
        drop_solver(k);
    PetscCall(code);
    k->made = local->made;
    k->stale = PETSC_FALSE;
    PetscFunctionReturn(0);
}

PetscErrorCode ksp_make_solver(KSP ksp)
{
    struct ksp *k = ksp->data;
    struct local *local, *of_pc = NULL;
    vks_precond *shared = NULL;
    PetscObjectId id;
    MatNullSpace space;
    Mat M;
    PetscFunctionBegin;
    PetscCall(ksp_take_pc(ksp));
    PetscCall(KSPGetOperators(ksp, &M, NULL));
    if (!k->by_option && pc_is_chosen(ksp->pc)) {
        PetscCall(PCSetUp(ksp->pc)); /* as PCApply does: KSPSetUp does not call it if only values are new */
        shared = pc_precond(ksp->pc);
        PetscCall(pc_local(ksp->pc, M, &of_pc));
    }
    PetscCall(partners_follow(&k->partners, M, of_pc ? of_pc : &k->own, &local));
    PetscCall(null_space_of(M, &space, &id));
    if (!k->solver || k->stale || k->made != local->made || k->shared != shared || k->null.id != id ||
        k->o.history_capacity != history_wanted(ksp)) {
        k->shared = shared;
        PetscCall(make_everywhere(ksp, M, local));
    }
    PetscCallVks(
        vks_solver_set_limits(k->solver, tolerance(ksp_tests(ksp) ? ksp->rtol : 0),
                              ksp_tests(ksp) && k->o.norm != VKS_NORM_SCALED ? PetscMax(ksp->abstol, 0) : 0,
                              (uint32_t)PetscMin(ksp->max_it, (PetscInt)1 << 30)));
    PetscFunctionReturn(0);
}

PetscErrorCode ksp_clear(struct ksp *k)
{
    PetscFunctionBegin;
    drop_solver(k);
    vks_vector_destroy(k->b);
    vks_vector_destroy(k->x);
    k->b = k->x = NULL;
    k->shared = NULL;
    local_clear(&k->own);
    PetscCall(spec_forget(&k->spec)); /* left by a setup that failed */
    PetscCall(partners_clear(&k->partners));
    PetscCall(clear_null_space(&k->null));
    PetscCall(PetscFree(k->o.history));
    PetscFunctionReturn(0);
}
