/* What vksolve check finds, and its verdicts. */
#ifndef VKS_CLI_CHECK_H
#define VKS_CLI_CHECK_H

#include "cli/plan.h"
#include "entries/check.h"

/* A symmetric matrix with a_ij^2 >= a_ii a_jj for some i != j is not positive definite. */
struct minor {
    bool found;
    uint32_t row, col;
    double a_ij, a_ii, a_jj;
};

enum { WHY = 256 };

struct judgement {
    const char *path;
    struct csr_findings f;
    struct minor minor;
    bool zero_row_sums;
    struct csr_finding infinite_reciprocals;
    bool has_plan;
    vks_plan plan;
    /* What speaks against a method with a preconditioner; "": nothing was found. */
    char against[VKS_METHOD_COUNT_][VKS_PRECOND_COUNT_][WHY];
};

/* The verdicts on a method are numbered from VKS_PRECOND_NONE to below this. */
static inline int check_end_of_verdicts(int method)
{
    return vks_method_takes_precond((vks_method)method) ? VKS_PRECOND_COUNT_ : VKS_PRECOND_NONE + 1;
}

/* check_verdict.c: the verdicts, by what was found in the entries; and where that says nothing, by what the
 * library says to options, and to A of few rows. */
void check_judge(struct judgement *j);
vks_status check_ask(struct message *m, const struct planner *p, struct judgement *j);
void check_print_verdicts(const struct judgement *j, FILE *to);
/* "A times ones is zero: A is singular", and what may help: "". */
extern const char check_singular[];
const char *check_remedy(const struct csr_findings *f);
bool check_is_symmetric(const struct csr_findings *f);

void check_to_json(const struct judgement *x, struct json *j);

#endif
