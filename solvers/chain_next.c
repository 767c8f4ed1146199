/* From one attempt of a chain to the next. The solve is set up anew for each, and keeps its equation, its
 * report and its progress. */
#include "solvers/options.h"
#include "solvers/report.h"
#include "solvers/rounding.h"
#include "solvers/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct chain_row *row_of(const struct solve *s)
{
    return &chain_rows[s->chain.at];
}

static void tell_attempt(struct solve *s)
{
    const struct chain_row *row = row_of(s);
    vks_solve_report *r = s->report;
    if (s->attempts.chooses || r->attempts == VKS_LARGEST_ATTEMPTS) /* it tells those of its own list */
        return;
    r->attempt[r->attempts++] =
        (vks_attempt){.method = row->method,
                      .precond = r->precond,
                      .in_f32 = row->precond.in_f32,
                      .budget = row->products ? s->options.max_iterations - r->iterations : 0,
                      .true_residual = NAN,
                      .scaling = r->scaling,
                      .restart = row->restart,
                      .precond_options = row->precond.kind ? &row->precond : NULL};
}

/* The products that the row may take, in iterations. */
static uint32_t budget_of(const struct solve *s)
{
    double budget = row_of(s)->products / attempts_products(s);
    return budget < 1 ? 1 : (uint32_t)budget;
}

void chain_note_setup(struct solve *s)
{
    const struct chain *c = &s->chain;
    uint32_t asked = c->asked.max_iterations;
    if (row_of(s)->products) {
        uint64_t most = (uint64_t)s->report->iterations + budget_of(s);
        s->options.max_iterations = asked && asked < most ? asked : (uint32_t)most;
    } else if (!asked) /* its own limit, beside what the rows before have taken */
        s->options.max_iterations = options_default_limit(s->equation.A) + s->report->iterations;
    tell_attempt(s);
    if (!s->attempts.chooses)
        chain_tell(chain_traits(&c->facts), s->report->choice, sizeof s->report->choice);
}

void chain_rewind(struct solve *s)
{
    struct chain *c = &s->chain;
    vks_solve_report *r = s->report;
    c->began = c->at;
    s->attempts.told -= s->attempts.told < c->told ? s->attempts.told : c->told;
    r->attempts = c->told = 0;
    c->left_out[0] = 0;
    vks_vector_destroy(c->aside); /* of a solve that failed */
    c->aside = NULL;
    memcpy(r->warning, s->finding.warning, sizeof r->warning);
    r->structural_rank = 0;
    solve_tell_plan(s);
    solve_tell_precond(s);
    solve_tell_scaling(s);
}

/* Whether another row may take its turn, if one applies. */
static bool wants_another(const struct solve *s)
{
    const vks_solve_report *r = s->report;
    uint32_t most = s->chain.asked.max_iterations;
    /* CG that stagnates in f32 has met its rounding. */
    bool is_rounding = r->reason == VKS_REASON_STAGNATED && s->method->use == PRECOND_FOR_POSITIVE &&
                       r->iterated_in == VKS_F32 && !s->outer.widens;
    bool has_none = r->reason == VKS_REASON_SINGULAR && s->method->least_squares; /* no solution */
    bool ends = r->reason == VKS_REASON_CONVERGED || r->reason == VKS_REASON_CANCELLED || is_rounding ||
                has_none || (most && r->iterations >= most);
    return s->chain.is && !ends && isfinite(s->progress.norm) && isfinite(s->progress.b_norm);
}

bool chain_goes_on(const struct solve *s)
{
    return wants_another(s) && chain_following(&s->chain) < chain_count;
}

static vks_status measured(struct solve *s)
{
    vks_status status =
        s->method->least_squares ? residual_norm_of_b(&s->residual, &s->progress.b_norm) : VKS_OK;
    if (!status)
        status = take_norms(s);
    if (status)
        return status;
    if (finding_refuses(&s->finding)) {
        report_finding(s->report, &s->finding);
        return end_solve(s);
    }
    return attempts_begin(s);
}

static vks_status whole_measured(struct solve *s)
{
    struct progress *p = &s->progress;
    vks_solve_report *r = s->report;
    vks_status status = take_norms(s);
    if (!status && !settle(s)) {
        r->reason = VKS_REASON_STAGNATED;
        snprintf(r->detail, sizeof r->detail, "refinement leaves a true residual of %.3g",
                 relative_residual(p));
    }
    r->true_residual = relative_residual(p);
    return status ? status : end_solve(s);
}

static bool is_skipped(vks_status status)
{
    return attempts_lack_memory(status) || status == VKS_UNSUPPORTED;
}

