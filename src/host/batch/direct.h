/* A direct method in the twins of batches; shaders/batch/direct.glsl is the shader's. */
#ifndef VKS_HOST_BATCH_DIRECT_H
#define VKS_HOST_BATCH_DIRECT_H

#include "host/batch/frame.h"

/* A correction: x = A^-1 r, and how it went. */
struct correction {
    scalar_t x[BATCH_ROWS];
    uint32_t state, fault;
};

/* Solves for c->x, which begins as r. */
typedef void batch_eliminate(const struct batch_system *A, struct correction *c);

static inline __attribute__((always_inline)) void
batch_correct(const struct batch_system *A, const scalar_t *r, scalar_t *y, batch_eliminate *eliminate)
{
    struct correction c = {.state = STATE_MET, .fault = NO_ENTRY};
    uint32_t *word = A->word;
    if (word[WORD_ENDED] || word[WORD_STATE] != STATE_RUNNING)
        return;
    memcpy(c.x, r + A->at, A->n * sizeof *r);
    eliminate(A, &c);
    for (uint32_t i = 0; i < A->n && c.state == STATE_MET; i++)
        y[A->at + i] += A->number[NUMBER_SCALE] * c.x[i];
    word[WORD_STATE] = c.state;
    word[WORD_ITERATION]++;
    word[WORD_ROW] = c.fault;
    A->number[NUMBER_RR] = 0;
}

#endif
