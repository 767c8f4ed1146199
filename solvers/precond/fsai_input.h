/* Input from which FSAI computes its factors, and the diagnosis of unsuitable matrices. */
#ifndef VKS_SOLVERS_PRECOND_FSAI_INPUT_H
#define VKS_SOLVERS_PRECOND_FSAI_INPUT_H

#include "solvers/precond.h"
#include "sparse/transposed.h"

/* Input of one factor: A, or for the second factor its transpose; weights of columns, sizes of rows. */
struct fsai_side {
    struct csr A;
    struct vec weight, size;
    struct memory most;
};

struct fsai_input {
    struct precond *M;
    uint32_t sides;
    enum precision precision; /* of recordings with the values of A */
    struct fsai_side side[2];
    struct transposed of_A;
    struct memory flags;
    struct room room;
};

static inline bool fsai_is_positive(const struct precond *M)
{
    return M->use == PRECOND_FOR_POSITIVE;
}

/* Starts a set-up, or an update of values, for one or two factors; f may refuse A. fsai_input_close is
 * required even after a failure. */
vks_status fsai_input_open(struct precond *M, uint32_t sides, struct fsai_input *w, struct diagnosis *f);
/* Reads the flags; f may refuse A, or factors that overflow. */
vks_status fsai_diagnose(const struct fsai_input *w, struct diagnosis *f);
void fsai_input_close(struct fsai_input *w);

#endif
