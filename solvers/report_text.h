/* Human-readable parts of a solve's report: whole lines unless a comment says otherwise. */
#ifndef VKS_SOLVERS_REPORT_TEXT_H
#define VKS_SOLVERS_REPORT_TEXT_H

#include "solvers/hint_text.h"
#include "solvers/precond_text.h"

#include <stdbool.h>
#include <stdio.h>

/* Returns the detail, or the text of the reason. */
const char *report_ending(const vks_solve_report *r, vks_language language);
/* Prints a line for each hint. */
void report_print_hints(const vks_solve_report *r, vks_language language, FILE *to);
/* The preconditioner of an attempt. */
struct precond_text report_attempt_precond(const vks_attempt *a);
struct method_text {
    char text[sizeof(struct precond_text) + 64];
};

/* "cg with jacobi", "jacobi, weight 1", "gauss-jordan" */
struct method_text report_method(const vks_solve_report *r, const struct precond_text *precond);
/* Prints the method, its blocks and its scaling, without a newline. */
void report_print_method(const vks_solve_report *r, const struct precond_text *precond, FILE *to);
/* Prints why the strategies were chosen and, if there are several, how each ended. */
void report_print_attempts(const vks_solve_report *r, FILE *to);
/* Prints the precision of refined iterations. */
void report_print_refinement(const vks_solve_report *r, FILE *to);
/* Prints which iterations ran, without a newline: "468 iterations of cg with jacobi, then 5 of cg with
 * amg/f32". */
void report_print_iterated(const vks_solve_report *r, FILE *to);
/* Prints iterations and residuals. */
void report_print_course(const vks_solve_report *r, FILE *to);
/* Whether the method is direct. If so, its iterations refine x and show no progress. */
static inline bool solves_at_once(int method)
{
    return method == VKS_METHOD_GAUSS_JORDAN || method == VKS_METHOD_DIRECT;
}

/* Whether the solve ended before the first iteration or elimination. */
bool report_was_refused(const vks_solve_report *r);

#endif
