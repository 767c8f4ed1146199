/* Counts of calls and of transfers between host and device, for -vks_view; events and stages for
 * -log_view. */
#ifndef VKS_PETSC_LOG_H
#define VKS_PETSC_LOG_H

#include "petsc/plugin.h"

/* X(NAME, words): transfers between host and device, in bytes. */
#define PLUGIN_CROSSINGS(X)         \
    X(VECTORS_UP, "vectors up")     \
    X(VECTORS_DOWN, "vectors down") \
    X(HALOS_UP, "halos up")         \
    X(HALOS_DOWN, "halos down")     \
    X(MATRICES_UP, "matrices up")

/* X(NAME, name, words): events that -log_view times in addition to PETSc's own, and that -vks_view counts. */
#define PLUGIN_EVENTS(X)                                \
    X(TO_DEVICE, "VksVecToDevice", "vectors up")        \
    X(TO_HOST, "VksVecToHost", "vectors down")          \
    X(HALO, "VksHalo", "halos")                         \
    X(MATRIX, "VksMatToDevice", "matrices up")          \
    X(PRODUCT, "VksProduct", "products")                \
    X(SOLVE, "VksSolve", "solves")                      \
    X(PRECOND, "VksPrecond", "preconditioners applied") \
    X(PASS, "VksPass", "fused passes")

/* X(NAME, name): the stages of -log_view. Each lasts until the call that began it returns, and then restores
 * the previous stage, which may be one of the program's. */
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

/* Registers the events and stages. */
PetscErrorCode plugin_log_register(void);

/* Counts transferred bytes; begins and ends an event, or a stage. */
void plugin_crossed(enum plugin_crossing what, size_t bytes);
PetscErrorCode plugin_begin(enum plugin_event event);
PetscErrorCode plugin_end(enum plugin_event event);
PetscErrorCode plugin_enter(enum plugin_stage stage);
PetscErrorCode plugin_leave(void);

/* Prints a line for this process: its counts and transfers. */
PetscErrorCode plugin_view(void);

/* Makes the call in a stage, which ends even if the call fails. */
#define PetscCallStaged(stage, call)    \
    do {                                \
        PetscErrorCode code_, left_;    \
        PetscCall(plugin_enter(stage)); \
        code_ = (call);                 \
        left_ = plugin_leave();         \
        PetscCall(code_);               \
        PetscCall(left_);               \
    } while (0)

#endif
