/* What the types of matrices share: how an AIJ becomes one of them, and back. */
#include "petsc/mat.h"

static PetscErrorCode destroy(Mat M);

/* Whether M is of one of these types. */
static PetscErrorCode is_ours(Mat M, PetscBool *ours)
{
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompareAny((PetscObject)M, ours, PLUGIN_MAT_SEQ, PLUGIN_MAT_MPI, ""));
    PetscFunctionReturn(0);
}

/* X(operation): those that are replaced, beside destroy. */
#define OPERATIONS(X) \
    X(mult)           \
    X(multadd)        \
    X(multtranspose)  \
    X(multtransposeadd)

/* Installs the products of the device, and keeps the old ones; and restores these. */
static void install(Mat M, struct aij *a)
{
    a->base = *M->ops;
#define X(op) M->ops->op = mat_products.op;
    OPERATIONS(X)
#undef X
    M->ops->destroy = destroy;
}

static void uninstall(Mat M, struct aij *a)
{
#define X(op) M->ops->op = a->base.op;
    OPERATIONS(X)
#undef X
}

/* Kinds of functions that PETSc composes under names that begin with a kind and a type, such as
 * MatConvert_mpiaij_hypre_C, and asks for by the type that a matrix has. */
static const char *const kinds[] = {"MatConvert_", "MatProductSetFromOptions_"};

/* The part of a name after the kind and the type; NULL for another kind or type. */
static const char *behind(const char *name, const char *kind, const char *type)
{
    size_t length = strlen(kind), more = strlen(type);
    if (strncmp(name, kind, length) || strncmp(name + length, type, more) || name[length + more] != '_')
        return NULL;
    return name + length + more;
}

/* Whether the rest of a name leads to another type that is made of the same one, such as seqaijperm. It would
 * take a copy of this type for one of PETSc's, and put its own data into spptr. */
static PetscBool leads_to_kin(const char *rest, const char *base)
{
    return strncmp(rest + 1, base, strlen(base)) ? PETSC_FALSE : PETSC_TRUE;
}

/* Composes the functions of PETSc's type under the name of this one, too. */
static PetscErrorCode add_aliases(Mat M, const struct mat_type *type)
{
    const char **names;
    int count;
    PetscFunctionBegin;
    PetscCall(PetscFunctionListGet(((PetscObject)M)->qlist, &names, &count));
    for (int k = 0; k < count && names[k]; k++)
        for (size_t kind = 0; kind < PETSC_STATIC_ARRAY_LENGTH(kinds); kind++) {
            const char *rest = behind(names[k], kinds[kind], type->base);
            char alias[256];
            void (*function)(void);
            if (!rest || leads_to_kin(rest, type->base))
                continue;
            PetscCall(PetscSNPrintf(alias, sizeof alias, "%s%s%s", kinds[kind], type->name, rest));
            PetscCall(PetscObjectQueryFunction((PetscObject)M, names[k], &function));
            PetscCall(PetscObjectComposeFunction((PetscObject)M, alias, function));
        }
    PetscCall(PetscFree(names));
    PetscFunctionReturn(0);
}

/* Removes them. Each name is compared before its function is removed, because it is freed with it. */
static PetscErrorCode remove_aliases(Mat M, const struct mat_type *type)
{
    const char **names;
    int count;
    PetscFunctionBegin;
    PetscCall(PetscFunctionListGet(((PetscObject)M)->qlist, &names, &count));
    for (int k = 0; k < count && names[k]; k++) {
        PetscBool is_alias = PETSC_FALSE;
        for (size_t kind = 0; kind < PETSC_STATIC_ARRAY_LENGTH(kinds); kind++)
            if (behind(names[k], kinds[kind], type->name))
                is_alias = PETSC_TRUE;
        if (is_alias)
            PetscCall(PetscObjectComposeFunction((PetscObject)M, names[k], NULL));
    }
    PetscCall(PetscFree(names));
    PetscFunctionReturn(0);
}

static PetscErrorCode convert_back(Mat M, MatType type, MatReuse reuse, Mat *out);

/* The two ways of conversion. MatSetType on an object of PETSc's type asks an object of the new type for the
 * first; without it, values are copied one by one into a new object, which gamg does not know. */
