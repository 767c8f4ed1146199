/* The attempts of a solve in its report. */
#ifndef VKS_COMMAND_SOLVE_ATTEMPTS_H
#define VKS_COMMAND_SOLVE_ATTEMPTS_H

#include "command/shared/preconds.h"
#include "report/json.h"
#include "vksolve/solver.h"

#include <stdio.h>

/* "ilut(drop=1e-4,rows=all)/20", "amg/f32" */
struct precond_text attempt_precond(const vks_attempt *a);
/* The reason of the choice, and where there were several attempts a line for each. Nothing where there was no
 * choice. */
void attempts_print(const vks_solve_report *r, FILE *to);
/* Members "choice", null where there was none, and "attempts". */
void attempts_to_json(const vks_solve_report *r, struct json *j);

#endif
