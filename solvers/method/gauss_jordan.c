/* Gauss-Jordan elimination as a method of vks_solve: treats the matrix as dense. */
#include "report/clock.h"
#include "solvers/dense/call.h"
#include "solvers/method.h"

static vks_status eliminate(const struct equation *q, vks_gauss_jordan_report *found,
                            struct direct_solution *w)
{
    static const vks_gauss_jordan_options options = {.condition = 1}; /* cheap relative to the elimination */
    vks_dense *dense = NULL;
    double begun = clock_seconds();
    vks_status status = vks_dense_from_matrix(q->A, &dense);
    double ready = clock_seconds();
    IF_OK(status, vks_gauss_jordan_solve_vector(dense, q->b, q->x, &options, found));
    vks_dense_destroy(dense);
    w->seconds_setup = ready - begun;
    w->seconds_solve = clock_seconds() - ready;
    return status;
}

static vks_status solve_direct(const struct equation *q, void **kept, struct direct_solution *w,
                               struct diagnosis *f)
{
    (void)kept;
    vks_gauss_jordan_report found;
    uint32_t n = q->A->csr.n;
    if (n > VKS_GAUSS_JORDAN_LARGEST)
        return fail(&q->A->context->message, VKS_LIMIT,
                    "A has %u rows; gauss-jordan takes sparse matrices of up to %u, as dense ones", n,
                    VKS_GAUSS_JORDAN_LARGEST);
    TRY(eliminate(q, &found, w));
    w->iterations = found.refinements;
    w->residual = found.residual;
    w->solved = has_solution(&found);
    diagnosis_refuse(f, found.reason, found.column, "%s", found.detail);
    diagnosis_warn(f, "%s", found.warning);
    return VKS_OK;
}

const struct method method_gauss_jordan = {.solve_direct = solve_direct};