static PetscErrorCode compose_conversions(Mat M, const struct mat_type *type, PetscBool on)
{
    char name[128];
    PetscFunctionBegin;
    PetscCall(PetscSNPrintf(name, sizeof name, "MatConvert_%s_%s_C", type->base, type->name));
    PetscCall(PetscObjectComposeFunction((PetscObject)M, name, on ? mat_convert : NULL));
    PetscCall(PetscSNPrintf(name, sizeof name, "MatConvert_%s_%s_C", type->name, type->base));
    PetscCall(PetscObjectComposeFunction((PetscObject)M, name, on ? convert_back : NULL));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_vec_type(Mat M, VecType type)
{
    PetscFunctionBegin;
    PetscCall(PetscFree(M->defaultvectype));
    PetscCall(PetscStrallocpy(type, &M->defaultvectype));
    PetscFunctionReturn(0);
}

/* *out as `reuse` asks: M itself, a copy of it, or the matrix that is there with the values of M. */
static PetscErrorCode begin_conversion(Mat M, MatReuse reuse, Mat *out)
{
    PetscFunctionBegin;
    if (reuse == MAT_INITIAL_MATRIX)
        PetscCall(MatDuplicate(M, MAT_COPY_VALUES, out));
    else if (reuse == MAT_REUSE_MATRIX)
        PetscCall(MatCopy(M, *out, SAME_NONZERO_PATTERN));
    PetscFunctionReturn(0);
}

/* Makes an AIJ of PETSc one of these types. */
static PetscErrorCode adopt(Mat B)
{
    const struct mat_type *type;
    PetscBool several, ours;
    struct aij *a;
    PetscFunctionBegin;
    PetscCall(PetscObjectBaseTypeCompare((PetscObject)B, MATMPIAIJ, &several));
    type = several ? &mat_mpi : &mat_seq;
    PetscCall(is_ours(B, &ours));
    if (ours)
        PetscFunctionReturn(0);
    PetscCall(PetscNew(&a));
    a->type = type;
    B->spptr = a;
    PetscCall(add_aliases(B, type));
    PetscCall(compose_conversions(B, type, PETSC_TRUE));
    install(B, a);
    PetscCall(set_vec_type(B, PLUGIN_VEC));
    PetscCall(PetscObjectChangeTypeName((PetscObject)B, type->name));
    PetscFunctionReturn(0);
}

PetscErrorCode mat_convert(Mat M, MatType to, MatReuse reuse, Mat *out)
{
    PetscErrorCode code;
    PetscFunctionBegin;
    (void)to;
    PetscCall(begin_conversion(M, reuse, out));
    code = adopt(*out);
    if (code && reuse == MAT_INITIAL_MATRIX)
        PetscCall(MatDestroy(out));
    PetscCall(code);
    PetscFunctionReturn(0);
}

/* Gives M back PETSc's type. */
static PetscErrorCode strip(Mat M)
{
    struct aij *a = mat_aij(M);
    const struct mat_type *type = a->type;
    PetscFunctionBegin;
    uninstall(M, a);
    PetscCall(compose_conversions(M, type, PETSC_FALSE));
    PetscCall(remove_aliases(M, type));
    mat_clear_halo(a);
    local_clear(&a->local);
    vks_vector_destroy(a->right);
    vks_vector_destroy(a->left);
    vks_vector_destroy(a->right_sum);
    vks_vector_destroy(a->left_sum);
    PetscCall(PetscFree(M->spptr));
    PetscFunctionReturn(0);
}

/* PETSc's submatrices wrap the operation that destroys them, and call it later. Such a matrix cannot lose it:
 * a copy without it takes its place. */
static PetscErrorCode replace_wrapped(Mat M)
{
    Mat copy;
    PetscFunctionBegin;
    PetscCall(MatDuplicate(M, MAT_COPY_VALUES, &copy));
    PetscCall(convert_back(copy, NULL, MAT_INPLACE_MATRIX, &copy));
    PetscCall(MatHeaderReplace(M, &copy));
    PetscFunctionReturn(0);
}

static PetscErrorCode convert_back(Mat M, MatType type, MatReuse reuse, Mat *out)
{
    PetscBool ours;
    PetscFunctionBegin;
    (void)type;
    PetscCall(begin_conversion(M, reuse, out));
    PetscCall(is_ours(*out, &ours));
    if (ours && (*out)->ops->destroy != destroy)
        PetscCall(replace_wrapped(*out));
    else if (ours) {
        struct aij *a = mat_aij(*out);
        const char *base = a->type->base;
        (*out)->ops->destroy = a->base.destroy;
        PetscCall(strip(*out));
        PetscCall(set_vec_type(*out, VECSTANDARD));
        PetscCall(PetscObjectChangeTypeName((PetscObject)*out, base));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode destroy(Mat M)
{
    PetscErrorCode (*of_base)(Mat) = mat_aij(M)->base.destroy;
    PetscFunctionBegin;
    PetscCall(strip(M));
    PetscCall((*of_base)(M));
    PetscFunctionReturn(0);
}

static PetscErrorCode create(Mat M, MatType base)
{
    PetscFunctionBegin;
    PetscCall(MatSetType(M, base));
    PetscCall(mat_convert(M, NULL, MAT_INPLACE_MATRIX, &M));
    PetscFunctionReturn(0);
}

PetscErrorCode mat_create_seq(Mat M)
{
    return create(M, MATSEQAIJ);
}

PetscErrorCode mat_create_mpi(Mat M)
{
    return create(M, MATMPIAIJ);
}
