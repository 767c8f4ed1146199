/* Makes an allocation of host memory by the plug-in or the library fail on demand; PETSc's own do not fail.
 * The plug-in allocates by PETSc, which passes the calling file; the library by the C library, whose
 * functions are replaced here. Needs glibc, and no sanitizer, which brings its own allocator. */
#ifndef VKS_TESTS_PETSC_FAILING_H
#define VKS_TESTS_PETSC_FAILING_H

#include <petscksp.h>

#include <stdint.h>

struct failing {
    uintptr_t first, end; /* the code of the library; 0: counting has not begun */
    PetscInt calls, fail_call, failures;
    PetscBool all; /* PETSc's own also count as live; they still do not fail */
    PetscInt live; /* our blocks that are not freed */
};
extern struct failing memory;

/* Call before PetscInitialize; and after it, once the plug-in is loaded. */
PetscErrorCode failing_begin(void);
PetscErrorCode failing_find_library(void);

#endif
