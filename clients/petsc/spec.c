/* The options of preconditioners, and the properties of a matrix for multigrid. */
#include "petsc/spec.h"
#include "petsc/vec_lend.h"

#define X(NAME, module, name, text) name,
const char *const spec_methods[VKS_METHOD_COUNT_] = {"auto", VKS_METHODS(X)};
static const char *const kinds[VKS_PRECOND_COUNT_] = {"auto", VKS_PRECONDS(X)};
#undef X

/* X(member, text): numbers of vks_precond_options. */
#define NUMBERS(X)                                                 \
    X(block_size, "of block-jacobi: rows of a block")              \
    X(degree, "of chebyshev: products with A")                     \
    X(steps, "of inner: iterations; of fsai: how often rows grow") \
    X(fill, "of ilut: the most entries of a row in L and in U")    \
    X(rows, "of ilut: rows of a block")                            \
    X(add, "of fsai: entries that a row gains each time")          \
    X(amg.block, "of amg: unknowns of a node")

#define REALS(X)                                  \
    X(weight, "of inner by jacobi or richardson") \
    X(drop, "of ilut: the share of a row below which entries are dropped")

/* "amg/f32": the kind, and whether it works in f32. */
static PetscErrorCode read_kind(vks_precond_options *o, const char *option, const char *text)
{
    char name[64], *slash = NULL, known[512] = "";
    PetscFunctionBegin;
    PetscCall(PetscStrncpy(name, text, sizeof name));
    PetscCall(PetscStrchr(name, '/', &slash));
    if (slash) {
        PetscBool f32;
        PetscCall(PetscStrcmp(slash, "/f32", &f32));
        PetscCheck(f32, PETSC_COMM_SELF, PETSC_ERR_ARG_UNKNOWN_TYPE, "%s %s: only /f32 may follow a kind",
                   option, text);
        *slash = 0;
        o->in_f32 = 1;
    }
    for (int k = 0; k < VKS_PRECOND_COUNT_; k++) {
        PetscBool found;
        PetscCall(PetscStrcmp(name, kinds[k], &found));
        if (found) {
            o->kind = (vks_precond_kind)k;
            PetscFunctionReturn(0);
        }
        PetscCall(PetscStrlcat(known, " ", sizeof known));
        PetscCall(PetscStrlcat(known, kinds[k], sizeof known));
    }
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_ARG_UNKNOWN_TYPE, "%s %s: vksolve has the kinds%s", option, text,
            known);
}

/* "amg.block" becomes -pc_vksolve_amg_block. */
static PetscErrorCode option_name(char *name, size_t size, const char *stem, const char *member)
{
    PetscFunctionBegin;
    PetscCall(PetscSNPrintf(name, size, "%s%s", stem, member));
    for (char *c = name; *c; c++)
        if (*c == '.')
            *c = '_';
    PetscFunctionReturn(0);
}

