/* The two arrays of a Vec "vksolve": one on the device, and PETSc's own on the host as its mirror.
 *
 * Two flags say which of the two holds the values. At least one always does. PETSc asks the operations
 * getarray and its variants for the host's array, so values are downloaded when they are requested there, and
 * uploaded when an operation of the device needs them.
 *
 * Between VecGetArray and VecRestoreArray the host's array is lent to the program, which may write to it at
 * any time and expects to see there the results of operations. The values then stay on the host: operations
 * that change the Vec are PETSc's own, and those that read it on the device upload it each time. */
#ifndef VKS_PETSC_VEC_ARRAYS_H
#define VKS_PETSC_VEC_ARRAYS_H

#include "petsc/plugin.h"

#include <petsc/private/vecimpl.h>

/* A deferred step y = y + alpha x: the next operation can often do it in the same pass (vec_steps.h). Until
 * then the device has the old y, and x must not change. */
struct mirror;
struct step {
    struct mirror *x; /* NULL: no step is deferred */
    PetscScalar alpha;
};

/* Sums that such a pass has computed: v . y and v . v. They are valid while both Vecs have these versions. */
struct known_sums {
    uint64_t version, version_of_y;
    PetscScalar product, square;
};

struct mirror {
    vks_vector *device; /* NULL until first needed */
    PetscBool on_host, on_device;
    PetscInt lent, lent_aside;  /* number of times the host's array is lent; the same for the replaced one */
    const struct _VecOps *base; /* the operations of PETSc's type, on the host */
    uint64_t version;           /* of the values, unique in this process */
    struct step step;
    struct mirror *waiting; /* the Vec whose deferred step has this Vec as its x; NULL: none */
    struct known_sums sums;
    PetscBool asked; /* whether its sums were requested since a pass last computed them */
};

/* Whether a Vec has this type; whether it has, and operations on the device may change it; its data besides
 * PETSc's own. */
PetscBool vec_is_ours(Vec v);
PetscBool vec_may_change(Vec v);
struct mirror *vec_mirror(Vec v);

/* The device array of a Vec of this type: to be read; to be changed; to be overwritten. The last two are for
 * a Vec that may change. After them the host's array is out of date. They also change the state of the Vec,
 * because PETSc remembers norms until then. */
PetscErrorCode vec_read(Vec v, vks_vector **device);
PetscErrorCode vec_change(Vec v, vks_vector **device);
PetscErrorCode vec_write(Vec v, vks_vector **device);

/* Copies all elements between host memory and the device, and counts the bytes. */
PetscErrorCode vec_copy_up(const PetscScalar *from, vks_vector *to);
PetscErrorCode vec_copy_down(const vks_vector *from, PetscScalar *to);

/* Does the deferred step of m, if any, and, before the values of m change, the step that depends on them. */
PetscErrorCode vec_do_step(struct mirror *m);
PetscErrorCode vec_do_waiting(struct mirror *m);
/* Drops the step of m, whose values are overwritten. */
void vec_drop_step(struct mirror *m);

/* A version that no Vec has had. */
uint64_t vec_next_version(void);

/* Sets the operations that lend the host's array in the table of a Vec. */
void vec_set_arrays(VecOps ops);

#endif
