/* Diagnosis of a matrix by a set-up or an iteration: why the matrix is unsuitable, and warnings. */
#ifndef VKS_SOLVERS_DIAGNOSIS_H
#define VKS_SOLVERS_DIAGNOSIS_H

#include "report/caller.h"
#include "vksolve/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diagnosis {
    vks_reason reason;     /* VKS_REASON_NOT_RUN: nothing is wrong */
    uint32_t row;          /* the caller's row number, from 0; UINT32_MAX: none */
    const uint32_t *order; /* the caller's number of each row; NULL: same order */
    char detail[256], warning[256];
    struct caller caller; /* polled during a long set-up */
};

static inline bool diagnosis_refuses(const struct diagnosis *f)
{
    return f->reason != VKS_REASON_NOT_RUN;
}

/* Clears all except the order and the caller. */
void diagnosis_clear(struct diagnosis *f);
/* Copies order and caller from `other`. */
void diagnosis_inherit(struct diagnosis *f, const struct diagnosis *other);
/* Polls the caller. If the caller cancels, sets the reason CANCELLED. */
bool diagnosis_cancels(struct diagnosis *f);
/* Records a cancellation that was detected elsewhere. */
void diagnosis_cancel(struct diagnosis *f);

/* The caller's number of a row. */
static inline uint32_t diagnosis_row(const struct diagnosis *f, uint32_t row)
{
    return f->order ? f->order[row] : row;
}

/* Appends ", in f32" to a nonempty detail that does not end with it. */
void detail_add_f32(char *detail, size_t size);

/* Sets reason, row (the caller's, or UINT32_MAX) and detail. */
__attribute__((format(printf, 4, 5))) void diagnosis_refuse(struct diagnosis *f, vks_reason reason,
                                                            uint32_t row, const char *detail, ...);
/* Set only the detail, or only the warning. */
__attribute__((format(printf, 2, 3))) void diagnosis_detail(struct diagnosis *f, const char *detail, ...);
__attribute__((format(printf, 2, 3))) void diagnosis_warn(struct diagnosis *f, const char *warning, ...);

#endif
