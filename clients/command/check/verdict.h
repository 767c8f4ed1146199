/* What speaks against each method and preconditioner. */
#ifndef VKS_COMMAND_CHECK_VERDICT_H
#define VKS_COMMAND_CHECK_VERDICT_H

#include "command/check/judgement.h"

/* Fills in j->against by what was found in the entries. */
void check_judge(struct judgement *j);
/* Where that says nothing: by what the library says to options, and to an A of few rows. */
vks_status check_ask(struct message *m, const struct planner *p, struct judgement *j);
void check_print_verdicts(const struct judgement *j, FILE *to);

/* "A times ones is zero: A is singular", and what may help: "". */
extern const char check_singular[];
const char *check_remedy(const struct csr_findings *f);
bool check_is_symmetric(const struct csr_findings *f);

#endif
