/* Iterations of conjugate gradients in sequence: a kernel that runs alone needs no all-reduce. */
#ifndef VKS_HOST_SOLVER_CG_TOGETHER_H
#define VKS_HOST_SOLVER_CG_TOGETHER_H

#include "host/solver/control.h"
#include "shaders/solver/cg.h"
#include "shaders/solver/together.h"

/* The name of the twin of a kernel without `values`. */
#if REAL == 64
#define VECTOR_TWIN(name) JOIN(name, f64, ISA)
#else
#define VECTOR_TWIN(name) JOIN(name, f32, ISA)
#endif

void VECTOR_TWIN(cg_update)(const void *args, struct member *me);
void VECTOR_TWIN(cg_direction)(const void *args, struct member *me);

struct iterations {
    uint32_t count;
    team_body product; /* q = A p and tile sums */
    const void *product_args;
    struct cg_update_args update;
    struct cg_direction_args direction;
};

static inline void iterate(const struct iterations *a, struct member *me)
{
    for (uint32_t turn = 0; turn < a->count && alive(a->update.c); turn++) {
        team_call(me, a->product, a->product_args);
        team_call(me, VECTOR_TWIN(cg_update), &a->update);
        team_call(me, VECTOR_TWIN(cg_direction), &a->direction);
    }
}

/* struct iterations from the arguments of any cg_together_...: common members have the same names. */
#define ITERATIONS(a, twin, args)                                                                        \
    {                                                                                                    \
        (a)->count, (twin), (args),                                                                      \
            {.c = (a)->c,                                                                                \
             .w = (a)->w,                                                                                \
             .r = (a)->r,                                                                                \
             .q = (a)->q,                                                                                \
             .d = (a)->d,                                                                                \
             .s = (a)->s,                                                                                \
             .n = (a)->n,                                                                                \
             .stride = (a)->stride,                                                                      \
             .form = (a)->form,                                                                          \
             .comes = SUMS_IN_TILES},                                                                    \
        {                                                                                                \
            .c = (a)->c, .w = (a)->w, .x = (a)->x, .p = (a)->p, .r = (a)->r, .d = (a)->d,                \
            .history = (a)->history, .s = (a)->s, .n = (a)->n, .stride = (a)->stride, .form = (a)->form, \
            .kept = (a)->sync_words[RENDEZVOUS_KEPT], .comes = SUMS_IN_STRIPES                           \
        }                                                                                                \
    }

#endif
