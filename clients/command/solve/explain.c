#include "command/solve/explain.h"
#include "command/shared/device.h"
#include "command/shared/exit_code.h"
#include "command/shared/files.h"
#include "command/shared/plan.h"
#include "command/solve/load.h"
#include "command/solve/nodes.h"
#include "command/solve/run.h"

#include <stdlib.h>
#include <string.h>

/* Whether the user named a Vulkan device. */
static bool is_of_gpu(const struct solve_settings *set)
{
    const char *word = device_choice(set->device);
    return strcmp(word, "auto") != 0 && strcmp(word, "host") != 0;
}

static vks_status plan(struct message *m, struct solve_job *job, struct planner *p, vks_plan *to)
{
    vks_precision precision = job->set.precision < 0 ? VKS_F64 : (vks_precision)job->set.precision;
    TRY(solve_load(m, job));
    TRY(solve_take_nodes(m, job));
    TRY(planner_open(m, &job->a, precision, p));
    job->in_f32 = precision == VKS_MIXED && solve_refines(job);
    vks_solve_options options = solve_options(job);
    options.any_device |= options.method == VKS_METHOD_AUTO && is_of_gpu(&job->set);
    return planner_plan(m, p, &options, to);
}

int solve_explain(struct solve_job *job)
{
    struct message m = {0};
    struct planner p = {0};
    vks_plan attempts;
    vks_status status = plan(&m, job, &p, &attempts);
    planner_close(&p);
    if (!status && job->set.json) {
        struct json j = {0};
        json_object(&j, NULL);
        plan_to_json(&attempts, &j);
        json_end_object(&j);
        status = file_write_json(&m, job->set.json, &j);
    }
    if (!status && !job->set.quiet && !file_is_stream(job->set.json)) {
        plan_print(&attempts, stdout);
        for (int i = 0; i < job->warning_count; i++)
            printf("warning     %s\n", job->warnings[i]);
    }
    coordinates_free(&job->coordinates);
    host_csr_free(&job->a);
    free(job->b);
    return status ? complain(status, m.text) : EXIT_DONE;
}
