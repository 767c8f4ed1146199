#include "petsc/mat_names.h"

#define CONVERSION "MatConvert_"
#define ANY_PRODUCT "MatProductSetFromOptions_anytype_C"

PetscErrorCode mat_type_of(Mat M, const struct mat_type **type)
{
    const struct mat_type *const types[] = {&mat_seq, &mat_mpi};
    PetscFunctionBegin;
    *type = NULL;
    for (int k = 0; k < 2 && !*type; k++) {
        PetscBool is;
        PetscCall(PetscObjectTypeCompare((PetscObject)M, types[k]->name, &is));
        if (is)
            *type = types[k];
    }
    PetscFunctionReturn(0);
}

/* The part of a conversion's name after the type that it converts from; NULL for another type or function. */
static const char *behind(const char *name, const char *type)
{
    size_t length = strlen(CONVERSION), more = strlen(type);
    if (strncmp(name, CONVERSION, length) || strncmp(name + length, type, more) || name[length + more] != '_')
        return NULL;
    return name + length + more;
}

/* Whether the rest of a name names another type derived from the same one, such as seqaijperm. That
 * conversion would mistake a copy of this type for PETSc's, and put its own data into spptr. */
static PetscBool leads_to_kin(const char *rest, const char *base)
{
    return strncmp(rest + 1, base, strlen(base)) ? PETSC_FALSE : PETSC_TRUE;
}

static PetscErrorCode add_conversions(Mat M, const struct mat_type *type)
{
    const char **names;
    int count;
    PetscFunctionBegin;
    PetscCall(PetscFunctionListGet(((PetscObject)M)->qlist, &names, &count));
    for (int k = 0; k < count && names[k]; k++) {
        const char *rest = behind(names[k], type->base);
        char alias[256];
        void (*function)(void);
        if (!rest || leads_to_kin(rest, type->base))
            continue;
        PetscCall(PetscSNPrintf(alias, sizeof alias, CONVERSION "%s%s", type->name, rest));
        PetscCall(PetscObjectQueryFunction((PetscObject)M, names[k], &function));
        PetscCall(PetscObjectComposeFunction((PetscObject)M, alias, function));
    }
    PetscCall(PetscFree(names));
    PetscFunctionReturn(0);
}

/* Compares each name before its function is removed, because the name is freed with it. */
static PetscErrorCode remove_conversions(Mat M, const struct mat_type *type)
{
    const char **names;
    int count;
    PetscFunctionBegin;
    PetscCall(PetscFunctionListGet(((PetscObject)M)->qlist, &names, &count));
    for (int k = 0; k < count && names[k]; k++)
        if (behind(names[k], type->name))
            PetscCall(PetscObjectComposeFunction((PetscObject)M, names[k], NULL));
    PetscCall(PetscFree(names));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_product(Mat D);

/* The function that a factor of a product has under a name, other than this file's. */
static PetscErrorCode find_product(const Mat factors[3], const char *name, PetscErrorCode (**found)(Mat))
{
    PetscFunctionBegin;
    *found = NULL;
    for (int k = 0; k < 3 && factors[k] && !*found; k++) {
        PetscCall(PetscObjectQueryFunction((PetscObject)factors[k], name, found));
        if (*found == set_product)
            *found = NULL;
    }
    PetscFunctionReturn(0);
}

/* The name of the product if the factors were of PETSc's types. */
static PetscErrorCode product_name(const Mat factors[3], char *name, size_t size)
{
    PetscFunctionBegin;
    PetscCall(PetscStrncpy(name, "MatProductSetFromOptions", size));
    for (int k = 0; k < 3 && factors[k]; k++) {
        const struct mat_type *type;
        PetscCall(mat_type_of(factors[k], &type));
        PetscCall(PetscStrlcat(name, "_", size));
        PetscCall(PetscStrlcat(name, type ? type->base : ((PetscObject)factors[k])->type_name, size));
    }
    PetscCall(PetscStrlcat(name, "_C", size));
    PetscFunctionReturn(0);
}

/* PETSc calls this if it has found nothing under the type names of the factors. It sets the function that
 * PETSc finds under the names of its own types, or else the one that another factor has for partners of any
 * type. */
static PetscErrorCode set_product(Mat D)
{
    const Mat_Product *product = D->product;
    const Mat factors[] = {product->A, product->B, product->type == MATPRODUCT_ABC ? product->C : NULL};
    PetscErrorCode (*found)(Mat);
    char name[256];
    PetscFunctionBegin;
    PetscCall(product_name(factors, name, sizeof name));
    PetscCall(find_product(factors, name, &found));
    if (found)
        PetscCall((*found)(D));
    if (D->ops->productsymbolic)
        PetscFunctionReturn(0);
    PetscCall(find_product(factors, ANY_PRODUCT, &found));
    if (found)
        PetscCall((*found)(D));
    PetscFunctionReturn(0);
}

PetscErrorCode mat_names_add(Mat M, const struct mat_type *type)
{
    PetscFunctionBegin;
    PetscCall(add_conversions(M, type));
    PetscCall(PetscObjectComposeFunction((PetscObject)M, ANY_PRODUCT, set_product));
    PetscFunctionReturn(0);
}

PetscErrorCode mat_names_remove(Mat M, const struct mat_type *type)
{
    PetscFunctionBegin;
    PetscCall(remove_conversions(M, type));
    PetscCall(PetscObjectComposeFunction((PetscObject)M, ANY_PRODUCT, NULL));
    PetscFunctionReturn(0);
}
