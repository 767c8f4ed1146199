/* The matrices of a multigrid hierarchy, for those who look at them. */
#ifndef VKS_SOLVERS_LEVELS_H
#define VKS_SOLVERS_LEVELS_H

#include "vksolve/precond.h"

/* The matrix of a level, from 0, the finest; NULL: M has no such level. It lives until M is updated or
 * destroyed. */
const vks_matrix *precond_level(const vks_precond *M, uint32_t at);

#endif
