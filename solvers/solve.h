/* A solve: options checked, planned, set up. The driver (run/) then runs it. */
#ifndef VKS_SOLVERS_SOLVE_H
#define VKS_SOLVERS_SOLVE_H

#include "solvers/run/run.h"

/* Checks that the vectors fit the matrix. */
vks_status solve_check(const vks_matrix *A, const vks_vector *b, const vks_vector *x, bool partners);
/* Checks the options and plans the solve of an equation. The report is that of a solve that has not run. */
vks_status solve_open(struct solve *s, const struct equation *q, const vks_solve_options *options,
                      vks_solve_report *report);

/* Plans it for these options, of one method. */
vks_status solve_plan(struct solve *s, const vks_solve_options *options);

/* setup.c: workspace, preconditioner and recordings. s->finding and the report say if A does not suit. */
vks_status solve_setup(struct solve *s);
/* Whether a shared preconditioner, or the matrix that it is of, has new values. */
bool solve_is_stale(const struct solve *s);
/* Takes new values of A and of a shared preconditioner. *anew: with these values the system is scaled or
 * permuted otherwise, and the solve is to be set up anew. */
vks_status solve_take_values(struct solve *s, bool *anew);
/* For attempts.c. The facts of krylov.M in the report. */
void solve_tell_precond(struct solve *s);
/* The scaling in the report, and what it has found. */
void solve_tell_scaling(struct solve *s);
/* The method in the report, as it was planned. */
void solve_tell_plan(struct solve *s);
/* Workgroups that iterate together with krylov.M. */
vks_status solve_prepare_fused(struct solve *s);
/* Records for krylov.M what a start of a cycle is; batches follow when they are wanted. */
vks_status solve_record_again(struct solve *s);
/* For chain_next.c. The set-up of a method that solves at once, beside the best x, which is the present one.
 */
vks_status solve_setup_whole(struct solve *s);
/* Frees all, also after a failure. */
void solve_release(struct solve *s);
/* Frees all but what outlives a method: the equation, the chain, the report and the progress. */
void solve_clear(struct solve *s);

/* vks_solver.c */

#endif
