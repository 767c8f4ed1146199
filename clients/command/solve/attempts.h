/* The strategies of a solve in its JSON. */
#ifndef VKS_COMMAND_SOLVE_ATTEMPTS_H
#define VKS_COMMAND_SOLVE_ATTEMPTS_H

#include "report/json.h"
#include "vksolve/solver.h"

/* Writes the members "choice", null if there was none, and "attempts". */
void attempts_to_json(const vks_solve_report *r, struct json *j);

#endif
