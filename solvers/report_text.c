#include "solvers/report_text.h"
#include "report/words.h"

#include <math.h>
#include <string.h>

/* The library's text names a callback, which the command does not offer. */
const char *report_ending(const vks_solve_report *r, vks_language language)
{
    if (r->detail[0])
        return r->detail;
    return r->reason == VKS_REASON_CANCELLED && language == VKS_FOR_COMMAND
               ? "a signal ended the solve, such as that of Ctrl-C"
               : vks_reason_text(r->reason);
}

void report_print_hints(const vks_solve_report *r, vks_language language, FILE *to)
{
    for (int k = 0; k < VKS_HINT_COUNT_; k++)
        if (r->hints >> k & 1)
            fprintf(to, "hint        %s\n", hint_text(r, (vks_hint)k, language).text);
}

struct precond_text report_attempt_precond(const vks_attempt *a)
{
    vks_precond_options o = {0};
    if (a->precond_options)
        o = *a->precond_options;
    o.kind = a->precond;
    o.in_f32 |= a->in_f32;
    return precond_write(&o);
}

struct method_text report_method(const vks_solve_report *r, const struct precond_text *precond)
{
    bool has_precond = vks_method_takes_precond(r->method);
    struct method_text w;
    char weight[32] = "";
    if (r->weight > 0) /* 0: no weight, or A was refused before it was computed */
        snprintf(weight, sizeof weight, ", weight %.4g", r->weight);
    snprintf(w.text, sizeof w.text, "%s%s%s%s", vks_method_name(r->method), has_precond ? " with " : "",
             has_precond ? precond->text : "", weight);
    return w;
}

void report_print_method(const vks_solve_report *r, const struct precond_text *precond, FILE *to)
{
    fprintf(to, "method      %s", report_method(r, precond).text);
    if (r->blocks)
        fprintf(to, " (%s block%s of up to %u row%s)", words_count(r->blocks).text, r->blocks == 1 ? "" : "s",
                r->largest_block, r->largest_block == 1 ? "" : "s");
    if (r->scaling > VKS_SCALING_NONE)
        fprintf(to, ", scaling %s", vks_scaling_name(r->scaling));
}

static void print_attempt(const vks_attempt *a, bool last, FILE *to)
{
    bool takes = vks_method_takes_precond(a->method);
    fprintf(to, "            %s%s%s", vks_method_name(a->method), takes ? " with " : "",
            takes ? report_attempt_precond(a).text : "");
    if (a->restart)
        fprintf(to, ", restart %u", a->restart);
    if (a->scaling > VKS_SCALING_NONE)
        fprintf(to, ", scaling %s", vks_scaling_name(a->scaling));
    fprintf(to, ": ");
    if (isnan(a->true_residual))
        fprintf(to, "not begun");
    else
        fprintf(to, "%s iteration%s, residual %s", words_count(a->iterations).text,
                a->iterations == 1 ? "" : "s", words_number(a->true_residual).text);
    if (a->reason == VKS_REASON_ITERATION_LIMIT && !last)
        fprintf(to, ", its budget");
    else if (a->reason != VKS_REASON_NOT_RUN)
        fprintf(to, ", %s", vks_reason_name(a->reason));
    fputc('\n', to);
}

void report_print_attempts(const vks_solve_report *r, FILE *to)
{
    if (!r->attempts)
        return;
    fprintf(to, "chosen      %s\n", r->choice);
    for (uint32_t i = 0; i < r->attempts && r->attempts > 1; i++)
        print_attempt(&r->attempt[i], i + 1 == r->attempts, to);
}

void report_print_refinement(const vks_solve_report *r, FILE *to)
{
    fprintf(to, "iterating   in f32%s; x and the residual in %s, refined %s time%s\n",
            r->rounded ? " with the values rounded" : "", r->in_pairs ? "pairs of f32" : "f64",
            words_count(r->refinements).text, r->refinements == 1 ? "" : "s");
}

bool report_was_refused(const vks_solve_report *r)
{
    if (solves_at_once(r->method))
        return isnan(r->true_residual);
    return r->iterations == 0 && r->reason != VKS_REASON_CONVERGED && r->reason != VKS_REASON_CANCELLED;
}

static void print_iterated(const vks_attempt *a, bool first, FILE *to)
{
    bool takes = vks_method_takes_precond(a->method) && a->precond > VKS_PRECOND_NONE;
    fprintf(to, "%s%s%s of %s%s%s", first ? "" : ", then ", words_count(a->iterations).text,
            !first               ? ""
            : a->iterations == 1 ? " iteration"
                                 : " iterations",
            vks_method_name(a->method), takes ? " with " : "", takes ? report_attempt_precond(a).text : "");
}

void report_print_iterated(const vks_solve_report *r, FILE *to)
{
    const vks_attempt whole = {.method = r->method, .precond = r->precond, .iterations = r->iterations};
    bool first = true;
    for (uint32_t k = 0; k < r->attempts; k++)
        if (r->attempt[k].iterations) {
            print_iterated(&r->attempt[k], first, to);
            first = false;
        }
    if (first)
        print_iterated(&whole, true, to);
}

static void print_iterations(const vks_solve_report *r, FILE *to)
{
    fprintf(to, "iterations  %s", words_count(r->iterations).text);
    if (r->iterations)
        fprintf(to, ", %s each", words_seconds(r->seconds_solve / r->iterations).text);
    if (r->iterations && r->together)
        fprintf(to, ", many to a dispatch of %s workgroups that wait for each other",
                words_count(r->together).text);
    if (r->restarts)
        fprintf(to, ", restarted from the true residual %u time%s", r->restarts, r->restarts > 1 ? "s" : "");
    if (!isnan(r->contraction))
        fprintf(to, ", each%s multiplies the residual by %.*g%s",
                r->attempts > 1 ? " of the last attempt" : "", r->hierarchy.levels ? 3 : 6, r->contraction,
                r->hierarchy.levels ? " on average" : "");
    fputc('\n', to);
}

static void print_residual(const vks_solve_report *r, FILE *to)
{
    fprintf(to, "residual    %s recomputed in %s, %s by the iteration%s", words_number(r->true_residual).text,
            r->exact_residual ? "pairs of doubles" : "double precision", words_number(r->residual).text,
            isnan(r->row_range) && isfinite(r->true_residual)
                ? "; its rounding errors are not known without entries"
                : "");
    if (!isnan(r->backward_error) && r->backward_error_row != UINT32_MAX)
        fprintf(to, "; backward error %s in row %s", words_number(r->backward_error).text,
                words_count(r->backward_error_row + 1).text);
    fputc('\n', to);
    if (!isnan(r->scaled_residual))
        fprintf(to, "scaled      %s with the rows of A divided by their sizes, which differ by %s\n",
                words_number(r->scaled_residual).text, words_number(r->row_range).text);
}

void report_print_course(const vks_solve_report *r, FILE *to)
{
    print_iterations(r, to);
    if (isnan(r->true_residual) && report_was_refused(r))
        fprintf(to, "residual    not computed: %s\n",
                solves_at_once(r->method) ? "no x was found" : "refused before the first iteration");
    else
        print_residual(r, to);
    if (!isnan(r->normal_residual))
        fprintf(to, "normal      ||A^T r|| is %s of ||A|| ||r||, r = b - A x\n",
                words_number(r->normal_residual).text);
}
