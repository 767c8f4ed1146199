/* Mat "aijvksolve": PETSc's AIJ with products on the device.
 *
 * It is an object of PETSc's type with some operations replaced. All others are PETSc's, on the host. */
#ifndef VKS_PETSC_MAT_H
#define VKS_PETSC_MAT_H

#include "petsc/halo.h"
#include "petsc/local.h"

#include <petsc/private/matimpl.h>

/* A product on the device, out = M x or out = M^T x; `out` has as many elements as this process has rows
 * (columns). NULL: this process has already failed, and only takes part in communication. */
typedef PetscErrorCode mat_product(Mat M, Vec x, vks_vector *out);

struct mat_type {
    const char *name, *base; /* the type, and the type of PETSc that it is derived from */
    mat_product *forward, *transposed;
};
extern const struct mat_type mat_seq, mat_mpi;

/* Data of a matrix in addition to PETSc's own, in M->spptr. When one matrix replaces another
 * (MatHeaderMerge), PETSc moves that pointer with the data, but not the type and the operations. So it is
 * NULL if a matrix of PETSc's type has replaced one of these. */
struct aij {
    const struct mat_type *type;
    struct _MatOps base; /* PETSc's operations */
    struct local local;
    /* As long as this process's columns (right) and rows (left): for Vecs of other types, and for products
     * that are added to a vector. NULL until needed. */
    vks_vector *right, *left, *right_sum, *left_sum;
    /* For a matrix of several processes: the elements of x that these rows need, [ghosts of lower ranks | own
     * | ghosts of higher ranks], and a view of the own elements. */
    struct halo halo;
    PetscInt low;
    uint32_t lanes; /* the lanes by which a single process would sum the rows of the whole matrix */
    vks_vector *extended, *own;
    PetscObjectId blocks[2]; /* the blocks that the device parts were made from, and their states */
    PetscObjectState nonzeros;
};

static inline struct aij *mat_aij(Mat M)
{
    return M->spptr;
}

/* Makes the parts that a matrix of these types lacks after MatHeaderMerge. */
PetscErrorCode mat_complete(Mat M);

/* Implement MatMult and its variants for a complete matrix. */
PetscErrorCode mat_mult(Mat M, Vec x, Vec y);
PetscErrorCode mat_mult_add(Mat M, Vec x, Vec y, Vec z);
PetscErrorCode mat_mult_transpose(Mat M, Vec x, Vec y);
PetscErrorCode mat_mult_transpose_add(Mat M, Vec x, Vec y, Vec z);

/* Update the device parts of a matrix of several processes: the halo, which is collective and fails on all
 * processes if it fails on one; and the rows of this process. */
PetscErrorCode mat_follow_structure(Mat M);
PetscErrorCode mat_follow_values(Mat M);

/* Releases the parts that belong to one state of a matrix of several processes. */
void mat_clear_halo(struct aij *a);

/* Create matrices of these types, with the signature for MatRegister; convert a seqaij or mpiaij. */
PetscErrorCode mat_create_seq(Mat M);
PetscErrorCode mat_create_mpi(Mat M);
PetscErrorCode mat_convert(Mat M, MatType to, MatReuse reuse, Mat *out);

/* The up-to-date rows of a matrix of one process: those that it holds itself, or a copy in *own. Fails if it
 * is not an AIJ. */
PetscErrorCode mat_local(Mat M, struct local *own, struct local **local);

/* The same for a holder that needs the current rows until its next call. *local becomes the rows of M, which
 * h then holds; or a copy in h->own if M has none, another holder has them, or h already has a copy. */
PetscErrorCode mat_hold(Mat M, struct holder *h, struct local **local);

#endif
