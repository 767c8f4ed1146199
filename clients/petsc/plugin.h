/* What all files of the plug-in share: the context of this process, and failures.
 *
 * PETSc loads libpetscvksolve.so by its option -dll_append. It is compiled for one minor version of PETSc and
 * one kind of scalar: the tables of operations of its private headers change between versions. Of vksolve it
 * uses the public headers alone. It is used by one thread, as PETSc itself is. */
#ifndef VKS_PETSC_PLUGIN_H
#define VKS_PETSC_PLUGIN_H

#include <petsc/private/petscimpl.h>
#include <vksolve/vksolve.h>

#if defined(PETSC_USE_COMPLEX)
#error \
    "vksolve has real numbers only: build the plug-in against a PETSc with real scalars (petsc-dev, not petsc-complex-dev)"
#endif
#if !defined(PETSC_USE_REAL_DOUBLE)
#error "the plug-in wants a PETSc whose scalars are in double precision"
#endif

/* The names of the types. A type of one process and one of several stand behind each root name. */
#define PLUGIN_VEC "vksolve"
#define PLUGIN_VEC_SEQ "seqvksolve"
#define PLUGIN_VEC_MPI "mpivksolve"
#define PLUGIN_MAT "aijvksolve"
#define PLUGIN_MAT_SEQ "seqaijvksolve"
#define PLUGIN_MAT_MPI "mpiaijvksolve"
#define PLUGIN_SOLVER "vksolve" /* KSP and PC */

/* The context of this process. Call plugin_open (context.h) before anything is made in it. */
extern vks_context *plugin_context;

/* An error on all processes where `code` is one on any of them. Collective. */
PetscErrorCode plugin_agree(MPI_Comm comm, PetscErrorCode code);

/* Reports a call of vksolve that failed to PETSc, with the message of its context. Returns PETSc's error
 * code. */
PetscErrorCode plugin_fail(vks_status status, const char *message, int line, const char *function,
                           const char *file);

#define PetscCallVks(call)                                                                                  \
    do {                                                                                                    \
        vks_status status_ = (call);                                                                        \
        if (PetscUnlikely(status_ != VKS_OK))                                                               \
            return plugin_fail(status_, vks_context_message(plugin_context), __LINE__, PETSC_FUNCTION_NAME, \
                               __FILE__);                                                                   \
    } while (0)

/* A count or an index of PETSc as one of vksolve; an error if it is too large. */
PetscErrorCode plugin_word(PetscInt value, const char *what, uint32_t *word);

#endif
