/* KSP "vksolve": the whole solve on the device of one process, or of several that share the rows. A solver is
 * kept for later solves, and updates values of the matrix in place. */
#include "petsc/ksp.h"
#include "petsc/log.h"
#include "petsc/vec_arrays.h"
#include "petsc/vec_lend.h"

static KSPConvergedReason reason_of(KSP ksp, const vks_solve_report *report)
{
    switch (report->reason) {
    case VKS_REASON_CONVERGED:
        if (report->method == VKS_METHOD_LSMR && ksp->rnorm > ksp->abstol &&
            report->true_residual > ksp->rtol)
            return KSP_CONVERGED_RTOL_NORMAL;
        return ksp->rnorm < ksp->abstol ? KSP_CONVERGED_ATOL : KSP_CONVERGED_RTOL;
    case VKS_REASON_ITERATION_LIMIT:
        return ksp_tests(ksp) ? KSP_DIVERGED_ITS : KSP_CONVERGED_ITS;
    case VKS_REASON_STAGNATED:
        return ksp_tests(ksp) ? KSP_DIVERGED_BREAKDOWN : KSP_CONVERGED_ITS;
    case VKS_REASON_DIVERGED:
        return KSP_DIVERGED_DTOL;
    case VKS_REASON_NOT_POSITIVE_DEFINITE:
        return KSP_DIVERGED_INDEFINITE_MAT;
    case VKS_REASON_NOT_FINITE:
        return KSP_DIVERGED_NANORINF;
    case VKS_REASON_ZERO_DIAGONAL:
    case VKS_REASON_SINGULAR:
    case VKS_REASON_STRUCTURALLY_SINGULAR:
        return KSP_DIVERGED_PC_FAILED;
    default: /* BREAKDOWN, NOT_SINGULAR */
        return KSP_DIVERGED_BREAKDOWN;
    }
}

/* Reports the iterations, which have already ended, to the monitors and the history of the KSP. */
static PetscErrorCode report_to_monitors(KSP ksp)
{
    struct ksp *k = ksp->data;
    const vks_solve_report *r = &k->report;
    PetscErrorCode code = 0;
    PetscFunctionBegin;
    k->is_monitoring = PETSC_TRUE;
    for (uint32_t i = 0; i <= r->history_count && !code; i++) {
        PetscReal residual = (i ? k->o.history[i - 1] : r->initial_residual) * r->norm_of_b;
        ksp->its = (PetscInt)PetscMin(i * r->history_step, r->iterations);
        ksp->rnorm = residual;
        code = KSPLogResidualHistory(ksp, residual);
        if (!code)
            code = KSPMonitor(ksp, ksp->its, residual);
    }
    k->is_monitoring = PETSC_FALSE;
    PetscCall(code);
    PetscFunctionReturn(0);
}

/* Fails while earlier iterations are reported to monitors, since their x no longer exists. */
static PetscErrorCode build_solution(KSP ksp, Vec v, Vec *V)
{
    const struct ksp *k = ksp->data;
    PetscFunctionBegin;
    PetscCheck(!k->is_monitoring || ksp->its == (PetscInt)k->report.iterations,
               PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP,
               "-ksp_type " PLUGIN_SOLVER
               " calls monitors after the solve, and has x and r of the last iteration only: use "
               "-ksp_monitor, or a KSP of PETSc for -ksp_monitor_true_residual and the like");
    PetscCall(KSPBuildSolutionDefault(ksp, v, V));
    PetscFunctionReturn(0);
}

static PetscErrorCode lend_x(KSP ksp, vks_vector **x)
{
    struct ksp *k = ksp->data;
    Vec v = ksp->vec_sol;
    PetscFunctionBegin;
    if (vec_may_change(v))
        PetscCall(vec_change(v, x));
    else if (ksp->guess_zero) {
        PetscCall(vec_lend_write(v, &k->x, x));
        PetscCallVks(vks_vector_fill(*x, 0));
    } else
        PetscCall(vec_lend_read(v, &k->x, x));
    PetscFunctionReturn(0);
}

