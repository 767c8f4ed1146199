/* Facts of a set-up in the report. */
#include "solvers/solve/options.h"
#include "solvers/solve/report.h"
#include "solvers/solve/solve.h"

void report_plan(struct solve *s)
{
    const vks_matrix *A = s->equation.A;
    const struct method *method = s->it.method;
    vks_solve_report *report = s->it.column.report;
    vks_precond_kind kind = method_precond(method, &s->options).kind;
    report->method = s->options.method;
    report->precond = kind ? kind : precond_auto(A, method->use);
    report->iterated_in = s->it.refinement.widens ? VKS_F32 : vector_precision(A->precision);
    report->in_pairs = matrix_in_pairs(A);
    report->blocks = report->largest_block = 0;
    report->scaling = VKS_SCALING_NONE;
    report->history_step = method->sees_each ? 1 : method_unit(method);
}

void report_precond(struct solve *s)
{
    const struct precond *M = s->it.krylov.M;
    vks_solve_report *r = s->it.column.report;
    if (!M) /* a direct method */
        return;
    if (!scaled_refuses(&s->scaled)) /* else M replaces a preconditioner that was not made */
        r->precond = M->kind;
    r->blocks = M->blocks;
    r->largest_block = M->largest_block;
    r->precond_bytes = precond_bytes(M);
    r->hierarchy = M->hierarchy ? *M->hierarchy : (vks_hierarchy){0};
}

void report_scaling(struct solve *s)
{
    const struct scaled *w = &s->scaled;
    vks_solve_report *r = s->it.column.report;
    struct diagnosis *f = &s->diagnosis;
    bool knows_rank = w->structure.rank != UINT32_MAX;
    char rank[64];
    if (scaled_refuses(w))
        diagnosis_refuse(f, w->diagnosis.reason, w->diagnosis.row, "%s", w->diagnosis.detail);
    if (!w->B)
        return;
    r->scaling = w->kind;
    if (knows_rank || !s->strategies.chooses_method) /* else an earlier strategy may have found it */
        r->structural_rank = knows_rank ? w->structure.rank : 0;
    if (scaled_is_singular(w) && f->reason == VKS_REASON_ZERO_DIAGONAL) {
        scaled_describe_rank(w, rank, sizeof rank);
        diagnosis_refuse(f, VKS_REASON_STRUCTURALLY_SINGULAR, f->row, "%s", rank);
    }
    if (!f->warning[0])
        scaled_warn(w, f);
}
