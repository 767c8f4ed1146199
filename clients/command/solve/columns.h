/* Solves for every column of b. */
#ifndef VKS_COMMAND_SOLVE_COLUMNS_H
#define VKS_COMMAND_SOLVE_COLUMNS_H

#include "command/solve/job.h"
#include "report/json.h"

/* Computes job->x by solves with these options. b and x are device vectors for scratch. */
vks_status solve_columns(struct message *m, struct solve_job *job, const vks_matrix *A, vks_vector *b,
                         vks_vector *x, const vks_solve_options *options);

/* The columns in the report, if there are several, and the member "columns". */
void solve_columns_print(const struct solve_job *job, FILE *to);
void solve_columns_to_json(const struct solve_job *job, struct json *j);

#endif
