/* The list of attempts, and their preconditioners. */
#include "solvers/options.h"
#include "solvers/rule.h"
#include "solvers/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool attempts_lack_memory(vks_status s)
{
    return s == VKS_DEVICE_MEMORY || s == VKS_OUT_OF_MEMORY || s == VKS_LIMIT;
}

/* What a list attempts, each with the precision that was asked for, or in f32 where it can be. */
static void take_options(struct solve *s, vks_precond_options asked)
{
    struct attempts *a = &s->attempts;
    a->precond[ATTEMPT_JACOBI].options = asked;
    if (!a->chooses)
        return;
    a->precond[ATTEMPT_JACOBI].options.kind = VKS_PRECOND_JACOBI;
    a->precond[ATTEMPT_BLOCKS].options =
        (vks_precond_options){.kind = VKS_PRECOND_BLOCK_JACOBI, .in_f32 = asked.in_f32};
    a->precond[ATTEMPT_MULTIGRID].options = (vks_precond_options){.kind = VKS_PRECOND_AMG, .in_f32 = 1};
}

/* The x to come back to. It is kept from now on, also where a look at A may show that there is one attempt.
 */
static vks_status take_room(struct solve *s)
{
    struct attempts *a = &s->attempts;
    if (!a->chooses || s->equation.x->n <= RULE_FEW_ROWS)
        return VKS_OK;
    s->krylov.M_changes = true;
    return best_open(s);
}

vks_status attempts_plan(struct solve *s)
{
    struct attempts *a = &s->attempts;
    vks_precond_options asked = options_precond(s->method, &s->options);
    a->chooses =
        asked.kind == VKS_PRECOND_AUTO && s->options.method == VKS_METHOD_CG && s->krylov.A->csr.row != NULL;
    a->has_facts = false;
    a->facts = (struct rule_facts){.rows = s->krylov.A->csr.n,
                                   .entries = s->krylov.A->csr.entries,
                                   .bytes = real_bytes(s->krylov.r.precision)};
    s->report->attempts = s->chain.told;
    take_options(s, asked);
    for (int i = 0; i < ATTEMPT_PRECONDS; i++)
        a->precond[i].is_stale = true;
    vks_status status = take_room(s);
    return status ? status : attempts_begin_list(s);
}

/* In place of the preconditioner of a system that is refused, in which no iteration runs. */
static vks_status make_nothing(struct solve *s, struct attempted *t)
{
    static const vks_precond_options nothing = {.kind = VKS_PRECOND_NONE};
    finding_clear(&t->finding);
    return t->M ? VKS_OK
                : precond_create(s->krylov.A, s->krylov.r.precision, s->method->use, &nothing, &t->finding,
                                 &t->M);
}

vks_status attempts_make(struct solve *s, struct attempted *t)
{
    struct finding *f = &t->finding;
    finding_ask_as(f, &s->finding);
    if (scaled_refuses(&s->scaled))
        return make_nothing(s, t);
    if (t->M && !t->is_stale)
        return VKS_OK;
    finding_clear(f);
    vks_status status = VKS_OK;
    if (t->M)
        status = precond_refresh(t->M, f);
    else if (s->attempts.chooses) /* else they have been checked */
        status = precond_check(s->krylov.A, &t->options);
    if (!status && !t->M)
        status = precond_create(s->krylov.A, s->krylov.r.precision, s->method->use, &t->options, f, &t->M);
    t->is_stale = status || f->reason == VKS_REASON_CANCELLED;
    return status;
}

/* Begins the report of the attempt under way. */
static void tell_attempt(struct solve *s, const struct attempted *t)
{
    const struct attempt *row = attempt_of(s);
    s->report->attempt[s->report->attempts++] =
        (vks_attempt){.method = s->options.method,
                      .precond = t->options.kind,
                      .in_f32 = t->options.in_f32,
                      .budget = row->budget == ATTEMPT_REST ? 0 : row->budget,
                      .reason = t->finding.reason,
                      .true_residual = NAN,
                      .scaling = VKS_SCALING_NONE};
}

