/* Lets an allocation of host memory fail on demand, by the plug-in or by the library: those of PETSc for
 * itself do not fail. The plug-in allocates by PETSc, which tells the file that asks; the library by the C
 * library, whose functions stand here in its place. Needs glibc, and no sanitizer, which brings an allocator
 * of its own. */
#ifndef VKS_TESTS_PETSC_FAILING_H
#define VKS_TESTS_PETSC_FAILING_H

#include <petscksp.h>

#include <stdint.h>

struct failing {
    uintptr_t first, end; /* the code of the library; 0: nothing counts yet */
    PetscInt calls, fail_call, failures;
    PetscBool all; /* those of PETSc count among the live ones, too; they still do not fail */
    PetscInt live; /* blocks of ours that have not been freed */
};
extern struct failing memory;

/* Before PetscInitialize; and after it, when the plug-in is loaded. */
PetscErrorCode failing_begin(void);
PetscErrorCode failing_find_library(void);

#endif
