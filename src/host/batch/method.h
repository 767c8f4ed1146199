/* The loop of a method in the twins of batches; shaders/batch/method.glsl is the shader's. */
#ifndef VKS_HOST_BATCH_METHOD_H
#define VKS_HOST_BATCH_METHOD_H

#include "host/batch/frame.h"

/* A system, its parts of the vectors, and the numbers of its iterations. */
struct iterations {
    struct batch_system A;
    scalar_t *y, *r, *p, *shadow;
    const scalar_t *d;
    real rho, rr, stop, scale;
    uint32_t k, limit, state;
};

/* Sums r . z or r~ . r, and r . r; then the state. */
typedef void batch_begin(struct iterations *t, bool is_fresh);
typedef void batch_step(struct iterations *t);

/* ITERATIONS(a, s): system s of a kernel with these arguments. */
#define ITERATIONS(a_, s)                                                                 \
    {                                                                                     \
        .A = BATCH_SYSTEM(a_, s), .y = (a_)->y, .r = (a_)->r, .p = (a_)->p, .d = (a_)->d, \
        .limit = (a_)->limit                                                              \
    }

static inline __attribute__((always_inline)) void batch_iterate(struct iterations *t, uint32_t turns,
                                                                batch_begin *begin, batch_step *step)
{
    uint32_t *word = t->A.word;
    if (word[WORD_ENDED] || word[WORD_STATE] != STATE_RUNNING)
        return;
    t->y += t->A.at;
    t->r += t->A.at;
    t->p += t->A.at;
    t->d += t->A.at;
    t->k = word[WORD_ITERATION];
    t->stop = t->A.number[NUMBER_STOP];
    t->scale = t->A.number[NUMBER_SCALE];
    begin(t, word[WORD_FRESH]);
    for (uint32_t turn = 0; turn < turns && t->state == STATE_RUNNING; turn++)
        step(t);
    word[WORD_STATE] = t->state;
    word[WORD_ITERATION] = t->k;
    word[WORD_FRESH] = 0;
    t->A.number[NUMBER_RR] = t->rr;
}

#endif