/* Leaves the row under way out, for the reason in the message. */
static void skip(struct solve *s)
{
    const struct chain_row *row = row_of(s);
    struct chain *c = &s->chain;
    vks_solve_report *r = s->report;
    size_t used = strlen(c->left_out);
    snprintf(c->left_out + used, sizeof c->left_out - used, "%s%s%s%s", used ? ", " : "",
             vks_method_name(row->method), row->precond.kind ? " with " : "",
             row->precond.kind ? vks_precond_name(row->precond.kind) : "");
    snprintf(c->why_left_out, sizeof c->why_left_out, "%.90s", s->message->text);
    s->message->text[0] = 0;
    if (r->attempts == c->told)
        return;
    vks_attempt *last = &r->attempt[r->attempts - 1];
    last->reason = VKS_REASON_NOT_RUN;
    last->true_residual = NAN;
    last->budget = 0;
}

/* What was left out, or else the warning of the attempt before, where the one under way has none. */
static void warn(struct solve *s, const char *before)
{
    const struct chain *c = &s->chain;
    char *to = s->report->warning;
    size_t size = sizeof s->report->warning;
    if (c->left_out[0])
        snprintf(to, size, "left out: %.150s: %.90s", c->left_out, c->why_left_out);
    else if (!to[0])
        snprintf(to, size, "%s", before);
}

static vks_status set_up(struct solve *s, const vks_solve_options *options)
{
    vks_status status = solve_plan(s, options);
    if (!status)
        status = s->method->whole ? solve_setup_whole(s) : solve_setup(s);
    return status;
}

/* The next row that applies, and that the device and its memory suit. The report says why another was left
 * out. */
static vks_status change(struct solve *s)
{
    struct chain *c = &s->chain;
    vks_solve_report *r = s->report;
    const vks_matrix *A = chain_matrix(s->equation.A);
    vks_status status = csr_acquire(A);
    if (!status)
        status = chain_look_closer(A, false, &c->facts);
    csr_release(A);
    if (status)
        return status;
    c->facts.unmatched |= scaled_gave_up(&s->scaled);
    do {
        solve_clear(s);
        c->at = chain_following(c);
        if (c->at == chain_count)
            return VKS_OK;
        c->told = r->attempts;
        vks_solve_options o = chain_options(c);
        status = set_up(s, &o);
        if (!is_skipped(status))
            break;
        tell_attempt(s);
        skip(s);
    } while (true);
    if (status)
        solve_clear(s); /* a solver that is kept sets up anew */
    return status;
}

/* What the report says of the attempt that has ended, where none follows. */
struct said {
    vks_reason reason;
    vks_method method;
    vks_precond_kind precond;
    vks_scaling scaling;
    uint32_t row;
    char detail[256], warning[256];
};

static struct said said_by(const vks_solve_report *r)
{
    struct said w = {.reason = r->reason,
                     .method = r->method,
                     .precond = r->precond,
                     .scaling = r->scaling,
                     .row = r->row};
    memcpy(w.detail, r->detail, sizeof w.detail);
    memcpy(w.warning, r->warning, sizeof w.warning);
    return w;
}

static void say_again(const struct said *w, vks_solve_report *r)
{
    r->reason = w->reason;
    r->method = w->method;
    r->precond = w->precond;
    r->scaling = w->scaling;
    r->row = w->row;
    memcpy(r->detail, w->detail, sizeof w->detail);
}

static bool eliminated(const vks_solve_report *r)
{
    for (uint32_t i = 0; i < r->attempts; i++)
        if (r->attempt[i].method == VKS_METHOD_GAUSS_JORDAN && r->attempt[i].reason == VKS_REASON_SINGULAR)
            return true;
    return false;
}

/* Where an attempt has found that A is singular, that is why none has converged, whatever the last one met.
 */
static void blame_singularity(struct solve *s)
{
    vks_solve_report *r = s->report;
    uint32_t rows = s->equation.A->csr.n, rank = r->structural_rank;
    char met[sizeof r->detail];
    bool lacks_rank = rank && rank < rows;
    bool is_told =
        r->reason == VKS_REASON_STRUCTURALLY_SINGULAR || (r->reason == VKS_REASON_SINGULAR && !lacks_rank);
    if (is_told || (!lacks_rank && !eliminated(r)))
        return;
    memcpy(met, r->detail, sizeof met);
    const char *then = met[0] ? "; " : "";
    if (lacks_rank) {
        r->reason = VKS_REASON_STRUCTURALLY_SINGULAR;
        snprintf(r->detail, sizeof r->detail, "structural rank %u of %u%s%.200s", rank, rows, then, met);
    } else {
        r->reason = VKS_REASON_SINGULAR;
        snprintf(r->detail, sizeof r->detail, "elimination found A singular%s%.200s", then, met);
    }
}

