/* The attempts of VKS_METHOD_AUTO, as check and solve --explain tell them. */
#ifndef VKS_CLI_PLAN_H
#define VKS_CLI_PLAN_H

#include "report/json.h"
#include "report/message.h"
#include "sparse/host_csr.h"
#include "vksolve/plan.h"

#include <stdio.h>

/* Makes the plan on the host, whichever device solves: it is the same. */
vks_status plan_make(struct message *m, const struct host_csr *a, vks_plan *plan);
void plan_print(const vks_plan *plan, FILE *to);
/* The members of an object. */
void plan_to_json(const vks_plan *plan, struct json *j);

#endif
