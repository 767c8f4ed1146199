/* The plan of a solve: the list of VKS_METHOD_AUTO and its rows that apply, or the named method. */
#include "abi/abi.h"
#include "operator/operator.h"
#include "solvers/residual/row_weights.h"
#include "solvers/solve/options.h"
#include "solvers/solve/shared.h"
#include "solvers/solve/solve.h"

#include <stdio.h>

static void report_facts(const struct facts *facts, vks_plan *plan)
{
    unsigned holds = facts_conditions(facts);
    plan->square = facts->square;
    plan->symmetric = (holds & WHEN_SYMMETRIC) != 0;
    plan->positive = (holds & WHEN_POSITIVE) != 0;
    plan->weak = facts->structure.weak;
    plan->structural_rank = facts->structure.rank == UINT32_MAX ? 0 : facts->structure.rank;
}

/* Resolves AUTO as a solve would. */
static vks_scaling settle_scaling(const struct method *method, const vks_solve_options *o,
                                  const struct facts *facts)
{
    if (o->scaling != VKS_SCALING_AUTO)
        return o->scaling;
    if (!method->corrects)
        return VKS_SCALING_NONE;
    return facts->structure.weak && options_may_match(method, o) ? VKS_SCALING_MATCH : VKS_SCALING_RUIZ;
}

static void list(const vks_matrix *A, const struct strategies *l, vks_plan *plan)
{
    for (uint32_t k = 0; k < l->count; k = strategies_group_end(l, k)) {
        const struct strategy *row = &l->row[k];
        bool chooses = strategies_group_end(l, k) > k + 1;
        const vks_precond_options *precond = chooses || !row->precond.kind ? NULL : &row->precond;
        const vks_solve_options o = {
            .method = row->method, .scaling = row->scaling, .precond_options = precond};
        const struct method *method = method_of(&(struct equation){.A = A}, &o);
        vks_plan_row *to = &plan->row[plan->count++];
        *to = (vks_plan_row){.method = row->method,
                             .scaling = settle_scaling(method, &o, &l->facts),
                             .precond = precond,
                             .products = row->products,
                             .restart = row->restart,
                             .applies = strategies_find(l, k) < strategies_group_end(l, k)};
        conditions_text(row->when, to->condition, sizeof to->condition);
    }
}

/* Checks linearity and symmetry of a preconditioner, which depend on its options alone, on a matrix with one
 * entry, which suits all kinds. Accepts a preconditioner that cannot be set up for that matrix. */
static vks_status check_map(const vks_matrix *A, const struct method *method, const vks_precond_options *o,
                            const char *name)
{
    struct message *m = &A->context->message;
    vks_matrix_options storage = {.precision = matrix_in_pairs(A) ? VKS_F32 : A->precision,
                                  .of_values = VKS_F64};
    struct precond *M = NULL;
    struct diagnosis f = {0};
    vks_matrix *one = NULL;
    TRY(vks_matrix_from_csr(A->context, 1, 1, (const uint32_t[]){0, 1}, (const uint32_t[]){0},
                            (const double[]){1}, &storage, &one));
    vks_status status = csr_acquire(one);
    diagnosis_clear(&f);
    if (!status && precond_create(one, real_precision(matrix_precision(one)), method->use, o, &f, &M))
        m->text[0] = 0;
    if (M && method->use)
        status = precond_must_be_symmetric(M, name);
    if (M && !status && method->needs_linear)
        status = precond_must_be_linear(M, name);
    precond_destroy(M);
    csr_release(one);
    vks_matrix_destroy(one);
    return status;
}

static vks_status check_precond(const vks_matrix *A, const struct method *method, const vks_solve_options *o)
{
    vks_precond_options wanted = method_precond(method, o);
    bool has_arrays = false;
    for (const vks_precond_options *p = &wanted; p; p = p->inner)
        has_arrays |= precond_has_arrays(p);
    bool is_chosen = o->shared_precond || wanted.kind == VKS_PRECOND_AUTO;
    if (!method->preconditioned || is_chosen || has_arrays)
        return VKS_OK;
    return check_map(A, method, &wanted, vks_method_name(o->method));
}

