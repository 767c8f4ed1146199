#include "command/solve/explain.h"
#include "command/shared/exit_code.h"
#include "command/shared/files.h"
#include "command/shared/plan.h"
#include "command/solve/load.h"
#include "command/solve/nodes.h"
#include "command/solve/run.h"

#include <stdlib.h>

static vks_status plan(struct message *m, struct solve_job *job, vks_plan *to)
{
    struct planner p = {0};
    vks_precision precision = job->set.precision < 0 ? VKS_F64 : (vks_precision)job->set.precision;
    vks_status status = solve_load(m, job);
    if (!status)
        status = solve_take_nodes(m, job);
    job->in_f32 = precision == VKS_MIXED && solve_refines(job);
    vks_solve_options options = solve_options(job);
    if (!status)
        status = planner_open(m, &job->a, precision, &p);
    if (!status)
        status = planner_plan(m, &p, &options, to);
    planner_close(&p);
    return status;
}

int solve_explain(struct solve_job *job)
{
    struct message m = {0};
    vks_plan told;
    vks_status status = plan(&m, job, &told);
    if (!status && job->set.json) {
        struct json j = {0};
        json_object(&j, NULL);
        plan_to_json(&told, &j);
        json_end_object(&j);
        status = file_write_json(&m, job->set.json, &j);
    }
    if (!status && !job->set.quiet && !file_is_stream(job->set.json)) {
        plan_print(&told, stdout);
        for (int i = 0; i < job->warning_count; i++)
            printf("warning     %s\n", job->warnings[i]);
    }
    coordinates_free(&job->coordinates);
    host_csr_free(&job->a);
    free(job->b);
    return status ? complain(status, m.text) : EXIT_DONE;
}
