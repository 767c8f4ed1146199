/* Common definitions of the host twins. A twin has its shader's name, arguments and order of every sum. It is
 * compiled once for each scalar type (SCALAR, with REAL and STORED) and instruction set (ISA). */
#ifndef VKS_HOST_KERNEL_H
#define VKS_HOST_KERNEL_H

#include "host/words.h"
#include "kernels.h"
#include "team/team.h"
#include <stdbool.h>
#include <stddef.h>

#define JOIN_(name, scalar, isa) name##_##scalar##_##isa
#define JOIN(name, scalar, isa) JOIN_(name, scalar, isa)
#define TWIN(name) JOIN(name, SCALAR, ISA)

/* KERNEL(axpy) { ... a->x ... } defines the twin of axpy.comp with its arguments in `a`. The twin is the body
 * of a team (team/team.h); each member runs it as `me`. */
#define KERNEL(name)                                                         \
    static void name##_body(const struct name##_args *a, struct member *me); \
    void TWIN(name)(const void *args, struct member *me);                    \
    void TWIN(name)(const void *args, struct member *me)                     \
    {                                                                        \
        name##_body(args, me);                                               \
    }                                                                        \
    static void name##_body(const struct name##_args *a, __attribute__((unused)) struct member *me)

/* Below this many iterations threads cost more than they save. */
#define PARALLEL_FROM 2048
#define PARALLEL_FOR(i, n) TEAM_FOR(me, i, n, PARALLEL_FROM, 256)
/* t over the tiles of 256 */
#define FOR_TILES(t, tiles) TEAM_FOR(me, t, tiles, PARALLEL_FROM / 256, 1)
/* Whether this member does work that is done only once, before or after a loop. */
#define LEADS (me->index == 0)

#endif
