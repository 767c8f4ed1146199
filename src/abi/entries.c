/* The functions of the library as called by programs. Each sets the default floating-point environment, runs
 * the function of the same name (its body), and restores the program's environment. cmake/libraries.cmake
 * renames the functions of the library to body_vks_*, so their calls of each other have no such cost.
 *
 * entries.inc, written by cmake/entries.cmake, has a line for each function of the public headers: ENTRY(its
 * type, its name, its parameters, the arguments). */
#include "abi/environment.h"
#include "abi/processor.h"
#include "vksolve/vksolve.h"
#include "vksolve/vulkan.h"

/* A public call in progress. */
struct entry {
    struct environment callers;
    const struct environment **innermost, *outer;
};

static inline void enter(struct entry *e)
{
    environment_save(&e->callers);
    e->innermost = &environment_callers;
    e->outer = *e->innermost;
    *e->innermost = &e->callers;
}

static inline void leave(const struct entry *e)
{
    *e->innermost = e->outer;
    environment_restore(&e->callers);
}

/* A function of type void also ends with `return body(...);`. */
#pragma GCC diagnostic ignored "-Wpedantic"

#define ENTRY(type, name, parameters, arguments)                              \
    __attribute__((visibility("hidden"))) extern type body_##name parameters; \
    type name parameters                                                      \
    {                                                                         \
        __attribute__((cleanup(leave))) struct entry entry;                   \
        enter(&entry);                                                        \
        return body_##name arguments;                                         \
    }

#include "entries.inc"
