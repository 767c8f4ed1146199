/* The floating-point environment: the rounding mode, trapped exceptions, flushing of denormals, and the
 * sticky flags. The library computes in the default environment. A public call saves the program's and
 * restores it at its end (src/abi/entries.c); threads started in between inherit the default one. Functions
 * of the program run in the program's environment. */
#ifndef VKS_ABI_ENVIRONMENT_H
#define VKS_ABI_ENVIRONMENT_H

#include <stdint.h>

struct environment;

/* The environment of the program in this thread's innermost call; NULL: the default one, as in the command. A
 * thread that runs functions of the program for another thread adopts that thread's environment. */
extern _Thread_local const struct environment *environment_callers;

/* Enclose a call of a program's function. Changes by the function, flags included, are undone.
 *
 *     struct visit visit = callers_enter();
 *     stop = progress(user, &now);
 *     callers_leave(visit); */
struct visit {
    const struct environment *callers;
    uint64_t own; /* the rest of the previous environment: abi/processor.h */
};

struct visit callers_enter(void);
void callers_leave(struct visit v);

#endif