void attempts_warn(struct solve *s, const char *what, const char *why)
{
    const struct attempts *a = &s->attempts;
    vks_solve_report *r = s->report;
    const vks_attempt *last = &r->attempt[r->attempts - 1];
    snprintf(r->warning, sizeof r->warning, "%s %s after %u iterations%s%.120s; %s went on from the best x",
             vks_precond_name(last->precond), what, last->iterations, why[0] ? ": " : "", why,
             vks_precond_name(a->precond[a->row[a->at + 1].precond].options.kind));
}

/* Whether the next row takes its turn. Without memory for one, another may do. */
static bool passes_over(struct solve *s, const struct attempted *t, vks_status *status)
{
    bool lacks = attempts_lack_memory(*status), passes = lacks || (!*status && finding_refuses(&t->finding));
    passes &= t->finding.reason != VKS_REASON_CANCELLED;
    if (!passes || !attempt_of(s)->may_miss)
        return false;
    attempts_warn(s, "failed", lacks ? s->message->text : t->finding.detail);
    if (lacks)
        s->message->text[0] = 0;
    *status = VKS_OK;
    return true;
}

/* The preconditioner of the row under way, or of the first one after it that does not miss its turn. */
static vks_status take(struct solve *s)
{
    struct attempts *a = &s->attempts;
    for (bool warned = false;; a->at++) {
        struct attempted *t = &a->precond[attempt_of(s)->precond];
        vks_status status = attempts_make(s, t);
        if (a->chooses)
            tell_attempt(s, t);
        if (passes_over(s, t, &status)) {
            warned = true;
            continue;
        }
        s->krylov.M = t->M;
        s->finding = t->finding;
        if (warned)
            memcpy(s->finding.warning, s->report->warning, sizeof s->finding.warning);
        return status;
    }
}

vks_status attempts_take_first(struct solve *s)
{
    vks_status status = take(s);
    s->attempts.first = s->attempts.at;
    s->attempts.told = s->report->attempts;
    return status;
}

void attempts_leave(struct solve *s)
{
    struct attempts *a = &s->attempts;
    if (!a->of_diagonal)
        return;
    a->groups = s->batches.groups;
    a->is_prepared = true;
}

vks_status attempts_arrive(struct solve *s)
{
    struct attempts *a = &s->attempts;
    bool diagonal = s->krylov.M->is_diagonal;
    vks_status status = VKS_OK;
    a->of_diagonal = diagonal;
    s->batches.groups = diagonal ? a->groups : 0;
    if (diagonal && !a->is_prepared)
        status = solve_prepare_fused(s);
    s->report->together = s->batches.groups;
    return status ? status : solve_record_again(s);
}

vks_status attempts_change(struct solve *s)
{
    attempts_leave(s);
    vks_status status = take(s);
    if (!status) {
        solve_tell_precond(s);
        status = s->method->take_values(&s->krylov, &s->finding);
    }
    return status ? status : attempts_arrive(s);
}

vks_status attempts_rewind(struct solve *s)
{
    struct attempts *a = &s->attempts;
    if (!a->chooses)
        return VKS_OK;
    bool is_there = a->at == a->first && s->recorded.M == s->krylov.M;
    vks_status status = attempts_begin_list(s);
    a->at = a->first;
    s->report->attempts = a->told - 1;
    if (status || !is_there)
        return status ? status : attempts_change(s);
    tell_attempt(s, &a->precond[attempt_of(s)->precond]);
    return VKS_OK;
}

void attempts_release(struct solve *s)
{
    struct attempts *a = &s->attempts;
    for (int i = 0; i < ATTEMPT_PRECONDS; i++)
        precond_destroy(a->precond[i].M);
    *a = (struct attempts){0};
}
