/* Shared by the types of matrices: how an AIJ becomes one of them, and back. */
#include "petsc/mat.h"
#include "petsc/mat_names.h"

/* The operations of a matrix of PETSc's type. */
static PetscErrorCode operations_of_base(const struct mat_type *type, struct _MatOps *operations)
{
    Mat M;
    PetscFunctionBegin;
    PetscCall(MatCreate(PETSC_COMM_SELF, &M));
    PetscCall(MatSetType(M, type->base));
    *operations = mat_aij(M) ? mat_aij(M)->base
                             : *M->ops; /* the option -mat_seqaij_type may have made it one of these types */
    PetscCall(MatDestroy(&M));
    PetscFunctionReturn(0);
}

static PetscErrorCode mult(Mat M, Vec x, Vec y)
{
    PetscFunctionBegin;
    PetscCall(mat_complete(M));
    PetscCall(mat_mult(M, x, y));
    PetscFunctionReturn(0);
}

static PetscErrorCode mult_add(Mat M, Vec x, Vec y, Vec z)
{
    PetscFunctionBegin;
    PetscCall(mat_complete(M));
    PetscCall(mat_mult_add(M, x, y, z));
    PetscFunctionReturn(0);
}

static PetscErrorCode mult_transpose(Mat M, Vec x, Vec y)
{
    PetscFunctionBegin;
    PetscCall(mat_complete(M));
    PetscCall(mat_mult_transpose(M, x, y));
    PetscFunctionReturn(0);
}

static PetscErrorCode mult_transpose_add(Mat M, Vec x, Vec y, Vec z)
{
    PetscFunctionBegin;
    PetscCall(mat_complete(M));
    PetscCall(mat_mult_transpose_add(M, x, y, z));
    PetscFunctionReturn(0);
}

static PetscErrorCode destroy_seq(Mat M);
static PetscErrorCode destroy_mpi(Mat M);
static PetscErrorCode factor(Mat M, IS rows, IS cols, const MatFactorInfo *info);
static PetscErrorCode transpose_symbolic(Mat M, Mat *out);
#if PETSC_VERSION_LT(3, 21, 0)
#define INDEX_PARAMETERS
#define INDEX
#else
#define INDEX_PARAMETERS PetscInt count, PetscInt index[],
#define INDEX count, index,
#endif
static PetscErrorCode create_graph(Mat M, PetscBool symmetrize, PetscBool scale, PetscReal filter,
                                   INDEX_PARAMETERS Mat *out);

/* X(operation, its replacement), in addition to destroy. */
#define OPERATIONS(X)                                                           \
    X(mult, mult)                                                               \
    X(multadd, mult_add)                                                        \
    X(multtranspose, mult_transpose)                                            \
    X(multtransposeadd, mult_transpose_add)                                     \
    X(lufactor, a->base.lufactor ? factor : NULL)                               \
    X(transposesymbolic, a->base.transposesymbolic ? transpose_symbolic : NULL) \
    X(creategraph, create_graph)

/* Installs the operations of these types; and restores PETSc's. */
static void install(Mat M, struct aij *a)
{
#define X(op, ours) M->ops->op = ours;
    OPERATIONS(X)
#undef X
    M->ops->destroy = a->type == &mat_seq ? destroy_seq : destroy_mpi;
}

static void uninstall(Mat M, struct aij *a)
{
#define X(op, ours) M->ops->op = a->base.op;
    OPERATIONS(X)
#undef X
}

static PetscErrorCode convert_back(Mat M, MatType type, MatReuse reuse, Mat *out);

/* Registers both directions of conversion. MatSetType on an object of PETSc's type asks an object of the new
 * type for the first one. Without it, values are copied one by one into a new object, which gamg does not
 * know. */
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

/* *out according to `reuse`: M itself, a copy of it, or the existing matrix with the values of M. */
static PetscErrorCode begin_conversion(Mat M, MatReuse reuse, Mat *out)
{
    PetscFunctionBegin;
    if (reuse == MAT_INITIAL_MATRIX)
        PetscCall(MatDuplicate(M, MAT_COPY_VALUES, out));
    else if (reuse == MAT_REUSE_MATRIX)
        PetscCall(MatCopy(M, *out, SAME_NONZERO_PATTERN));
    PetscFunctionReturn(0);
}

