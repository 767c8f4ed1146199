/* Options of a solve: checks and defaults. */
#ifndef VKS_SOLVERS_SOLVE_OPTIONS_H
#define VKS_SOLVERS_SOLVE_OPTIONS_H

#include "solvers/method.h"

/* Whether options leave the method to the library; and whether they are valid for that: only the precision of
 * CG's preconditioner may be set then. */
bool options_leave_choice(const struct equation *q, const vks_solve_options *o);
vks_status options_check_choice(const vks_matrix *A, const vks_solve_options *o);
/* Checks the given options, and sets the defaults. VKS_INVALID_ARGUMENT, VKS_UNSUPPORTED. */
vks_status options_resolve(const struct equation *q, const vks_solve_options *given, vks_solve_options *o);
/* Whether rows of A may be permuted: the method needs no symmetric A, and M no symmetric blocks. */
bool options_may_match(const struct method *method, const vks_solve_options *o);
/* Default limit of iterations. */
uint32_t options_default_limit(const vks_matrix *A);
/* Checks only rtol, atol, max_iterations and batch_seconds, and sets their defaults. */
vks_status options_limits(struct message *m, const vks_matrix *A, vks_solve_options *o);

#endif
