/* The report of a solve for people, in parts: whole lines but where a comment says otherwise. */
#ifndef VKS_SOLVERS_REPORT_TEXT_H
#define VKS_SOLVERS_REPORT_TEXT_H

#include "solvers/hint_text.h"
#include "solvers/precond_text.h"

#include <stdbool.h>
#include <stdio.h>

/* How it ended: the detail, or what the reason means. */
const char *report_ending(const vks_solve_report *r, vks_language language);
/* A line for each hint. */
void report_print_hints(const vks_solve_report *r, vks_language language, FILE *to);
/* The preconditioner of an attempt. */
struct precond_text report_attempt_precond(const vks_attempt *a);
struct method_text {
    char text[sizeof(struct precond_text) + 64];
};

/* "cg with jacobi", "jacobi, weight 1", "gauss-jordan" */
struct method_text report_method(const vks_solve_report *r, const struct precond_text *precond);
/* The method, its blocks and its scaling, without an end of the line. */
void report_print_method(const vks_solve_report *r, const struct precond_text *precond, FILE *to);
/* Why the attempts were chosen, and how they ended, if there are several. */
void report_print_attempts(const vks_solve_report *r, FILE *to);
/* The precision of iterations that are refined. */
void report_print_refinement(const vks_solve_report *r, FILE *to);
/* Which iterations ran, without an end of the line: "468 iterations of cg with jacobi, then 5 of cg with
 * amg/f32". */
void report_print_iterated(const vks_solve_report *r, FILE *to);
/* Iterations and residuals. */
void report_print_course(const vks_solve_report *r, FILE *to);
/* Whether the method is an elimination. Its iterations refine x, and show no progress. */
static inline bool solves_at_once(int method)
{
    return method == VKS_METHOD_GAUSS_JORDAN || method == VKS_METHOD_DIRECT;
}

/* Whether the solve ended before the first iteration, or the elimination. */
bool report_was_refused(const vks_solve_report *r);

#endif
