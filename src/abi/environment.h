/* The floating-point environment: how results are rounded, which exceptions trap, whether denormals count as
 * zero, and the sticky flags. The library computes in the default one. A public call saves the program's and
 * restores it at its end (src/abi/entries.c); threads that are started in between inherit the default one.
 * Functions of the program run in the program's. */
#ifndef VKS_ABI_ENVIRONMENT_H
#define VKS_ABI_ENVIRONMENT_H

#include <stdint.h>

struct environment;

/* The environment of the program in whose innermost call this thread is; NULL: the default one, as in the
 * command. A thread that runs functions of the program for another thread takes over that thread's. */
extern _Thread_local const struct environment *environment_callers;

/* Around a function of the program. What the function changes, flags included, ends with it.
 *
 *     struct visit visit = callers_enter();
 *     stop = progress(user, &now);
 *     callers_leave(visit); */
struct visit {
    const struct environment *callers;
    uint64_t own; /* what is left of the environment before: abi/processor.h */
};

struct visit callers_enter(void);
void callers_leave(struct visit v);

#endif
