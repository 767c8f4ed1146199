/* Findings of a set-up or an iteration about a matrix: why it does not suit, and doubts about it. */
#ifndef VKS_SOLVERS_FINDING_H
#define VKS_SOLVERS_FINDING_H

#include "report/caller.h"
#include "vksolve/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct finding {
    vks_reason reason;     /* VKS_REASON_NOT_RUN: nothing is wrong */
    uint32_t row;          /* the caller's number of the row, from 0; UINT32_MAX: none */
    const uint32_t *order; /* the caller's number of each row; NULL: rows are in the caller's order */
    char detail[256], warning[256];
    struct caller caller; /* of a long set-up, who may cancel it */
};

static inline bool finding_refuses(const struct finding *f)
{
    return f->reason != VKS_REASON_NOT_RUN;
}

/* Clears all but the order, and who is asked. */
void finding_clear(struct finding *f);
/* Takes these from another one. */
void finding_ask_as(struct finding *f, const struct finding *other);
/* Asks the caller. If the set-up is wanted no more, f refuses as CANCELLED. */
bool finding_cancels(struct finding *f);
/* The same where somebody else has asked. */
void finding_cancel(struct finding *f);

/* The number by which the caller knows a row. */
static inline uint32_t finding_row(const struct finding *f, uint32_t row)
{
    return f->order ? f->order[row] : row;
}

/* Adds "in f32" to a detail that is not empty. */
void detail_add_f32(char *detail, size_t size);

/* Sets reason, row (the caller's, or UINT32_MAX) and detail. */
__attribute__((format(printf, 4, 5))) void finding_refuse(struct finding *f, vks_reason reason, uint32_t row,
                                                          const char *detail, ...);
/* Set only the detail, or only the warning. */
__attribute__((format(printf, 2, 3))) void finding_tell(struct finding *f, const char *detail, ...);
__attribute__((format(printf, 2, 3))) void finding_warn(struct finding *f, const char *warning, ...);

#endif
