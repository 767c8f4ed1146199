#include "solvers/distributed/transport.h"
#include "abi/environment.h"

#include <math.h>
#include <string.h>

static void note_exchange(const struct partners *p, int failed, vks_status *status)
{
    if (failed && !*status)
        *status = fail(p->device->message, VKS_PARTNER, "elements could not be exchanged: %d", failed);
}

/* Returns the numbers of the first process that has failed; NULL: none. */
static const double *find_failure(const struct partners *p, uint32_t *process)
{
    const double *at = p->all;
    for (uint32_t q = 0; q < p->with->processes; q++) {
        *process = q;
        if (at[0] != VKS_OK)
            return at;
        at += gathered_of(p->with, q);
    }
    return NULL;
}

static vks_status name_failure(const struct partners *p, uint32_t process, double word)
{
    struct message *m = p->device->message;
    if (word < VKS_STATUS_COUNT_)
        return fail(m, VKS_PARTNER, "process %u failed: %s", process, vks_status_text((vks_status)word));
    return fail(m, VKS_PARTNER, "the rows of process %u are unsuitable: %s", process,
                vks_reason_text((vks_reason)(word - VKS_STATUS_COUNT_)));
}

/* Gathers p->own with `word`. */
static vks_status gather(struct partners *p, double word)
{
    uint32_t process = 0;
    p->own[0] = word;
    struct visit visit = callers_enter();
    int failed = p->with->gather(p->with->user, p->own, gathered_of(p->with, p->with->process), p->all);
    callers_leave(visit);
    if (failed)
        return fail(p->device->message, VKS_PARTNER, "sums could not be gathered: %d", failed);
    const double *other = find_failure(p, &process);
    return other ? name_failure(p, process, other[0]) : VKS_OK;
}

bool transport_gather(struct partners *p, vks_status *status)
{
    struct message own = *p->device->message;
    vks_status s = gather(p, *status);
    p->reported = s != VKS_OK;
    if (*status)
        *p->device->message = own;
    else
        *status = s;
    return !s;
}

void transport_send(const struct partners *p, vks_status *status)
{
    struct visit visit = callers_enter();
    int failed = p->with->exchange(p->with->user, p->outgoing.mapped, p->incoming.mapped);
    callers_leave(visit);
    note_exchange(p, failed, status);
}

void transport_receive(const struct partners *p, vks_status *status)
{
    struct visit visit = callers_enter();
    int failed = p->with->exchanged(p->with->user);
    callers_leave(visit);
    note_exchange(p, failed, status);
}

/* Gathers a word without sums. */
static vks_status gather_last(struct partners *p, double word)
{
    memset(p->own, 0, gathered_of(p->with, p->with->process) * sizeof *p->own);
    p->reported = true;
    return gather(p, word);
}

/* Whether the other processes are waiting for a word. */
static bool is_awaited(const struct partners *p)
{
    return p->own && !p->reported;
}

vks_status partners_end(struct partners *p)
{
    return is_awaited(p) ? gather_last(p, VKS_OK) : VKS_OK;
}

static void report(struct partners *p, double word)
{
    if (!is_awaited(p))
        return;
    struct message own = *p->device->message;
    gather_last(p, word);
    *p->device->message = own;
}

void partners_report_failure(struct partners *p, vks_status status)
{
    report(p, status);
}

void partners_report_refusal(struct partners *p, vks_reason reason)
{
    report(p, (double)VKS_STATUS_COUNT_ + reason);
}

vks_status partners_largest(struct partners *p, double two[2])
{
    vks_status status = VKS_OK;
    const double *at = p->all;
    for (uint32_t k = 0; k < MOST_ROWS * p->chunks; k++)
        p->own[1 + k] = k < 2 ? two[k] : 0;
    if (!transport_gather(p, &status))
        return status;
    for (uint32_t q = 0; q < p->with->processes; at += gathered_of(p->with, q++))
        for (uint32_t k = 0; k < 2 && chunks_of(p->with, q) > 0; k++)
            two[k] = fmax(two[k], at[1 + k]);
    return VKS_OK;
}
