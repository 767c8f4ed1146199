/* How the kernels of a method apply its preconditioner, if they can. */
#ifndef VKS_SOLVERS_METHOD_FORM_H
#define VKS_SOLVERS_METHOD_FORM_H

#include "shaders/solver/cg.h"
#include "solvers/precond.h"

/* FORM_...; it may change with the values of M. */
static inline uint32_t form_of(const struct precond *M)
{
    static const uint32_t forms[] = {
        [DIAGONAL_NONE] = FORM_NONE, [DIAGONAL_EACH] = FORM_EACH, [DIAGONAL_ONE] = FORM_ONE};
    return M->is_diagonal ? forms[M->diagonal.form] : FORM_GIVEN;
}

#endif
