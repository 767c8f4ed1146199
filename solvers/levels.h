/* Access to the matrices of a multigrid hierarchy. */
#ifndef VKS_SOLVERS_LEVELS_H
#define VKS_SOLVERS_LEVELS_H

#include "vksolve/precond.h"

/* Matrix of level `at`; 0 is the finest. NULL: no such level. It lives until M is updated or destroyed. */
const vks_matrix *precond_level(const vks_precond *M, uint32_t at);

#endif
