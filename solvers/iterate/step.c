/* Steps of an operation, each run after the submission of the previous step has ended. */
#include "solvers/iterate/iterate.h"

static vks_status end(struct iteration *it)
{
    (void)it;
    return VKS_OK;
}

vks_status iteration_await(struct iteration *it, uint64_t ticket)
{
    return await(it, ticket, end);
}

void iteration_drain(struct iteration *it)
{
    it->progress.next = NULL;
    batches_drain(it);
}

vks_status iteration_step(struct iteration *it, double seconds, bool *waits)
{
    step next = it->progress.next;
    bool patient = seconds >= DEVICE_WAIT_SECONDS;
    vks_status status =
        device_wait(it->device, it->progress.awaited, patient ? DEVICE_WAIT_SECONDS : seconds);
    *waits = status == VKS_TIMEOUT && !patient;
    if (*waits)
        it->message->text[0] = 0;
    if (status)
        return *waits ? VKS_OK : status;
    it->progress.next = NULL;
    return next(it);
}
