/* Mat "aijvksolve": PETSc's AIJ, whose products are done on the device.
 *
 * It is an object of PETSc's type with some operations of its own. All others are PETSc's, on the host. */
#ifndef VKS_PETSC_MAT_H
#define VKS_PETSC_MAT_H

#include "petsc/halo.h"
#include "petsc/local.h"

#include <petsc/private/matimpl.h>

/* A product on the device, out = M x or out = M^T x; `out` is as long as the rows (columns) of this process.
 * NULL: this process has failed before, and only takes part in communication. */
typedef PetscErrorCode mat_product(Mat M, Vec x, vks_vector *out);

struct mat_type {
    const char *name, *base; /* the type, and the type of PETSc that it is made of */
    mat_product *forward, *transposed;
};
extern const struct mat_type mat_seq, mat_mpi;

/* What a matrix has beside PETSc's own data, in M->spptr. PETSc moves that pointer with the data where one
 * matrix takes the place of another (MatHeaderMerge), but not the type and the operations. So it is NULL
 * where a matrix of PETSc's has taken the place of one of these. */
struct aij {
    const struct mat_type *type;
    struct _MatOps base; /* PETSc's operations */
    struct local local;
    /* As long as the columns and the rows of this process: for Vecs of other types, and for products that
     * are added to something. NULL until they are needed. */
    vks_vector *right, *left, *right_sum, *left_sum;
    /* Of a matrix of several processes: the elements of x that these rows need, [ghosts of lower ranks | own
     * | ghosts of higher ranks], and a view of the own ones. */
    struct halo halo;
    PetscInt low;
    uint32_t lanes; /* by which the rows of the whole matrix would be summed on one process */
    vks_vector *extended, *own;
    PetscObjectId blocks[2]; /* the blocks, and their state, that all this belongs to */
    PetscObjectState nonzeros;
};

static inline struct aij *mat_aij(Mat M)
{
    return M->spptr;
}

/* Makes what a matrix of these types lacks after another one has taken its place. */
PetscErrorCode mat_complete(Mat M);

/* What MatMult and its like do, of a complete matrix. */
PetscErrorCode mat_mult(Mat M, Vec x, Vec y);
PetscErrorCode mat_mult_add(Mat M, Vec x, Vec y, Vec z);
PetscErrorCode mat_mult_transpose(Mat M, Vec x, Vec y);
PetscErrorCode mat_mult_transpose_add(Mat M, Vec x, Vec y, Vec z);

/* Update the parts of a matrix of several processes on the device: the halo, which is collective, and fails
 * on all processes if it fails on one; the rows of this process. */
PetscErrorCode mat_follow_structure(Mat M);
PetscErrorCode mat_follow_values(Mat M);

/* Releases what belongs to one state of the matrix of several processes. */
void mat_clear_halo(struct aij *a);

/* Creates matrices of these types, as MatRegister wants it; converts a seqaij or mpiaij. */
PetscErrorCode mat_create_seq(Mat M);
PetscErrorCode mat_create_mpi(Mat M);
PetscErrorCode mat_convert(Mat M, MatType to, MatReuse reuse, Mat *out);

/* The rows of a matrix of one process, brought up to date: those that it has itself, or a copy in *own. An
 * error where it is no AIJ. */
PetscErrorCode mat_local(Mat M, struct local *own, struct local **local);

/* The same for a holder that needs the present rows until the next call: those of M, which h then holds, or
 * a copy in h->own if another holds those, or if they have changed while h held them. */
PetscErrorCode mat_hold(Mat M, struct holder *h, struct local **local);

#endif
