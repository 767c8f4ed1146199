/* Why methods and preconditioners are unsuitable for A. */
#ifndef VKS_COMMAND_CHECK_VERDICT_H
#define VKS_COMMAND_CHECK_VERDICT_H

#include "command/check/diagnosis.h"

/* Fills in j->against from the findings in the entries. */
void check_by_entries(struct diagnosis *j);
/* The same, where that found nothing, from what the library says of options, and of an A with few rows. */
vks_status check_by_library(struct message *m, const struct planner *p, struct diagnosis *j);
void check_print_verdicts(const struct diagnosis *j, FILE *to);

/* "A times ones is zero: A is singular", and what may help: "". */
extern const char check_singular[];
const char *check_remedy(const struct csr_findings *f);
bool check_is_symmetric(const struct csr_findings *f);

#endif
