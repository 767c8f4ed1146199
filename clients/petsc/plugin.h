/* Shared by all files of the plug-in: the context of this process, and failures.
 *
 * PETSc's option -dll_append loads libpetscvksolve.so. It is compiled for one minor version of PETSc and one
 * kind of scalar: the tables of operations in its private headers change between versions. It uses only the
 * public headers of vksolve. Like PETSc itself, it is used by one thread. */
#ifndef VKS_PETSC_PLUGIN_H
#define VKS_PETSC_PLUGIN_H

#include <petsc/private/petscimpl.h>
#include <vksolve/vksolve.h>

#if defined(PETSC_USE_COMPLEX)
#error \
    "vksolve has real numbers only: build the plug-in against a PETSc with real scalars (petsc-dev, not petsc-complex-dev)"
#endif
#if !defined(PETSC_USE_REAL_DOUBLE)
#error "the plug-in needs a PETSc whose scalars are in double precision"
#endif

/* The names of the types. Each root name stands for two types, one for a single process and one for
 * several. */
#define PLUGIN_VEC "vksolve"
#define PLUGIN_VEC_SEQ "seqvksolve"
#define PLUGIN_VEC_MPI "mpivksolve"
#define PLUGIN_MAT "aijvksolve"
#define PLUGIN_MAT_SEQ "seqaijvksolve"
#define PLUGIN_MAT_MPI "mpiaijvksolve"
#define PLUGIN_SOLVER "vksolve" /* KSP and PC */

/* The context of this process. plugin_open (context.h) must be called before anything is created in it. */
extern vks_context *plugin_context;

/* Fails on all processes if `code` is an error on any of them. Collective. */
PetscErrorCode plugin_agree(MPI_Comm comm, PetscErrorCode code);

/* Reports a failed vksolve call to PETSc, with the message of its context. Returns PETSc's error code. */
PetscErrorCode plugin_fail(vks_status status, const char *message, int line, const char *function,
                           const char *file);

#define PetscCallVks(call)                                                                                  \
    do {                                                                                                    \
        vks_status status_ = (call);                                                                        \
        if (PetscUnlikely(status_ != VKS_OK))                                                               \
            return plugin_fail(status_, vks_context_message(plugin_context), __LINE__, PETSC_FUNCTION_NAME, \
                               __FILE__);                                                                   \
    } while (0)

/* Converts a count or an index of PETSc to vksolve's type; an error if it is too large. */
PetscErrorCode plugin_word(PetscInt value, const char *what, uint32_t *word);

#endif
