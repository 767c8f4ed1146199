/* What vksolve check finds, and its verdicts. */
#ifndef VKS_CLI_CHECK_H
#define VKS_CLI_CHECK_H

#include "cli/plan.h"
#include "sparse/check.h"

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
    /* Why each does not fit; "" where it may. */
    char cg[WHY], cg_with_jacobi[WHY], jacobi[WHY], gauss_jordan[WHY], direct[WHY];
};

/* What speaks against a method with a preconditioner; NULL: whether it converges does not show in the
 * entries. */
const char *check_against(const struct judgement *j, int method, int precond);
/* The verdicts on a method are numbered from VKS_PRECOND_NONE to below this. */
int check_end_of_verdicts(const struct judgement *j, int method);

void check_to_json(const struct judgement *j, struct json *to);

#endif
