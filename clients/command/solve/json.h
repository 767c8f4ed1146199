/* --json */
#ifndef VKS_COMMAND_SOLVE_JSON_H
#define VKS_COMMAND_SOLVE_JSON_H

#include "command/solve/job.h"
#include "report/json.h"

/* The report as one object. */
void solve_to_json(const struct solve_job *job, struct json *j);

#endif
