/* Gauss-Jordan elimination as a method of vks_solve: the matrix as a dense one, and of what comes out the
 * true residual, as of any other solve. */
#include "report/clock.h"
#include "solvers/gauss_jordan.h"
#include "solvers/solver.h"

#include <math.h>
#include <stdio.h>

static vks_status eliminate(struct solve *s, const vks_matrix *A, const vks_vector *b, vks_vector *x,
                            vks_gauss_jordan_report *told)
{
    static const vks_gauss_jordan_options options = {.condition = 1}; /* little beside the elimination */
    vks_dense *dense = NULL;
    vks_status status = vks_dense_from_matrix(A, &dense);
    double ready = clock_seconds();
    if (!status)
        status = vks_gauss_jordan_solve_vector(dense, b, x, &options, told);
    vks_dense_destroy(dense);
    s->report->seconds_solve = clock_seconds() - ready;
    return status;
}

/* The true residual decides, and in double precision. */
static vks_status measure(struct solve *s, const vks_matrix *A, const vks_vector *b, vks_vector *x)
{
    vks_solve_report *r = s->report;
    double norm = 0, norm_of_b = 0;
    uint64_t ticket = 0;
    vks_status status = csr_hold(A);
    if (!status)
        status = residual_setup(s, A, b, x);
    if (!status)
        status = residual_measure_b(s, &ticket);
    if (!status)
        status = residual_measure(s, &ticket);
    if (!status)
        status = device_wait(s->device, ticket, DEVICE_WAIT_SECONDS);
    if (!status)
        status = residual_norm_of_b(s, &norm_of_b);
    if (!status)
        status = residual_norm(s, &norm);
    if (status)
        return status;
    double target = fmax(s->options.rtol * norm_of_b, s->options.atol);
    r->initial_residual = norm_of_b != 0;
    r->true_residual = norm == 0 ? 0 : norm / norm_of_b;
    if (norm <= target) {
        r->reason = VKS_REASON_CONVERGED;
        r->detail[0] = 0;
    } else if (isfinite(norm)) {
        r->reason = VKS_REASON_STAGNATED;
        snprintf(r->detail, sizeof r->detail, "the true residual is %.3g, and refinement does not lower it",
                 r->true_residual);
    } else {
        r->reason = VKS_REASON_NOT_FINITE;
        snprintf(r->detail, sizeof r->detail, "the solution overflows");
    }
    return VKS_OK;
}

static vks_status solve_directly(struct solve *s, const vks_matrix *A, const vks_vector *b, vks_vector *x)
{
    vks_solve_report *r = s->report;
    vks_gauss_jordan_report told;
    double begun = clock_seconds();
    s->n = A->csr.n;
    s->A = A;
    if (s->n > VKS_GAUSS_JORDAN_LARGEST)
        return fail(s->message, VKS_LIMIT,
                    "A has %u rows; gauss-jordan takes sparse matrices of up to %u, as dense ones", s->n,
                    VKS_GAUSS_JORDAN_LARGEST);
    s->system = (struct system){.A = A, .n = s->n, .b = vector_address(b), .x = vector_address(x)};
    vks_status status = eliminate(s, A, b, x, &told);
    if (!status) {
        r->reason = told.reason;
        r->row = told.column;
        r->iterations = told.refinements;
        r->residual = told.residual;
        snprintf(r->detail, sizeof r->detail, "%s", told.detail);
        snprintf(r->warning, sizeof r->warning, "%s", told.warning);
    }
    if (!status && has_solution(&told)) {
        status = measure(s, A, b, x);
        solve_release(s);
    }
    r->seconds_setup = clock_seconds() - begun - r->seconds_solve;
    return status;
}

const struct method method_gauss_jordan = {.direct = solve_directly, .steps = 1};
