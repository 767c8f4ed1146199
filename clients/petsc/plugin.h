/* The plug-in's common ground: the context of this process, failures, and what crossed.
 *
 * PETSc loads libpetscvksolve.so by its option -dll_append. It is compiled for one minor version of PETSc and
 * one kind of scalar: the tables of operations of its private headers change between versions. Of vksolve it
 * uses the public headers alone. Everything here is used by one thread, as PETSc itself is. */
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

/* X(NAME, words): what crosses between host and device, in bytes. */
#define PLUGIN_CROSSINGS(X)         \
    X(VECTORS_UP, "vectors up")     \
    X(VECTORS_DOWN, "vectors down") \
    X(HALOS_UP, "halos up")         \
    X(HALOS_DOWN, "halos down")     \
    X(MATRICES_UP, "matrices up")

/* X(NAME, name, words): what -log_view times beside PETSc's own events, and -vks_view counts. */
#define PLUGIN_EVENTS(X)                                \
    X(TO_DEVICE, "VksVecToDevice", "vectors up")        \
    X(TO_HOST, "VksVecToHost", "vectors down")          \
    X(HALO, "VksHalo", "halos")                         \
    X(MATRIX, "VksMatToDevice", "matrices up")          \
    X(PRODUCT, "VksProduct", "products")                \
    X(SOLVE, "VksSolve", "solves")                      \
    X(PRECOND, "VksPrecond", "preconditioners applied") \
    X(PASS, "VksPass", "fused passes")

/* X(NAME, name): the stages of -log_view. Each one goes on until the call that began it returns, and then
 * gives way to the stage before it, which may be one of the program's. */
#define PLUGIN_STAGES(X)        \
    X(SETUP, "vksolve: set-up") \
    X(SOLVE, "vksolve: solves")

#define X(NAME, words) PLUGIN_##NAME,
enum plugin_crossing { PLUGIN_CROSSINGS(X) PLUGIN_CROSSING_COUNT };
#undef X
#define X(NAME, name, words) PLUGIN_EVENT_##NAME,
enum plugin_event { PLUGIN_EVENTS(X) PLUGIN_EVENT_COUNT };
#undef X
#define X(NAME, name) PLUGIN_STAGE_##NAME,
enum plugin_stage { PLUGIN_STAGES(X) PLUGIN_STAGE_COUNT };
#undef X

/* The context of this process. Call plugin_open before anything is made in it. */
extern vks_context *plugin_context;

/* Whether dot products have the bits of one process (-vks_reproducible). */
extern PetscBool plugin_reproducible;

/* Opens the device, unless it is open. No call is collective: under PCTELESCOPE one rank does it alone. */
PetscErrorCode plugin_open(void);
/* Closes it when PETSc ends, after telling what crossed (-vks_view). */
PetscErrorCode plugin_close(void);

/* An error on all processes where `code` is one on any of them. Collective. */
PetscErrorCode plugin_agree(MPI_Comm comm, PetscErrorCode code);

/* Registers the events and stages; counts bytes that crossed; begins and ends an event, or a stage. */
PetscErrorCode plugin_log_register(void);
void plugin_crossed(enum plugin_crossing what, size_t bytes);
PetscErrorCode plugin_begin(enum plugin_event event);
PetscErrorCode plugin_end(enum plugin_event event);
PetscErrorCode plugin_enter(enum plugin_stage stage);
PetscErrorCode plugin_leave(void);
PetscErrorCode plugin_view(void); /* a line of this process: what it did, and what crossed */

/* Tells PETSc of a call that failed, with the message of its context. Returns the code of an error of PETSc.
 */
PetscErrorCode plugin_fail(vks_status status, const char *message, int line, const char *function,
                           const char *file);

#define PetscCallVks(call)                                                                                  \
    do {                                                                                                    \
        vks_status status_ = (call);                                                                        \
        if (PetscUnlikely(status_ != VKS_OK))                                                               \
            return plugin_fail(status_, vks_context_message(plugin_context), __LINE__, PETSC_FUNCTION_NAME, \
                               __FILE__);                                                                   \
    } while (0)

/* Makes the call in a stage, which ends also where the call fails. */
#define PetscCallStaged(stage, call)    \
    do {                                \
        PetscErrorCode code_, left_;    \
        PetscCall(plugin_enter(stage)); \
        code_ = (call);                 \
        left_ = plugin_leave();         \
        PetscCall(code_);               \
        PetscCall(left_);               \
    } while (0)

/* A count or an index of PETSc as one of vksolve; an error where that has no room for it. */
PetscErrorCode plugin_word(PetscInt value, const char *what, uint32_t *word);

#endif
