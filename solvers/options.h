/* The options of a solve, judged and with the defaults filled in. */
#ifndef VKS_SOLVERS_OPTIONS_H
#define VKS_SOLVERS_OPTIONS_H

#include "solvers/method.h"

/* The preconditioner of options that were resolved. */
vks_precond_options options_precond(const struct method *method, const vks_solve_options *o);

/* Judges what is asked for, and fills in the defaults. VKS_INVALID_ARGUMENT, VKS_UNSUPPORTED. */
vks_status options_resolve(const struct equation *q, const vks_solve_options *given, vks_solve_options *o);
/* Judges rtol, atol, max_iterations and batch_seconds alone, and fills in their defaults. */
vks_status options_limits(struct message *m, const vks_matrix *A, vks_solve_options *o);

#endif
