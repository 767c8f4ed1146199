/* Why methods and preconditioners are unsuitable for A. */
#ifndef VKS_COMMAND_CHECK_VERDICT_H
#define VKS_COMMAND_CHECK_VERDICT_H

#include "command/check/diagnosis.h"

/* Fills in j->against from the facts about the entries. */
void check_by_entries(struct diagnosis *j);
/* Fills in what check_by_entries left empty, from the library's checks of options and, if A has few rows, of
 * its setups. */
vks_status check_by_library(struct message *m, const struct planner *p, struct diagnosis *j);
void check_print_verdicts(const struct diagnosis *j, FILE *to);

/* "A times ones is zero: A is singular", and a remedy or "". */
extern const char check_singular[];
const char *check_remedy(const struct csr_diagnoses *f);
bool check_is_symmetric(const struct csr_diagnoses *f);

#endif
