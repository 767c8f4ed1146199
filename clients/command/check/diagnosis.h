/* The diagnosis of `vksolve check`. */
#ifndef VKS_COMMAND_CHECK_DIAGNOSIS_H
#define VKS_COMMAND_CHECK_DIAGNOSIS_H

#include "command/shared/plan.h"
#include "entries/check.h"

/* A symmetric matrix with a_ij^2 >= a_ii a_jj for some i != j is not positive definite. */
struct minor {
    bool found;
    uint32_t row, col;
    double a_ij, a_ii, a_jj;
};

enum { WHY = 256 };

struct diagnosis {
    const char *path;
    struct csr_diagnoses f;
    struct minor minor;
    bool zero_row_sums;
    struct csr_diagnosis infinite_reciprocals;
    bool has_plan;
    vks_plan plan;
    /* Why a method with a preconditioner is unsuitable; "" if no reason is known. */
    char against[VKS_METHOD_COUNT_][VKS_PRECOND_COUNT_][WHY];
};

/* The verdicts on a method are numbered from VKS_PRECOND_NONE to below this. */
static inline int check_end_of_verdicts(int method)
{
    return vks_method_takes_precond((vks_method)method) ? VKS_PRECOND_COUNT_ : VKS_PRECOND_NONE + 1;
}

#endif