/* Turns an AIJ of PETSc into one of these types, or completes one of these types. */
static PetscErrorCode adopt(Mat B)
{
    const struct mat_type *type;
    struct _MatOps base = *B->ops;
    PetscBool several;
    struct aij *a;
    PetscFunctionBegin;
    PetscCall(mat_type_of(B, &type));
    if (type && mat_aij(B))
        PetscFunctionReturn(0);
    if (type)
        PetscCall(operations_of_base(type, &base));
    PetscCall(PetscObjectBaseTypeCompare((PetscObject)B, MATMPIAIJ, &several));
    type = several ? &mat_mpi : &mat_seq;
    PetscCall(PetscNew(&a));
    a->type = type;
    a->base = base;
    B->spptr = a;
    PetscCall(mat_names_add(B, type));
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

PetscErrorCode mat_complete(Mat M)
{
    PetscFunctionBegin;
    if (!mat_aij(M))
        PetscCall(adopt(M));
    PetscFunctionReturn(0);
}

/* Restores PETSc's type of M. */
static PetscErrorCode strip(Mat M)
{
    struct aij *a = mat_aij(M);
    const struct mat_type *type = a->type;
    PetscFunctionBegin;
    uninstall(M, a);
    PetscCall(compose_conversions(M, type, PETSC_FALSE));
    PetscCall(mat_names_remove(M, type));
    mat_clear_halo(a);
    local_clear(&a->local);
    vks_vector_destroy(a->right);
    vks_vector_destroy(a->left);
    vks_vector_destroy(a->right_sum);
    vks_vector_destroy(a->left_sum);
    PetscCall(PetscFree(M->spptr));
    PetscFunctionReturn(0);
}

/* PETSc's submatrices wrap the operation that destroys them, and call it later. Such a matrix must keep it,
 * so a copy without it takes its place. */
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
    const struct mat_type *ours;
    PetscFunctionBegin;
    (void)type;
    PetscCall(begin_conversion(M, reuse, out));
    PetscCall(mat_type_of(*out, &ours));
    if (ours)
        PetscCall(mat_complete(*out));
    if (ours && (*out)->ops->destroy != destroy_seq && (*out)->ops->destroy != destroy_mpi)
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

static PetscErrorCode destroy(Mat M, const struct mat_type *type)
{
    struct _MatOps base;
    PetscFunctionBegin;
    if (mat_aij(M)) {
        base = mat_aij(M)->base;
        PetscCall(strip(M));
    } else
        PetscCall(operations_of_base(type, &base));
    PetscCall((*base.destroy)(M));
    PetscFunctionReturn(0);
}

/* One for each type, because MatHeaderMerge destroys a matrix whose type name is already cleared. */
static PetscErrorCode destroy_seq(Mat M)
{
    return destroy(M, &mat_seq);
}

static PetscErrorCode destroy_mpi(Mat M)
{
    return destroy(M, &mat_mpi);
}

/* Factors M in place, which replaces it by a factor of PETSc's type. */
static PetscErrorCode factor(Mat M, IS rows, IS cols, const MatFactorInfo *info)
{
    PetscErrorCode code;
    PetscFunctionBegin;
    PetscCall(convert_back(M, NULL, MAT_INPLACE_MATRIX, &M));
    code = (*M->ops->lufactor)(M, rows, cols, info);
    PetscCall(mat_convert(M, NULL, MAT_INPLACE_MATRIX, &M));
    PetscCall(code);
    PetscFunctionReturn(0);
}

/* *out has PETSc's type. PETSc sets the type of the result later, and MatSetType keeps the entries only in a
 * change from PETSc's type to one of these. */
static PetscErrorCode transpose_symbolic(Mat M, Mat *out)
{
    PetscFunctionBegin;
    PetscCall(mat_complete(M));
    PetscCall((*mat_aij(M)->base.transposesymbolic)(M, out));
    PetscCall(convert_back(*out, NULL, MAT_INPLACE_MATRIX, out));
    PetscFunctionReturn(0);
}

/* *out, the graph of M for coarsening, has PETSc's type, because some coarsenings accept no other. */
static PetscErrorCode create_graph(Mat M, PetscBool symmetrize, PetscBool scale, PetscReal filter,
                                   INDEX_PARAMETERS Mat *out)
{
    PetscFunctionBegin;
    PetscCall(mat_complete(M));
    PetscCall((*mat_aij(M)->base.creategraph)(M, symmetrize, scale, filter, INDEX out));
    if (*out != M)
        PetscCall(convert_back(*out, NULL, MAT_INPLACE_MATRIX, out));
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
