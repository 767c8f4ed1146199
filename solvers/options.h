/* The options of a solve: checks and defaults. */
#ifndef VKS_SOLVERS_OPTIONS_H
#define VKS_SOLVERS_OPTIONS_H

#include "solvers/method.h"

/* The preconditioner of options that were resolved. */
vks_precond_options options_precond(const struct method *method, const vks_solve_options *o);

/* Checks the given options, and fills in the defaults. VKS_INVALID_ARGUMENT, VKS_UNSUPPORTED. */
vks_status options_resolve(const struct equation *q, const vks_solve_options *given, vks_solve_options *o);
/* Whether rows of A may be permuted: the method needs no symmetric A, and M no symmetric blocks of it. */
bool options_may_match(const struct method *method, const vks_solve_options *o);
/* The iterations of a solve that sets no limit. */
uint32_t options_default_limit(const vks_matrix *A);
/* Checks only rtol, atol, max_iterations and batch_seconds, and fills in their defaults. */
vks_status options_limits(struct message *m, const vks_matrix *A, vks_solve_options *o);

#endif
