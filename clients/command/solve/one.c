#include "command/solve/one.h"
#include "command/plot/gnuplot.h"
#include "command/shared/exit_code.h"
#include "command/shared/files.h"
#include "command/solve/compare.h"
#include "command/solve/json.h"
#include "command/solve/known.h"
#include "command/solve/load.h"
#include "command/solve/nodes.h"
#include "command/solve/order.h"
#include "command/solve/plot.h"
#include "command/solve/report.h"
#include "command/solve/run.h"
#include "market/market.h"

#include <math.h>
#include <stdlib.h>

static vks_status check_outputs(struct message *m, const struct solve_settings *set)
{
    TRY(file_check(m, set->output));
    TRY(file_check(m, set->history));
    TRY(gnuplot_check(m, set->plot));
    return file_check(m, set->json);
}

static vks_status prepare_history(struct message *m, struct solve_job *job)
{
    size_t bytes = (SOLVE_HISTORY + 1) * sizeof *job->history;
    if (!job->set.history && !job->set.plot)
        return VKS_OK;
    job->history = malloc(bytes);
    return job->history ? VKS_OK : fail_memory(m, "the history", bytes);
}

/* An x that is not finite is not written. */
static vks_status write_solution(struct message *m, struct solve_job *job)
{
    uint32_t n = job->a.cols;
    for (size_t i = 0; i < (size_t)n * job->columns; i++)
        if (!isfinite(job->x[i])) {
            solve_warn(job, "%s is not written: element %zu of x is not finite", job->set.output, i + 1);
            return VKS_OK;
        }
    return market_write_dense(m, job->set.output, n, job->columns, job->x);
}

/* Does all work after the solve. Saves costly results first. A file that fails does not stop the others. */
static vks_status finish(struct message *m, struct solve_job *job)
{
    const struct solve_settings *set = &job->set;
    const vks_solve_report *r = &job->report;
    vks_status status = set->output ? write_solution(m, job) : VKS_OK;
    vks_status next = set->history ? file_write_history(m, set->history, job->history, r->history_count + 1,
                                                        r->history_step, r->iterations)
                                   : VKS_OK;
    status = status ? status : next;
    next = set->plot ? solve_plot(m, job) : VKS_OK;
    status = status ? status : next;
    if (job->history && r->history_count == SOLVE_HISTORY &&
        (uint64_t)SOLVE_HISTORY * r->history_step < r->iterations)
        solve_warn(job, "the history holds the first %u residuals", r->history_count);
    next = set->compare ? solve_compare(m, job) : VKS_OK;
    status = status ? status : next;
    if (set->json) {
        struct json j = {0};
        solve_to_json(job, &j);
        next = file_write_json(m, set->json, &j);
        status = status ? status : next;
    }
    if (!set->quiet && job->is_of_several)
        solve_print_line(job);
    else if (!set->quiet && !file_is_stream(set->json))
        solve_print(job, file_is_stream(set->output) || file_is_stream(set->history) ? stderr : stdout);
    return status;
}

static vks_status load_and_solve(struct message *m, struct solve_job *job, struct opening *o)
{
    TRY(solve_load(m, job));
    TRY(solve_take_nodes(m, job));
    return solve_on_device(m, job, o);
}

static vks_status solve(struct message *m, struct solve_job *job)
{
    struct opening o;
    solve_begin_opening(job, &o);
    vks_status status = load_and_solve(m, job, &o);
    solve_end_opening(&o);
    return status;
}

static vks_status run(struct message *m, struct solve_job *job)
{
    TRY(check_outputs(m, &job->set));
    TRY(prepare_history(m, job));
    live_begin(&job->live, !job->set.quiet && !file_is_stream(job->set.json));
    vks_status status = solve(m, job);
    live_end(&job->live);
    TRY(status);
    solve_warn_of_zero(job);
    return finish(m, job);
}

int solve_one(struct solve_job *job)
{
    struct message m = {0};
    vks_status status = run(&m, job);
    solve_order_free(&job->order);
    coordinates_free(&job->coordinates);
    host_csr_free(&job->a);
    free(job->b);
    free(job->x);
    free(job->column);
    free(job->history);
    return status ? complain(status, m.text) : vks_reason_exit_code(job->report.reason);
}