/* Returns the preconditioner as asked. AUTO becomes the method's default; for CG the solve chooses. */
static const vks_precond_options *precond_as_asked(const vks_matrix *A, const struct method *method,
                                                   const vks_solve_options *asked, const vks_solve_options *o)
{
#define X(NAME, module, name, text) {.kind = VKS_PRECOND_##NAME},
    static const vks_precond_options plain[] = {{0}, VKS_PRECONDS(X)};
#undef X
    vks_precond_options wanted = method_precond(method, o);
    if (asked->precond_options && wanted.kind)
        return asked->precond_options;
    bool is_chosen = o->method == VKS_METHOD_CG || o->shared_precond || wanted.in_f32;
    vks_precond_kind kind = wanted.kind || is_chosen ? wanted.kind : precond_auto(A, method->use);
    return kind ? &plain[kind] : NULL;
}

static vks_status plan_one(const vks_matrix *A, const vks_solve_options *asked, vks_plan *plan)
{
    struct equation q = {.A = A};
    struct facts facts = {0};
    vks_solve_options o;
    TRY(options_resolve(&q, asked, &o));
    const struct method *method = method_of(&q, &o);
    TRY(check_precond(A, method, &o));
    if (o.scaling == VKS_SCALING_AUTO)
        TRY(facts_find_all(A, false, &facts));
    report_facts(&facts, plan);
    plan->square = A->csr.n == A->csr.cols;
    plan->row[plan->count++] = (vks_plan_row){.method = o.method,
                                              .scaling = settle_scaling(method, &o, &facts),
                                              .precond = precond_as_asked(A, method, asked, &o),
                                              .restart = method->restarts ? o.restart : 0,
                                              .applies = true};
    snprintf(plan->row[0].condition, sizeof plan->row[0].condition, "%s",
             asked->method || plan->square ? "as asked" : "A is not square");
    return VKS_OK;
}

static vks_status report_rows(const vks_matrix *A, vks_plan *plan)
{
    struct row_extent rows;
    TRY(row_extent_of(A, &rows));
    plan->row_range = row_extent_range(&rows);
    plan->least_row = rows.least_row;
    plan->largest_row = rows.largest_row;
    return VKS_OK;
}

static vks_status plan_solve(const vks_matrix *A, const vks_solve_options *asked, vks_plan *plan)
{
    struct strategies l = {
        .row = all_strategies, .count = strategy_count, .is_singular = asked && asked->singular};
    if (operator_of(A))
        return fail(&A->context->message, VKS_UNSUPPORTED,
                    "a plan needs entries, which an operator does not have");
    TRY(report_rows(A, plan));
    if (!options_leave_choice(&(struct equation){.A = A}, asked))
        return plan_one(A, asked, plan);
    TRY(options_check_choice(A, asked));
    facts_of_device(A, asked, &l.facts);
    TRY(facts_find_all(A, true, &l.facts));
    TRY(promise_for_plan(A, &l));
    report_facts(&l.facts, plan);
    list(A, &l, plan);
    return VKS_OK;
}

vks_status vks_solve_plan_as(uint32_t header, const vks_matrix *A, const vks_solve_options *options,
                             vks_plan *plan)
{
    const vks_solve_options asked = vks_solve_options_in(header, options);
    vks_plan ours = {0};
    vks_status status = A ? context_begin_as(A->context, header) : VKS_INVALID_ARGUMENT;
    if (!status && !plan)
        status = fail(&A->context->message, VKS_INVALID_ARGUMENT, "plan is NULL");
    IF_OK(status, plan_solve(A, &asked, &ours));
    vks_plan_out(header, &ours, plan);
    return status;
}
