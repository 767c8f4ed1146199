/* The look at A by which VKS_PRECOND_AUTO chooses what follows the diagonal. */
#include "solvers/precond/block_jacobi.h"
#include "solvers/rule.h"
#include "solvers/solve.h"

#include <math.h>

/* Whether the status is a failure that leaves facts unknown: the solve goes on without them. */
static bool found_no_memory(const struct solve *s, vks_status status)
{
    if (!attempts_lack_memory(status))
        return false;
    s->message->text[0] = 0;
    return true;
}

static vks_status measure_signs(struct solve *s)
{
    struct signs *to = &s->attempts.facts.signs;
    vks_status status = signs_measure(s->device, s->krylov.A, s->krylov.r.precision, to);
    if (!found_no_memory(s, status))
        return status;
    *to = (struct signs){.positive = NAN};
    return VKS_OK;
}

/* Makes natural blocks, and asks for their share if they are not nearly as many as rows. They are kept if
 * they suit A. */
static vks_status measure_share(struct solve *s)
{
    struct attempts *a = &s->attempts;
    struct attempted *t = &a->precond[ATTEMPT_BLOCKS];
    double share = 0;
    vks_status status = attempts_make(s, t);
    bool are_some = t->M && t->M->blocks <= a->facts.rows / 5 * 4;
    if (!status && !finding_refuses(&t->finding) && are_some)
        status = block_jacobi_share(t->M->narrow ? t->M->narrow : t->M, &share);
    bool failed = found_no_memory(s, status);
    a->facts.share = status || !isfinite(share) ? 0 : share;
    if (t->M && !rule_wants_blocks(&a->facts)) {
        precond_destroy(t->M);
        t->M = NULL;
        s->recorded.M = NULL; /* it may have been recorded */
    }
    return failed ? VKS_OK : status;
}

static vks_status find_facts(struct solve *s)
{
    struct attempts *a = &s->attempts;
    vks_status status = a->has_facts ? VKS_OK : measure_signs(s);
    if (!status && !a->has_facts && rule_wants_share(&a->facts))
        status = measure_share(s);
    a->has_facts |= !status;
    return status;
}

vks_status attempts_look(struct solve *s)
{
    struct attempts *a = &s->attempts;
    vks_solve_report *r = s->report;
    vks_status status = find_facts(s);
    if (status)
        return status;
    struct rule_choice choice = rule_choose(&a->facts, r->choice, sizeof r->choice);
    if (a->count) {
        a->row[0] = rule_row(&a->facts, ATTEMPT_JACOBI);
        a->row[0].budget = choice.jacobi;
    }
    if (choice.precond != ATTEMPT_JACOBI)
        a->row[a->count++] = rule_row(&a->facts, choice.precond);
    if (choice.precond != ATTEMPT_JACOBI || a->count == 0)
        a->row[a->count++] = rule_row(&a->facts, ATTEMPT_JACOBI);
    a->is_open = false;
    return VKS_OK;
}

vks_status attempts_begin_list(struct solve *s)
{
    struct attempts *a = &s->attempts;
    vks_solve_report *r = s->report;
    uint32_t look = a->chooses ? rule_look_after(&a->facts, r->choice, sizeof r->choice) : ATTEMPT_REST;
    a->at = a->count = 0;
    a->before.time = 0;
    a->is_open = look != ATTEMPT_REST;
    if (look == 0)
        return attempts_look(s);
    a->row[a->count++] = (struct attempt){.precond = ATTEMPT_JACOBI, .budget = look};
    return VKS_OK;
}
