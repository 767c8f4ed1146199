#include "command/solve/json.h"
#include "command/solve/attempts.h"
#include "command/solve/columns.h"
#include "command/solve/names.h"
#include "command/solve/order.h"
#include "report/words.h"
#include "solvers/hierarchy_text.h"
#include "vksolve/vksolve.h"

#include <math.h>

static void put_system(const struct solve_job *job, struct json *j)
{
    json_object(j, "matrix");
    json_string(j, "path", job->path);
    json_count(j, "rows", job->a.rows);
    json_count(j, "cols", job->a.cols);
    json_count(j, "entries", host_csr_entries(&job->a));
    json_bool(j, "symmetric", job->symmetric);
    json_end_object(j);
    json_string(j, "rhs", job->set.rhs);
    json_object(j, "device");
    json_string(j, "kind", vks_device_kind_text(job->device.kind));
    json_string(j, "name", job->device.name);
    json_string(j, "driver", job->device.driver);
    json_string(j, "reason", job->device_reason);
    json_end_object(j);
}

static void put_choices(const struct solve_job *job, struct json *j)
{
    solve_order_to_json(job, j);
    json_string(j, "method", vks_method_name(job->report.method));
    json_string(j, "precond", solve_precond(job).text);
    json_string(j, "scaling", vks_scaling_name(job->report.scaling));
    json_count(j, "structural_rank", job->report.structural_rank);
    json_count(j, "blocks", job->report.blocks);
    json_count(j, "largest_block", job->report.largest_block);
    json_count(j, "precond_bytes", job->report.precond_bytes);
    hierarchy_to_json(&job->report.hierarchy, j);
    json_number(j, "weight", job->report.weight > 0 ? job->report.weight : NAN);
    json_string(j, "format", job->format.text);
    json_string(j, "format_reason", job->format_reason);
    json_string(j, "precision", words_precisions[solve_precision(job)]);
    json_string(j, "iterated_in", words_precisions[job->report.iterated_in]);
    json_bool(j, "rounded", job->report.rounded);
    json_bool(j, "in_pairs", job->report.in_pairs);
    stored_to_json(&job->stored, j);
    json_count(j, "entry_kinds", job->stored.kinds);
    json_bool(j, "singular", job->set.singular);
    json_number(j, "rtol", job->set.rtol);
    json_number(j, "atol", job->set.atol);
}

static void put_outcome(const struct solve_job *job, struct json *j)
{
    const vks_solve_report *r = &job->report;
    json_string(j, "reason", vks_reason_name(r->reason));
    json_string(j, "detail", r->detail);
    json_count(j, "iterations", r->iterations);
    json_count(j, "restarts", r->restarts);
    json_count(j, "refinements", r->refinements);
    json_number(j, "initial_residual", r->initial_residual);
    json_number(j, "residual", r->residual);
    json_number(j, "true_residual", r->true_residual);
    json_number(j, "scaled_residual", r->scaled_residual);
    json_number(j, "row_range", r->row_range);
    json_number(j, "backward_error", r->backward_error);
    json_number(j, "rounding_level", r->rounding_level);
    json_bool(j, "exact_residual", r->exact_residual);
    json_bool(j, "least_squares", r->least_squares);
    json_number(j, "normal_residual", r->normal_residual);
    json_number(j, "contraction", r->contraction);
    json_number(j, "null_component", job->set.singular ? r->null_component : NAN);
    json_number(j, "error_vs_known", job->error_vs_known);
    attempts_to_json(r, j);
    solve_columns_to_json(job, j);
}

static void put_comparison(const struct solve_job *job, struct json *j)
{
    const struct comparison *c = &job->comparison;
    const char *with = solve_comparisons[job->set.compare];
    char error[32];
    snprintf(error, sizeof error, "error_vs_%s", with);
    json_number(j, error, c->difference);
    json_object(j, with);
    json_string(j, "method", c->method);
    json_number(j, "seconds", c->solved ? c->seconds : NAN);
    json_number(j, "true_residual", c->true_residual);
    json_number(j, "normal_residual", c->normal_residual);
    json_string(j, "note", c->note);
    json_end_object(j);
}

static void put_cost(const struct solve_job *job, struct json *j)
{
    json_object(j, "seconds");
    json_number(j, "read", job->seconds.read);
    json_number(j, "open", job->seconds.open);
    json_number(j, "setup", job->seconds.setup);
    json_number(j, "solve", job->seconds.solve);
    json_end_object(j);
    json_number(j, "bytes_per_iteration", job->report.bytes_per_iteration);
    json_count(j, "dispatches_per_iteration", job->report.dispatches_per_iteration);
    json_count(j, "together", job->report.together);
    json_number(j, "copy_bandwidth", job->copy_bandwidth);
    json_number(j, "bandwidth_share", solve_bandwidth(job) / job->copy_bandwidth);
}

void solve_to_json(const struct solve_job *job, struct json *j)
{
    json_object(j, NULL);
    json_string(j, "version", vks_version());
    put_system(job, j);
    put_choices(job, j);
    put_outcome(job, j);
    if (job->set.compare)
        put_comparison(job, j);
    put_cost(job, j);
    json_array(j, "hints");
    for (int k = 0; k < VKS_HINT_COUNT_; k++)
        if (job->report.hints >> k & 1)
            json_string(j, NULL, hint_text(&job->report, (vks_hint)k, VKS_FOR_COMMAND).text);
    json_end_array(j);
    json_array(j, "warnings");
    for (int i = 0; i < job->warning_count; i++)
        json_string(j, NULL, job->warnings[i]);
    json_end_array(j);
    json_end_object(j);
}
