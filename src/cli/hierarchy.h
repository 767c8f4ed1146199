/* The levels of multigrid, as the command tells them. */
#ifndef VKS_CLI_HIERARCHY_H
#define VKS_CLI_HIERARCHY_H

#include "report/json.h"
#include "vksolve/solver.h"

#include <stdio.h>

/* A line for each level, and what they take together; nothing where there are none. bytes: of the
 * preconditioner. */
void hierarchy_print(const vks_hierarchy *h, uint64_t bytes, FILE *to);
/* Members of the object that is open; null, and an empty list, where there are no levels. */
void hierarchy_to_json(const vks_hierarchy *h, struct json *j);

#endif
