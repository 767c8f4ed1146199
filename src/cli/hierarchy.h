/* The levels of multigrid, as the command tells them. */
#ifndef VKS_CLI_HIERARCHY_H
#define VKS_CLI_HIERARCHY_H

#include "report/json.h"
#include "vksolve/solver.h"

#include <stdio.h>

/* A line for each level; nothing where there are none. */
void hierarchy_print(const vks_hierarchy *h, FILE *to);
/* Members of the object that is open; null, and an empty list, where there are no levels. */
void hierarchy_to_json(const vks_hierarchy *h, struct json *j);

#endif