/* A residual above this share of b at rounding level may belong to an x that has grown along the null space
 * of A until it hides b. */
static const double useless = 1e-3;

/* The next attempt begins from zero. This x is kept aside for the end, the first time. */
static vks_status drop_x(struct solve *s)
{
    struct chain *c = &s->chain;
    struct progress *p = &s->progress;
    vks_vector *x = s->equation.x;
    if (c->aside)
        return VKS_OK;
    vks_status status = vks_vector_create(x->context, x->n, x->precision, &c->aside);
    if (attempts_lack_memory(status)) {
        s->message->text[0] = 0;
        return VKS_OK;
    }
    if (!status)
        status = vks_vector_copy(x, c->aside);
    if (!status)
        status = vks_vector_fill(x, 0);
    c->norm_aside = p->norm;
    p->norm = p->b_norm;
    s->report->true_residual = 1;
    return status;
}

/* At the end: the x that was kept aside, if it is better. */
static vks_status take_back(struct solve *s)
{
    struct chain *c = &s->chain;
    struct progress *p = &s->progress;
    if (!c->aside)
        return VKS_OK;
    vks_status status = VKS_OK;
    if (!(p->norm <= c->norm_aside)) {
        status = vks_vector_copy(c->aside, s->equation.x);
        p->norm = c->norm_aside;
        s->report->true_residual = relative_residual(p);
    }
    vks_vector_destroy(c->aside);
    c->aside = NULL;
    return status;
}

/* Whether the residual is what rounding leaves, so that no attempt would lower it. Unknown in pairs of
 * floats. */
static vks_status is_at_rounding(struct solve *s, bool *ends)
{
    vks_solve_report *r = s->report;
    const struct progress *p = &s->progress;
    double level = 0;
    vks_status status = s->holds ? rounding_level(&s->equation, &level) : VKS_OK;
    bool is_low = s->holds && !status && isfinite(level) && p->norm <= level;
    *ends = is_low && p->norm <= useless * p->b_norm;
    if (attempts_lack_memory(status)) {
        s->message->text[0] = 0;
        return VKS_OK;
    }
    if (!*ends)
        return is_low ? drop_x(s) : status;
    r->reason = r->attempt[r->attempts - 1].reason = VKS_REASON_STAGNATED;
    r->row = UINT32_MAX;
    snprintf(
        r->detail, sizeof r->detail,
        "the true residual of %.3g is at rounding level: that of the exact x may be %.3g once it is rounded",
        r->true_residual, level / s->progress.b_norm);
    return VKS_OK;
}

static vks_status finish(struct solve *s)
{
    vks_status status = take_back(s);
    return status ? status : solve_ended(s);
}

vks_status chain_end(struct solve *s)
{
    bool is_singular = s->chain.is && s->report->reason == VKS_REASON_SINGULAR;
    if (is_singular || wants_another(s))
        blame_singularity(s);
    return finish(s);
}

static vks_status end_without(struct solve *s)
{
    blame_singularity(s);
    return finish(s);
}

/* Solves at once, beside the best x. */
static vks_status begin_whole(struct solve *s, const struct said *before)
{
    struct whole_report w = {0};
    uint64_t ticket = 0;
    vks_status status = s->method->whole(&s->equation, &w, &s->finding);
    if (is_skipped(status)) {
        skip(s);
        say_again(before, s->report);
        warn(s, before->warning);
        return chain_goes_on(s) ? chain_next(s) : end_without(s);
    }
    if (status)
        return status;
    report_finding(s->report, &s->finding);
    s->report->residual = w.residual;
    if (!w.solved)
        return end_solve(s);
    status = measure_residual(s, &ticket);
    return status ? status : await(s, ticket, whole_measured);
}

vks_status chain_next(struct solve *s)
{
    uint64_t ticket = 0;
    bool ends;
    vks_status status = is_at_rounding(s, &ends);
    if (status || ends)
        return status ? status : end_without(s);
    const struct said before = said_by(s->report);
    status = attempts_apart(s, change);
    if (status)
        return status;
    warn(s, before.warning);
    if (s->chain.at == chain_count) {
        say_again(&before, s->report);
        return end_without(s);
    }
    s->progress.iterations_of_attempts = s->report->iterations; /* also if A does not suit */
    if (s->method->whole)
        return begin_whole(s, &before);
    if (s->method->least_squares) /* which wants the norm of A, measured with b */
        status = residual_measure_b(&s->residual, &ticket);
    if (!status)
        status = measure_residual(s, &ticket);
    return status ? status : await(s, ticket, measured);
}
