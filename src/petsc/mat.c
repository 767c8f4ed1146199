/* What the types of matrices share: how an AIJ becomes one of them, and back. */
#include "petsc/mat.h"

/* Puts the operations of the type in place, and keeps those that were there. PETSc's assembly and duplication
 * put their own back, such as products by inodes, so this is done again after them. */
static void install(Mat M, struct aij *a)
{
#define X(op)                            \
    if (M->ops->op != a->type->ops.op) { \
        a->base.op = M->ops->op;         \
        M->ops->op = a->type->ops.op;    \
    }
    MAT_OPERATIONS(X)
#undef X
}

static void uninstall(Mat M, struct aij *a)
{
#define X(op) M->ops->op = a->base.op;
    MAT_OPERATIONS(X)
#undef X
}

/* PETSc composes functions under names that have the type in them, such as MatConvert_mpiaij_hypre_C, and
 * asks for them by the type that a matrix has. With `on` they are composed under the name of this type, too;
 * without, taken away again. */
static PetscErrorCode alias(Mat M, const struct mat_type *type, PetscBool on)
{
    static const char *const kinds[] = {"MatConvert_", "MatProductSetFromOptions_"};
    const char **names;
    int count;
    PetscFunctionBegin;
    PetscCall(PetscFunctionListGet(((PetscObject)M)->qlist, &names, &count));
    for (int k = 0; k < count; k++)
        for (size_t kind = 0; kind < PETSC_STATIC_ARRAY_LENGTH(kinds); kind++) {
            char start[64], other[256];
            size_t length;
            PetscBool found;
            void (*function)(void);
            PetscCall(PetscSNPrintf(start, sizeof start, "%s%s_", kinds[kind], type->base));
            PetscCall(PetscStrbeginswith(names[k], start, &found));
            if (!found)
                continue;
            PetscCall(PetscStrlen(start, &length));
            PetscCall(
                PetscSNPrintf(other, sizeof other, "%s%s_%s", kinds[kind], type->name, names[k] + length));
            PetscCall(PetscObjectQueryFunction((PetscObject)M, names[k], &function));
            PetscCall(PetscObjectComposeFunction((PetscObject)M, other, on ? function : NULL));
        }
    PetscCall(PetscFree(names));
    PetscFunctionReturn(0);
}

static PetscErrorCode convert_back(Mat M, MatType type, MatReuse reuse, Mat *out);

/* The two ways of conversion. MatSetType on an object of PETSc's type asks an object of the new type for the
 * first; without it, values are copied one by one into a new object, of which gamg knows nothing. */
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

/* *out of the type that is wanted of `reuse`: M itself, a copy of it, or what is there with its values. */
static PetscErrorCode begin_conversion(Mat M, MatReuse reuse, Mat *out)
{
    PetscFunctionBegin;
    if (reuse == MAT_INITIAL_MATRIX)
        PetscCall(MatDuplicate(M, MAT_COPY_VALUES, out));
    else if (reuse == MAT_REUSE_MATRIX)
        PetscCall(MatCopy(M, *out, SAME_NONZERO_PATTERN));
    PetscFunctionReturn(0);
}

PetscErrorCode mat_convert(Mat M, MatType name, MatReuse reuse, Mat *out)
{
    const struct mat_type *type;
    PetscBool several;
    struct aij *a;
    Mat B;
    PetscFunctionBegin;
    (void)name;
    PetscCall(begin_conversion(M, reuse, out));
    B = *out;
    PetscCall(PetscObjectBaseTypeCompare((PetscObject)B, MATMPIAIJ, &several));
    type = several ? &mat_mpi : &mat_seq;
    if (B->ops->destroy == mat_destroy)
        PetscFunctionReturn(0);
    PetscCall(PetscNew(&a));
    a->type = type;
    B->spptr = a;
    PetscCall(alias(B, type, PETSC_TRUE));
    PetscCall(compose_conversions(B, type, PETSC_TRUE));
    install(B, a);
    PetscCall(set_vec_type(B, PLUGIN_VEC));
    PetscCall(PetscObjectChangeTypeName((PetscObject)B, type->name));
    PetscFunctionReturn(0);
}

void mat_clear_halo(struct aij *a)
{
    halo_clear(&a->halo);
    vks_vector_destroy(a->own);
    vks_vector_destroy(a->extended);
    a->own = a->extended = NULL;
}

/* Makes PETSc's type of M again. */
static PetscErrorCode strip(Mat M)
{
    struct aij *a = mat_aij(M);
    const struct mat_type *type = a->type;
    PetscFunctionBegin;
    uninstall(M, a);
    PetscCall(compose_conversions(M, type, PETSC_FALSE));
    PetscCall(alias(M, type, PETSC_FALSE));
    mat_clear_halo(a);
    local_clear(&a->local);
    vks_vector_destroy(a->right);
    vks_vector_destroy(a->left);
    vks_vector_destroy(a->right_sum);
    vks_vector_destroy(a->left_sum);
    PetscCall(PetscFree(M->spptr));
    PetscFunctionReturn(0);
}

static PetscErrorCode convert_back(Mat M, MatType type, MatReuse reuse, Mat *out)
{
    PetscFunctionBegin;
    (void)type;
    PetscCall(begin_conversion(M, reuse, out));
    if ((*out)->ops->destroy == mat_destroy) {
        const char *base = mat_aij(*out)->type->base;
        PetscCall(strip(*out));
        PetscCall(set_vec_type(*out, VECSTANDARD));
        PetscCall(PetscObjectChangeTypeName((PetscObject)*out, base));
    }
    PetscFunctionReturn(0);
}

PetscErrorCode mat_assembly_end(Mat M, MatAssemblyType mode)
{
    PetscFunctionBegin;
    PetscCall((*mat_aij(M)->base.assemblyend)(M, mode));
    install(M, mat_aij(M));
    PetscFunctionReturn(0);
}

PetscErrorCode mat_duplicate(Mat M, MatDuplicateOption option, Mat *out)
{
    PetscFunctionBegin;
    PetscCall((*mat_aij(M)->base.duplicate)(M, option, out));
    install(*out, mat_aij(*out));
    PetscFunctionReturn(0);
}

PetscErrorCode mat_destroy(Mat M)
{
    PetscErrorCode (*destroy)(Mat) = mat_aij(M)->base.destroy;
    PetscFunctionBegin;
    PetscCall(strip(M));
    PetscCall((*destroy)(M));
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
