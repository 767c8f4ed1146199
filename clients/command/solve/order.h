/* --reorder: the device gets P A P^T and P b. All else, including the job's A, b and x, stays in the user's
 * order. */
#ifndef VKS_COMMAND_SOLVE_ORDER_H
#define VKS_COMMAND_SOLVE_ORDER_H

#include "command/solve/job.h"
#include "report/json.h"

/* Makes job->order for --reorder. */
vks_status solve_reorder(struct message *m, struct solve_job *job);

/* Permutes b into the device's order, and x back into the user's. */
const double *solve_order_there(const struct solve_order *o, uint32_t n, const double *b);
void solve_order_back(const struct solve_order *o, uint32_t n, double *x);
void solve_order_free(struct solve_order *o);

/* The line of the report, and the member "reorder", null if A is not reordered. */
void solve_order_print(const struct solve_job *job, FILE *to);
void solve_order_to_json(const struct solve_job *job, struct json *j);

#endif
