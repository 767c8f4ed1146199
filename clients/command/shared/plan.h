/* The strategies that a solve would try, for check and solve --explain. */
#ifndef VKS_COMMAND_SHARED_PLAN_H
#define VKS_COMMAND_SHARED_PLAN_H

#include "entries/host_csr.h"
#include "report/json.h"
#include "report/message.h"
#include "vksolve/plan.h"

#include <stdio.h>

/* A matrix on the host, whichever device solves; any_device gives the plan of the other devices. */
struct planner {
    vks_context *context;
    vks_matrix *A;
};

/* planner_close is required even after a failure. */
vks_status planner_open(struct message *m, const struct host_csr *a, vks_precision precision,
                        struct planner *p);
/* The plan of a solve with these options (NULL: --method auto). VKS_INVALID_ARGUMENT, VKS_LIMIT: the solve
 * would be rejected, and m has the reason. */
vks_status planner_plan(struct message *m, const struct planner *p, const vks_solve_options *options,
                        vks_plan *plan);
void planner_close(struct planner *p);

void plan_print(const vks_plan *plan, FILE *to);
/* Writes the members of an object. */
void plan_to_json(const vks_plan *plan, struct json *j);

#endif