static PetscErrorCode lend(KSP ksp, vks_vector **b, vks_vector **x)
{
    struct ksp *k = ksp->data;
    PetscFunctionBegin;
    PetscCall(vec_lend_read(ksp->vec_rhs, &k->b, b));
    PetscCall(lend_x(ksp, x));
    PetscFunctionReturn(0);
}

static PetscErrorCode iterate(KSP ksp, vks_vector *b, vks_vector *x)
{
    struct ksp *k = ksp->data;
    PetscFunctionBegin;
    PetscCall(plugin_begin(PLUGIN_EVENT_SOLVE));
    PetscCallVks(vks_solver_solve(k->solver, b, x, &k->report));
    PetscCall(plugin_end(PLUGIN_EVENT_SOLVE));
    PetscCall(vec_take_back(ksp->vec_sol, x));
    PetscFunctionReturn(0);
}

/* The solve itself, with the transfers before and after it. */
static PetscErrorCode run(KSP ksp)
{
    struct ksp *k = ksp->data;
    vks_vector *b, *x;
    PetscFunctionBegin;
    PetscCall(partners_agree(&k->partners, lend(ksp, &b, &x)));
    PetscCall(partners_agree(&k->partners, iterate(ksp, b, x)));
    PetscFunctionReturn(0);
}

/* The norm of v. If squares of elements overflow or underflow, v is scaled. A NaN is detected by a sum over
 * all processes: in a maximum MPI may lose it, on all of them or on some. */
static PetscErrorCode norm_of(Vec v, PetscReal *norm)
{
    PetscReal largest;
    PetscFunctionBegin;
    PetscCall(VecNorm(v, NORM_2, norm));
    if (isnan(*norm) || (*norm > 1e-140 && *norm < 1e140))
        PetscFunctionReturn(0);
    PetscCall(VecNorm(v, NORM_INFINITY, &largest));
    *norm = largest;
    if (!(largest > 0) || !isfinite(1 / largest))
        PetscFunctionReturn(0);
    PetscCall(VecScale(v, 1 / largest));
    PetscCall(VecNorm(v, NORM_2, norm));
    *norm *= largest;
    PetscFunctionReturn(0);
}

/* Computes the norms of b and of b - A x, with v as scratch. A zero b makes x zero. */
static PetscErrorCode measure_with(Vec v, KSP ksp, PetscReal *norm_of_b, PetscReal *norm)
{
    Mat A;
    PetscFunctionBegin;
    PetscCall(KSPGetOperators(ksp, &A, NULL));
    PetscCall(VecCopy(ksp->vec_rhs, v));
    PetscCall(norm_of(v, norm_of_b));
    if (*norm_of_b == 0)
        PetscCall(VecSet(ksp->vec_sol, 0));
    PetscCall(MatMult(A, ksp->vec_sol, v));
    PetscCall(VecAYPX(v, -1, ksp->vec_rhs));
    PetscCall(norm_of(v, norm));
    PetscFunctionReturn(0);
}

static PetscErrorCode measure(KSP ksp, PetscReal *norm_of_b, PetscReal *norm)
{
    Vec v;
    PetscErrorCode code;
    PetscFunctionBegin;
    PetscCall(VecDuplicate(ksp->vec_rhs, &v));
    code = measure_with(v, ksp, norm_of_b, norm);
    PetscCall(VecDestroy(&v));
    PetscFunctionReturn(code);
}

/* Ends a solve on several processes as one process does if M does not suit the rows: x is unchanged, and the
 * solve has converged if x is already good enough. */
static PetscErrorCode refuse(KSP ksp, vks_reason reason)
{
    struct ksp *k = ksp->data;
    vks_solve_report *r = &k->report;
    PetscReal norm, enough;
    PetscFunctionBegin;
    PetscCall(measure(ksp, &r->norm_of_b, &norm));
    enough = ksp_tests(ksp) ? PetscMax(ksp->rtol * r->norm_of_b, ksp->abstol) : 0;
    if (!isfinite(norm) || !isfinite(r->norm_of_b))
        r->reason = VKS_REASON_NOT_FINITE;
    else
        r->reason = norm <= enough ? VKS_REASON_CONVERGED : reason;
    r->initial_residual = r->true_residual = r->norm_of_b == 0 && norm == 0 ? 0 : norm / r->norm_of_b;
    r->iterations = r->history_count = 0;
    r->history_step = 1;
    PetscFunctionReturn(0);
}

