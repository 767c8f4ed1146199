/* The method and the preconditioner of a solve, in the words of its options. */
#ifndef VKS_COMMAND_SOLVE_NAMES_H
#define VKS_COMMAND_SOLVE_NAMES_H

#include "command/solve/job.h"
#include "solvers/report_text.h"

/* The requested preconditioner, with auto replaced by the kind it selected. */
struct precond_text solve_precond(const struct solve_job *job);

/* "cg with jacobi", "jacobi, weight 1", "gauss-jordan" */
struct method_text solve_method(const struct solve_job *job);

#endif
