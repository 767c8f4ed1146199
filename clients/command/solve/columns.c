#include "command/shared/interrupt.h"
#include "command/solve/job.h"
#include "command/solve/order.h"
#include "report/words.h"

#include <stdlib.h>

/* The most columns that are printed one per line. */
enum { MOST_LINES = 10 };

/* Whether r is reported rather than `than`: a failure before a success, then the slower one. */
static bool is_worth_more(const vks_solve_report *r, const vks_solve_report *than)
{
    bool failed = r->reason != VKS_REASON_CONVERGED, before = than->reason != VKS_REASON_CONVERGED;
    return failed != before ? failed : !failed && r->seconds_solve > than->seconds_solve;
}

static void take_report(struct solve_job *job, uint32_t k, const vks_solve_report *r)
{
    job->column[k] = (struct solve_column){r->reason, r->iterations, r->seconds_solve, r->true_residual};
    job->seconds.setup += r->seconds_setup;
    if (k && !is_worth_more(r, &job->report))
        return;
    job->reported = k;
    job->report = *r;
    job->seconds.solve = r->seconds_solve;
}

/* solver: NULL for a single column. */
static vks_status solve_column(struct solve_job *job, uint32_t k, const vks_matrix *A, vks_solver *solver,
                               vks_vector *b, vks_vector *x, const vks_solve_options *options)
{
    vks_solve_report r = {0};
    uint32_t rows = job->a.rows, cols = job->a.cols;
    double *to = job->x + (size_t)k * cols;
    const double *from = solve_order_there(&job->order, rows, job->b + (size_t)k * rows);
    TRY(vks_vector_write(b, 0, rows, VKS_F64, from));
    TRY(solver ? vks_solver_solve(solver, b, x, &r) : vks_solve(A, b, x, options, &r));
    TRY(vks_vector_read(x, 0, cols, VKS_F64, to));
    solve_order_back(&job->order, cols, to);
    take_report(job, k, &r);
    return VKS_OK;
}

/* Several columns share one solver. */
vks_status solve_columns(struct message *m, struct solve_job *job, const vks_matrix *A, vks_vector *b,
                         vks_vector *x, const vks_solve_options *options)
{
    size_t n = job->a.cols, bytes = n * job->columns * sizeof *job->x;
    bool keeps = job->columns > 1 && !solves_at_once(options->method);
    vks_solver *solver = NULL;
    job->x = calloc(n * job->columns + 1, sizeof *job->x);
    job->column = calloc(job->columns, sizeof *job->column);
    if (!job->x || !job->column)
        return fail_memory(m, "the solution", bytes);
    vks_status status = keeps ? vks_solver_create(A, options, &solver) : VKS_OK;
    for (uint32_t k = 0; k < job->columns && !status && (k == 0 || !interrupted()); k++)
        status = solve_column(job, k, A, solver, b, x, options);
    vks_solver_destroy(solver);
    return status;
}

static uint32_t count_converged(const struct solve_job *job)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < job->columns; k++)
        count += job->column[k].reason == VKS_REASON_CONVERGED;
    return count;
}

/* Prints all columns if they are few, else those that failed. */
void solve_columns_print(const struct solve_job *job, FILE *to)
{
    uint32_t converged = count_converged(job), printed = 0, of_interest;
    bool all = job->columns <= MOST_LINES;
    double seconds = 0;
    if (job->columns <= 1)
        return;
    for (uint32_t k = 0; k < job->columns; k++)
        seconds += job->column[k].seconds;
    of_interest = all ? job->columns : job->columns - converged;
    fprintf(to, "columns     %s of b, %s converged, in %s; the rest of the report is about column %u\n",
            words_count(job->columns).text, converged == job->columns ? "all" : words_count(converged).text,
            words_seconds(seconds).text, job->reported + 1);
    for (uint32_t k = 0; k < job->columns && printed < MOST_LINES; k++) {
        const struct solve_column *c = &job->column[k];
        if (!all && c->reason == VKS_REASON_CONVERGED)
            continue;
        fprintf(to, "  column %-6u %10s iterations %10s %14s  %s\n", k + 1, words_count(c->iterations).text,
                words_seconds(c->seconds).text, words_number(c->true_residual).text,
                vks_reason_name(c->reason));
        printed++;
    }
    if (printed < of_interest)
        fprintf(to, "  and %u more; --json lists all\n", of_interest - printed);
}

void solve_columns_to_json(const struct solve_job *job, struct json *j)
{
    json_array(j, "columns");
    for (uint32_t k = 0; k < job->columns; k++) {
        const struct solve_column *c = &job->column[k];
        json_object(j, NULL);
        json_string(j, "reason", vks_reason_name(c->reason));
        json_count(j, "iterations", c->iterations);
        json_number(j, "seconds", c->seconds);
        json_number(j, "true_residual", c->true_residual);
        json_end_object(j);
    }
    json_end_array(j);
}
