/* What the two forms of conjugate gradients share: a dispatch for each step, and many iterations in one. */
#ifndef VKS_SOLVERS_CG_H
#define VKS_SOLVERS_CG_H

#include "solvers/solver.h"

/* The work vectors. */
enum { R, P, Q, CG_VECTORS };

static inline cg_numbers cg_scalars(const struct workspace *w)
{
    return (cg_numbers)(uintptr_t)w->numbers;
}

/* cg_together.c: whether, and with how many workgroups, iterations share a dispatch: w->groups. */
vks_status cg_together_prepare(struct solve *s);
void cg_together(struct rec *r, const struct system *s, const struct workspace *w, uint32_t count);

#endif
