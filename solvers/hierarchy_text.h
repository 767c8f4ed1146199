/* Multigrid levels in reports. */
#ifndef VKS_SOLVERS_HIERARCHY_TEXT_H
#define VKS_SOLVERS_HIERARCHY_TEXT_H

#include "report/json.h"
#include "vksolve/solver.h"

#include <stdio.h>

/* Prints the sizes of a level, without a newline. */
void hierarchy_print_level(const vks_level *l, FILE *to);
/* Prints a line with the entries and the rows of all levels relative to the first. */
void hierarchy_print_complexity(const vks_hierarchy *h, FILE *to);
/* Prints a line for each level, and totals, if there are levels. `bytes`: of the preconditioner. */
void hierarchy_print(const vks_hierarchy *h, uint64_t bytes, FILE *to);
/* Adds members to the open JSON object: null values and an empty list if there are no levels. */
void hierarchy_to_json(const vks_hierarchy *h, struct json *j);

#endif
