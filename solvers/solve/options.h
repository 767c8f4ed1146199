/* The options of a solve: checks and defaults. */
#ifndef VKS_SOLVERS_SOLVE_OPTIONS_H
#define VKS_SOLVERS_SOLVE_OPTIONS_H

#include "solvers/method.h"

/* Whether options leave the method to the library, and whether they fit: no preconditioner has options then,
 * except for the precision of CG's. */
bool options_leave_choice(const struct equation *q, const vks_solve_options *o);
vks_status options_check_choice(const vks_matrix *A, const vks_solve_options *o);
/* Checks the given options, and fills in the defaults. VKS_INVALID_ARGUMENT, VKS_UNSUPPORTED. */
vks_status options_resolve(const struct equation *q, const vks_solve_options *given, vks_solve_options *o);
/* Whether rows of A may be permuted: the method needs no symmetric A, and M no symmetric blocks of it. */
bool options_may_match(const struct method *method, const vks_solve_options *o);
/* The iterations of a solve that sets no limit. */
uint32_t options_default_limit(const vks_matrix *A);
/* Checks only rtol, atol, max_iterations and batch_seconds, and fills in their defaults. */
vks_status options_limits(struct message *m, const vks_matrix *A, vks_solve_options *o);

#endif