static PetscErrorCode solve(KSP ksp)
{
    struct ksp *k = ksp->data;
    vks_reason unsuited;
    PetscFunctionBegin;
    PetscCheck(!ksp->transpose_solve, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "-ksp_type " PLUGIN_SOLVER
               " does not solve transposed systems; use -ksp_use_explicittranspose");
    PetscCheck(!ksp_tests(ksp) || ksp->converged == KSPConvergedDefault, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "-ksp_type " PLUGIN_SOLVER " tests for convergence itself, by -ksp_rtol and -ksp_atol, or not "
               "at all with -ksp_convergence_test skip");
    ksp->its = 0;
    ksp->reason = KSP_DIVERGED_ITS;
    if (!ksp->max_it)
        PetscFunctionReturn(0);
    PetscCallStaged(PLUGIN_STAGE_SETUP, ksp_make_solver(ksp));
    PetscCall(partners_suit(&k->partners, &unsuited));
    k->report = (vks_solve_report){.history_step = 1};
    if (unsuited)
        PetscCall(refuse(ksp, unsuited));
    else
        PetscCallStaged(PLUGIN_STAGE_SOLVE, run(ksp));
    PetscCall(report_to_monitors(ksp));
    ksp->its = (PetscInt)k->report.iterations;
    ksp->rnorm = k->report.true_residual * k->report.norm_of_b;
    ksp->reason = reason_of(ksp, &k->report);
    PetscCall(PetscInfo(ksp, "vksolve: %s %s %s\n", vks_reason_name(k->report.reason), k->report.detail,
                        k->report.warning));
    PetscFunctionReturn(0);
}

static PetscErrorCode setup(KSP ksp)
{
    return ksp_take_pc(ksp);
}

static PetscErrorCode view(KSP ksp, PetscViewer viewer)
{
    struct ksp *k = ksp->data;
    const vks_solve_report *r = &k->report;
    vks_device_info device;
    PetscBool ascii;
    char course[512];
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &ascii));
    if (!ascii || !k->solver)
        PetscFunctionReturn(0);
    vks_solve_course(r, course, sizeof course); /* truncated if it is longer */
    PetscCallVks(vks_context_device(plugin_context, &device));
    PetscCall(PetscViewerASCIIPrintf(viewer, "  vksolve %s on %s\n", vks_version(), device.name));
    PetscCall(PetscViewerASCIIPrintf(viewer, "  last solve: %s, %s, true residual %g\n", course,
                                     vks_reason_name(r->reason), r->true_residual));
    PetscFunctionReturn(0);
}

static PetscErrorCode reset(KSP ksp)
{
    return ksp_clear(ksp->data);
}

static PetscErrorCode destroy(KSP ksp)
{
    PetscFunctionBegin;
    PetscCall(ksp_clear(ksp->data));
    PetscCall(KSPDestroyDefault(ksp));
    PetscFunctionReturn(0);
}

PetscErrorCode ksp_create(KSP ksp)
{
    struct ksp *k;
    PetscFunctionBegin;
    PetscCall(PetscNew(&k));
    ksp->data = k;
    PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_UNPRECONDITIONED, PC_LEFT, 3));
    PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_UNPRECONDITIONED, PC_RIGHT, 2));
    PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_NONE, PC_LEFT, 1));
    ksp->ops->setup = setup;
    ksp->ops->solve = solve;
    ksp->ops->view = view;
    ksp->ops->reset = reset;
    ksp->ops->destroy = destroy;
    ksp->ops->setfromoptions = ksp_set_from_options;
    ksp->ops->buildsolution = build_solution;
    ksp->ops->buildresidual = KSPBuildResidualDefault;
    PetscFunctionReturn(0);
}