/* `of_method` is the option that names the method of the kind inner. */
static PetscErrorCode read_members(vks_precond_options *o, PetscOptionItems *PetscOptionsObject,
                                   const char *stem, const char *of_method)
{
    char name[128];
    PetscInt method = (PetscInt)o->method;
    PetscBool keep = o->amg.refresh == VKS_AMG_KEEP ? PETSC_TRUE : PETSC_FALSE;
    PetscFunctionBegin;
#define X(member, text)                                                              \
    {                                                                                \
        PetscInt value = (PetscInt)o->member;                                        \
        PetscCall(option_name(name, sizeof name, stem, #member));                    \
        PetscCall(PetscOptionsBoundedInt(name, text, NULL, value, &value, NULL, 0)); \
        PetscCall(plugin_word(value, #member, &o->member));                          \
    }
    NUMBERS(X)
#undef X
#define X(member, text)                                                             \
    {                                                                               \
        PetscCall(option_name(name, sizeof name, stem, #member));                   \
        PetscCall(PetscOptionsReal(name, text, NULL, o->member, &o->member, NULL)); \
    }
    REALS(X)
#undef X
    PetscCall(PetscOptionsEList(of_method, "of inner: the method", NULL, spec_methods, VKS_METHOD_COUNT_,
                                spec_methods[method], &method, NULL));
    o->method = (vks_method)method;
    PetscCall(option_name(name, sizeof name, stem, "amg_keep"));
    PetscCall(PetscOptionsBool(name, "of amg: keep aggregates for new values", NULL, keep, &keep, NULL));
    o->amg.refresh = keep ? VKS_AMG_KEEP : VKS_AMG_FULL;
    PetscFunctionReturn(0);
}

PetscErrorCode spec_read(struct spec *s, PetscOptionItems *PetscOptionsObject, const char *kind,
                         const char *stem, const char *of_method, PetscBool *given)
{
    char option[128], members[128], method[128], text[64];
    PetscFunctionBegin;
    PetscCall(PetscStrncpy(option, kind, sizeof option));
    PetscCall(PetscStrncpy(members, stem, sizeof members));
    PetscCall(PetscStrncpy(method, of_method, sizeof method));
    for (size_t level = 0; level < VKS_LARGEST_NESTING; level++) {
        vks_precond_options *o = &s->o[level];
        PetscBool named;
        PetscCall(PetscOptionsString(option, "kind of preconditioner, with /f32 in f32", NULL, kinds[o->kind],
                                     text, sizeof text, &named));
        if (named) {
            *o = (vks_precond_options){0};
            PetscCall(read_kind(o, option, text));
        }
        if (level && !named && !s->o[level - 1].inner)
            break;
        if (level)
            s->o[level - 1].inner = o;
        else if (named)
            *given = PETSC_TRUE;
        PetscCall(read_members(o, PetscOptionsObject, members, method));
        PetscCall(PetscSNPrintf(option, sizeof option, "%sinner", members));
        PetscCall(PetscStrlcat(members, "inner_", sizeof members));
        PetscCall(PetscSNPrintf(method, sizeof method, "%smethod", members));
    }
    PetscFunctionReturn(0);
}

void spec_set(struct spec *s, vks_precond_kind kind, uint32_t block_size)
{
    s->o[0] = (vks_precond_options){.kind = kind, .block_size = block_size};
}

/* Copies the vectors of the near-null space, one after the other. */
static PetscErrorCode read_near_null(struct spec *s, MatNullSpace space, PetscInt rows, vks_amg_options *amg)
{
    PetscBool constants;
    PetscInt count, all;
    const Vec *vectors;
    PetscReal *to;
    PetscFunctionBegin;
    PetscCall(MatNullSpaceGetVecs(space, &constants, &count, &vectors));
    all = count + (constants ? 1 : 0);
    PetscCheck(all <= (PetscInt)VKS_LARGEST_NODE, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "amg takes %u near-null vectors, not %" PetscInt_FMT, VKS_LARGEST_NODE, all);
    for (PetscInt k = 0; k < count; k++)
        PetscCall(vec_check_length(vectors[k], rows, "near-null space"));
    PetscCall(PetscMalloc1(all * rows, &s->near_null));
    to = s->near_null;
    for (PetscInt i = 0; constants && i < rows; i++)
        *to++ = 1;
    for (PetscInt k = 0; k < count; k++, to += rows) {
        const PetscScalar *from;
        PetscCall(VecGetArrayRead(vectors[k], &from));
        PetscCall(PetscArraycpy(to, from, rows));
        PetscCall(VecRestoreArrayRead(vectors[k], &from));
    }
    amg->vectors = (uint32_t)all;
    amg->near_null = s->near_null;
    PetscFunctionReturn(0);
}

PetscErrorCode spec_fill_amg(struct spec *s, Mat M, const struct coordinates *c)
{
    vks_amg_options *amg = NULL;
    MatNullSpace space;
    PetscInt block, rows;
    PetscFunctionBegin;
    PetscCall(spec_forget(s));
    for (size_t level = 0; !amg && level < VKS_LARGEST_NESTING; level++)
        if (s->o[level].kind == VKS_PRECOND_AMG && !(level && s->o[level - 1].kind == VKS_PRECOND_SADDLE))
            amg = &s->o[level].amg;
    if (!amg)
        PetscFunctionReturn(0);
    s->filled = amg;
    s->block = amg->block;
    PetscCall(MatGetLocalSize(M, &rows, NULL));
    PetscCall(MatGetBlockSize(M, &block));
    PetscCall(MatGetNearNullSpace(M, &space));
    if (!amg->block && block > 1 && block <= (PetscInt)VKS_LARGEST_NODE)
        amg->block = (uint32_t)block;
    if (c->values && c->dimensions > 1 && (PetscInt)amg->block == c->dimensions) {
        PetscCheck(c->nodes * c->dimensions == rows, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ,
                   "coordinates of %" PetscInt_FMT " nodes of %" PetscInt_FMT " unknowns for %" PetscInt_FMT
                   " rows",
                   c->nodes, c->dimensions, rows);
        amg->dimensions = (uint32_t)c->dimensions;
        amg->coordinates = c->values;
    } else if (space)
        PetscCall(read_near_null(s, space, rows, amg));
    PetscFunctionReturn(0);
}

PetscErrorCode spec_forget(struct spec *s)
{
    PetscFunctionBegin;
    if (s->filled) {
        s->filled->block = s->block;
        s->filled->dimensions = s->filled->vectors = 0;
        s->filled->coordinates = s->filled->near_null = NULL;
    }
    s->filled = NULL;
    PetscCall(PetscFree(s->near_null));
    PetscFunctionReturn(0);
}
