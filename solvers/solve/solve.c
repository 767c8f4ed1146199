#include "solvers/solve/solve.h"
#include "operator/operator.h"
#include "solvers/residual/projection.h"
#include "solvers/solve/options.h"
#include "solvers/solve/report.h"
#include "solvers/system/f32_copy.h"

vks_status solve_check(const vks_matrix *A, const vks_vector *b, const vks_vector *x, bool partners)
{
    struct message *m = context_begin(A->context);
    if (!b || !x)
        return fail(m, VKS_INVALID_ARGUMENT, "%s is NULL", b ? "x" : "b");
    if (b->context != A->context || x->context != A->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and the vectors belong to different contexts");
    vks_precision p = vector_precision(A->precision);
    if (b->precision != p || x->precision != p)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and the vectors differ in precision");
    if (b->n != A->csr.n || x->n != (partners ? A->csr.n : A->csr.cols))
        return fail(m, VKS_INVALID_ARGUMENT, "A is %u x %u, b has %u elements and x has %u", A->csr.n,
                    A->csr.cols, b->n, x->n);
    if (b == x)
        return fail(m, VKS_INVALID_ARGUMENT, "b and x are the same vector");
    return VKS_OK;
}

static const struct residual_ops *residual_for(const vks_matrix *A)
{
    if (matrix_in_pairs(A))
        return &residual_in_pairs;
    return A->context->device->info.f64 ? &residual_on_device : &residual_on_host;
}

vks_status solve_plan(struct solve *s, const vks_solve_options *options)
{
    const struct equation *q = &s->equation;
    struct iteration *it = &s->it;
    TRY(options_resolve(q, options, &s->options));
    it->method = method_of(q, &s->options);
    it->refinement.widens = s->options.iterate_in_f32;
    it->refinement.is = it->refinement.widens || it->method->corrects;
    bool weighs =
        it->method->least_squares && s->options.norm == VKS_NORM_BOTH; /* weights would change the problem */
    vks_norm norm = weighs ? VKS_NORM_PLAIN : s->options.norm;
    it->residual = (struct residual){.ops = residual_for(q->A),
                                     .device = it->device,
                                     .message = it->message,
                                     .equation = *q,
                                     .asked = norm};
    it->order = s->diagnosis.order = s->options.order;
    diagnosis_clear(&s->diagnosis);
    report_plan(s);
    return VKS_OK;
}

/* Makes a list of one row, or of the rows of CG if their preconditioner is to be chosen. */
static vks_status choose_precond(struct solve *s)
{
    static const struct symmetry as_asked = {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0};
    struct strategies *l = &s->strategies;
    TRY(solve_plan(s, &s->asked));
    const vks_solve_options *o = &s->options;
    const vks_precond_options precond = method_precond(s->it.method, o);
    bool chooses = precond.kind == VKS_PRECOND_AUTO && o->method == VKS_METHOD_CG && !o->shared_precond &&
                   !operator_of(s->equation.A);
    s->own = (struct strategy){.method = o->method}; /* its preconditioner comes from the options */
    l->facts.symmetry = as_asked;
    l->row = chooses ? strategies_of_cg(&l->count) : &s->own;
    if (!chooses)
        l->count = 1;
    return VKS_OK;
}

vks_status solve_make_list(struct solve *s)
{
    struct strategies *l = &s->strategies;
    const vks_matrix *A = s->equation.A;
    *l = (struct strategies){.row = all_strategies, .count = strategy_count};
    if (!options_leave_choice(&s->equation, &s->asked))
        return choose_precond(s);
    l->chooses_method = true;
    l->is_singular = s->asked.singular;
    TRY(options_check_choice(A, &s->asked));
    facts_of_device(A, &s->asked, &l->facts);
    TRY(facts_find(A, &l->facts));
    TRY(promise_if_small(s));
    l->at = strategies_find(l, 0);
    vks_solve_options o = strategy_options(l, &s->asked);
    return solve_plan(s, &o);
}

/* Returns an iteration with only the members that outlive a set-up. */
static struct iteration bare_iteration(struct solve *s)
{
    struct device *d = s->equation.A->context->device;
    struct column column = s->it.column;
    column.it = &s->it;
    column.limits = (struct limits){0};
    column.state = (struct state){0};
    return (struct iteration){.device = d,
                              .message = &s->equation.A->context->message,
                              .equation = s->equation,
                              .options = &s->options,
                              .column = column,
                              .scaled = &s->scaled,
                              .progress = s->it.progress,
                              .batches.spanned = s->it.batches.spanned};
}

vks_status solve_open(struct solve *s, const struct equation *q, const vks_solve_options *options)
{
    *s = (struct solve){.equation = *q, .asked = options ? *options : (vks_solve_options){0}};
    s->it.column.report = &s->of_setup;
    s->it = bare_iteration(s);
    s->diagnosis.caller = (struct caller){cancel_requested_in_setup, &s->it};
    *s->it.column.report = report_not_run;
    return solve_make_list(s);
}

void solve_clear(struct solve *s)
{
    struct iteration *it = &s->it;
    const vks_matrix *A = s->equation.A, *found = s->scaled.B ? s->scaled.A : it->krylov.A;
    if (s->holds)
        csr_release(A);
    s->holds = false;
    if (s->projection)
        projection_close(s->projection);
    s->projection = NULL;
    iteration_close(it);
    prepared_close(s);
    scaled_close(&s->scaled);
    f32_copy_close(s->ordinary.A ? s->ordinary.A : A, &s->f32_copy, found);
    ordinary_close(&s->ordinary);
    *it = bare_iteration(s);
    s->diagnosis.order = NULL;
    diagnosis_clear(&s->diagnosis);
    s->recorded = (struct layouts){0};
    s->hints = (struct hints){0};
    s->has_groups = false;
}

void solve_close(struct solve *s)
{
    solve_clear(s);
    parts_free(&s->parts);
    kept_forget(s);
    vks_vector_destroy(s->fallback.x);
    s->fallback.x = NULL;
}
