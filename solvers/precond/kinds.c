/* The table of all preconditioners. */
#include "operator/operator.h"
#include "solvers/precond.h"

static const struct precond_ops *const kinds[] = {[PRECOND_NARROWED] = &precond_narrowed,
#define X(NAME, module, name, text) [VKS_PRECOND_##NAME] = &precond_##module,
                                                  VKS_PRECONDS(X)
#undef X
};

const struct precond_ops *precond_of(unsigned kind)
{
    return kinds[kind];
}

vks_precond_kind precond_auto(const vks_matrix *A, enum precond_use use)
{
    const struct user_operator *o = operator_of(A);
    if (use == PRECOND_FOR_SYMMETRIC)
        return o ? VKS_PRECOND_NONE : VKS_PRECOND_ROW_SUM;
    return o && !o->diagonal ? VKS_PRECOND_NONE : VKS_PRECOND_JACOBI;
}

unsigned precond_takes(vks_precond_kind kind)
{
    return kind == VKS_PRECOND_AUTO ? 0 : kinds[kind]->options;
}
