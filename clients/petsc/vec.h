/* Vec "vksolve": an array on the device, and PETSc's own array on the host as its mirror.
 *
 * Two flags tell which of the two holds the values; one always does. PETSc asks the operations getarray and
 * its like for the host's array, so values come down when they are asked for there, and go up when an
 * operation of the device wants them.
 *
 * Between VecGetArray and VecRestoreArray the host's array is lent to the program, which may write to it at
 * any time and expects to see there what operations write. The values then stay on the host: operations that
 * change the Vec are PETSc's own, and those that read it on the device copy it up each time. */
#ifndef VKS_PETSC_VEC_H
#define VKS_PETSC_VEC_H

#include "petsc/plugin.h"

#include <petsc/private/vecimpl.h>

/* A step y = y + alpha x that y has put off: the next operation often takes it along in the same pass
 * (vec_steps.c). On the device y is as before, and x stays as it was until the step is done. */
struct mirror;
struct step {
    struct mirror *x; /* NULL: nothing is put off */
    PetscScalar alpha;
};

/* Sums that such a pass has left: v . y and v . v. They hold while both Vecs are of these versions. */
struct known_sums {
    uint64_t version, version_of_y;
    PetscScalar product, square;
};

struct mirror {
    vks_vector *device; /* NULL until it is first wanted */
    PetscBool on_host, on_device;
    PetscInt lent, lent_aside;  /* how often the host's array is lent, and the one that is laid aside */
    const struct _VecOps *base; /* the operations of PETSc's type, on the host */
    uint64_t version;           /* of the values, unique in this process */
    struct step step;
    struct mirror *waiting; /* whose step has this Vec as its x; NULL: none has */
    struct known_sums sums;
    PetscBool asked; /* for its sums, since a pass last computed them */
};

/* Whether it is of this type; whether operations of the device may change it, too; and what it has beside
 * PETSc's own data. */
PetscBool vec_is_ours(Vec v);
PetscBool vec_may_change(Vec v);
struct mirror *vec_mirror(Vec v);

/* The array of the device of a Vec of this type: to be read; to be changed; to be written all over. The last
 * two are for a Vec that may change. After them the host's array is out of date. PETSc remembers norms until
 * the state of the Vec changes: these two change it. */
PetscErrorCode vec_read(Vec v, vks_vector **device);
PetscErrorCode vec_change(Vec v, vks_vector **device);
PetscErrorCode vec_write(Vec v, vks_vector **device);

/* vec_lend.c: copies between host memory and the device, all elements of the latter, and counts the bytes. */
PetscErrorCode vec_copy_up(const PetscScalar *from, vks_vector *to);
PetscErrorCode vec_copy_down(const vks_vector *from, PetscScalar *to);

/* A Vec of any type as an array of the device: its own, or *scratch, which is made when it is first wanted,
 * is as long as the Vec, and belongs to the caller. vec_lend_read copies the values up; vec_lend_write leaves
 * them undefined until they are written; vec_take_back brings them into the Vec. */
PetscErrorCode vec_lend_read(Vec v, vks_vector **scratch, vks_vector **device);
PetscErrorCode vec_lend_write(Vec v, vks_vector **scratch, vks_vector **device);
PetscErrorCode vec_take_back(Vec v, vks_vector *device);

/* Refuses a vector of `space` that is not as long as the rows of this process. PETSc does not. */
PetscErrorCode vec_check_length(Vec v, PetscInt rows, const char *space);

/* a . b with the bits of one process, of two arrays of the device that are shared as x is. Collective. */
PetscErrorCode vec_chunk_dot(Vec x, const vks_vector *a, const vks_vector *b, PetscScalar *result);

/* vec_steps.c: puts off y = y + alpha x, of two Vecs that may change. */
PetscErrorCode vec_put_off(Vec y, PetscScalar alpha, Vec x);
/* Does what m has put off, where it has; and what waits for the values of m, before these change. */
PetscErrorCode vec_do_step(struct mirror *m);
PetscErrorCode vec_do_waiting(struct mirror *m);
/* Drops what m has put off: it is written all over. */
void vec_drop_step(struct mirror *m);
/* w = d x, or x = z + beta x, by a pass with the step of x, or with the one that waits for x. *done is false
 * where none fits; the caller then writes w or x, and the old values of w may be gone. */
PetscErrorCode vec_multiply_with_step(Vec w, Vec d, Vec x, PetscBool *done);
PetscErrorCode vec_aypx_with_step(Vec x, PetscScalar beta, Vec z, PetscBool *done);
/* x . y, if a pass has left it. */
PetscBool vec_knows_dot(Vec x, Vec y, PetscScalar *result);
/* A version that no Vec has had. */
uint64_t vec_next_version(void);

/* Puts operations of the device into the table of a Vec: vec_algebra.c, vec_sums.c. */
void vec_set_algebra(VecOps ops);
void vec_set_sums(VecOps ops);

/* Makes Vecs of these types, as VecRegister wants it. */
PetscErrorCode vec_create(Vec v);
PetscErrorCode vec_create_seq(Vec v);
PetscErrorCode vec_create_mpi(Vec v);

#endif
