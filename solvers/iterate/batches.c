/* Iterations in batches. Two are in flight, one in each slot: while one runs, the host reads the state that
 * the other published. Batches submitted beyond the last iteration see that the state has ended and do
 * nothing, so the length of a batch never changes a result. */
#include "report/clock.h"
#include "solvers/iterate/iterate.h"

#include <math.h>

/* Between two batches the device idles for some microseconds, and after the last iteration up to two batches
 * do nothing. The total cost is least if the length of a batch is near the root of the number of iterations.
 * A batch that is one dispatch ends with the solve, and is as long as possible. No batch should delay the
 * caller's progress and cancellation, or other users of the device. Lengths: powers of two from 1 <<
 * LEAST. */
enum { LEAST = 1, FIRST = 2, LONGEST = BATCH_LENGTHS - 1 };
static const double usual_seconds = 0.05;

/* With partners all batches have one unit, which contains all-reduces. */
static bool one_by_one(const struct iteration *it)
{
    return it->options->partners != NULL;
}

static uint32_t units_of(uint32_t length)
{
    return 1u << length;
}

static vks_status record_unit(struct iteration *it)
{
    struct rec *r = &it->batches.unit;
    if (!r->count)
        method_record_unit(r, it->method, &it->krylov);
    vks_status status = rec_prepare(r);
    if (status)
        rec_clear(r);
    return status;
}

static vks_status record_units(struct iteration *it, struct rec *r, uint32_t count)
{
    if (it->batches.groups) {
        it->method->fused->units(r, &it->krylov, count);
        return VKS_OK;
    }
    vks_status status = record_unit(it);
    for (uint32_t i = 0; i < count && !status; i++)
        rec_include(r, &it->batches.unit);
    return status;
}

static vks_status record(struct iteration *it, struct slot *l, uint32_t length)
{
    struct batch *b = &l->batch[length];
    uint32_t count = units_of(length), iterations = count * method_unit(it->method);
    if (b->recorded)
        return VKS_OK;
    b->rec.spanned = it->batches.spanned;
    vks_status status = record_units(it, &b->rec, count);
    b->bytes = (double)b->rec.bytes / iterations;
    b->dispatches = (b->rec.dispatches + iterations / 2) / iterations;
    state_record_publish(&b->rec, &it->column.state, &l->mailbox);
    IF_OK(status, rec_prepare(&b->rec));
    b->recorded = !status;
    if (status)
        rec_clear(&b->rec);
    return status;
}

vks_status batches_record(struct iteration *it)
{
    vks_status status = VKS_OK;
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t length = 0; !status && length < (one_by_one(it) ? 1 : BATCH_LENGTHS); length++)
            status = record(it, &it->batches.slot[i], length);
    return status;
}

void batches_forget(struct iteration *it)
{
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t length = 0; length < BATCH_LENGTHS; length++) {
            struct batch *b = &it->batches.slot[i].batch[length];
            if (b->recorded)
                rec_clear(&b->rec);
            b->recorded = false;
        }
    rec_clear(&it->batches.unit);
    if (it->batches.longest > FIRST) /* a unit may now take a hundred times as long */
        it->batches.longest = FIRST;
}

void batches_drain(struct iteration *it)
{
    for (int i = 0; i < 2; i++)
        device_wait(it->device, it->batches.slot[i].ticket, DEVICE_WAIT_SECONDS);
}

void batches_release(struct iteration *it)
{
    for (int i = 0; i < 2; i++)
        for (int length = 0; length < BATCH_LENGTHS; length++)
            rec_destroy(&it->batches.slot[i].batch[length].rec);
    rec_destroy(&it->batches.unit);
}

static vks_status submit(struct iteration *it, struct slot *l, uint32_t length)
{
    vks_status status = record(it, l, length);
    IF_OK(status, rec_submit(&l->batch[length].rec, &l->ticket));
    l->length = length;
    it->column.report->bytes_per_iteration = l->batch[length].bytes;
    it->column.report->dispatches_per_iteration = l->batch[length].dispatches;
    return status;
}

/* Whether most of a batch of twice the length is used, if the solve takes `iterations`. */
static bool wastes_little(uint32_t length, uint32_t iterations)
{
    return 4 * units_of(length) * units_of(length) <= iterations;
}

/* Length of the first batches of a cycle: that of the previous cycle. In the first cycle of a solve: the
 * length that suits the iteration count of the previous solve. */
static uint32_t first_length(const struct iteration *it)
{
    const struct batches *b = &it->batches;
    uint32_t length = b->longest;
    if (one_by_one(it))
        return 0;
    if (it->column.report->iterations)
        return length;
    bool hurried = it->options->batch_seconds > 0 || it->options->progress;
    if (b->groups && !hurried)
        return LONGEST;
    if (!b->expected) /* an iteration may take a second on a slow device */
        return hurried ? 0 : FIRST;
    while (length > LEAST && !b->groups && !wastes_little(length - 1, b->expected))
        length--;
    return length;
}

static uint32_t next_length(const struct iteration *it, double seconds)
{
    uint32_t length = it->batches.length;
    uint32_t units = it->column.end.control.iteration / method_unit(it->method);
    double longest = it->options->batch_seconds > 0 ? it->options->batch_seconds : usual_seconds;
    if (one_by_one(it))
        return 0;
    if (seconds > longest)
        return length > 0 ? length - 1 : 0;
    bool worth_it = it->batches.groups || wastes_little(length, units);
    return worth_it && length < LONGEST && 2 * seconds < longest ? length + 1 : length;
}

/* Estimates the iterations after the last batch until the residual reaches its goal, from its decrease since
 * the previous batch. */
static double iterations_left(const struct column *c)
{
    const struct snapshot *then = &c->earlier, *now = &c->end;
    double steps = (double)now->control.iteration - then->control.iteration;
    double rr = now->numbers.rr, stop = now->numbers.stop;
    bool falls = steps > 0 && isgreater(rr, 0) && isgreater(then->numbers.rr, rr);
    bool may_end = falls && stop > 0 && rr >= stop;
    return may_end ? log(rr / stop) * steps / log(then->numbers.rr / rr) : INFINITY;
}

/* Length of the next batch: shorter than usual if fewer iterations remain after the batch in flight. A wrong
 * guess costs a short batch. */
static uint32_t wanted(const struct iteration *it, uint32_t in_flight)
{
    uint32_t length = it->batches.length;
    double more = ceil(iterations_left(&it->column) / method_unit(it->method)) - units_of(in_flight);
    while (length > LEAST && !it->batches.groups && more < units_of(length))
        length--;
    return length;
}

/* Reads the final state, from the later of the two batches. */
static vks_status both_have_ended(struct iteration *it)
{
    struct batches *b = &it->batches;
    state_decode(&it->column.state, b->slot[b->turn ^ 1].mailbox.mapped, &it->column.end);
    b->longest = b->length;
    return b->done(it);
}

/* Computes the time of a batch that has ended: from the device's timestamps if they were recorded, which
 * costs some microseconds; otherwise from the time since the end of the previous batch was observed, which is
 * too long if the caller did not poll in between. */
static vks_status time_batch(struct iteration *it, struct slot *l, double *seconds)
{
    vks_status status = rec_span(&l->batch[l->length].rec, seconds);
    double now = clock_seconds();
    if (!status && isnan(*seconds))
        *seconds = now - it->batches.turned;
    it->batches.turned = now;
    return status;
}

static vks_status one_has_ended(struct iteration *it)
{
    struct batches *b = &it->batches;
    struct column *c = &it->column;
    struct slot *l = &b->slot[b->turn], *other = &b->slot[b->turn ^ 1];
    double seconds;
    state_decode(&c->state, l->mailbox.mapped, &c->end);
    bool running = c->end.control.state == STATE_RUNNING;
    it->progress.cancelled |= running && cancel_requested(it, recurrence_of(c));
    if (!running || it->progress.cancelled)
        return await(it, other->ticket, both_have_ended);
    vks_status status = time_batch(it, l, &seconds);
    if (!status && l->length == b->length && other->length == b->length)
        b->length = next_length(it, seconds);
    IF_OK(status, submit(it, l, wanted(it, other->length)));
    c->earlier = c->end;
    b->turn ^= 1;
    return status ? status : await(it, other->ticket, one_has_ended);
}

vks_status batches_begin(struct iteration *it, step done)
{
    struct batches *b = &it->batches;
    b->done = done;
    b->turn = 0;
    b->length = first_length(it);
    it->column.earlier = (struct snapshot){0};
    b->turned = clock_seconds();
    vks_status status = VKS_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = submit(it, &b->slot[i], b->length);
    return status ? status : await(it, b->slot[0].ticket, one_has_ended);
}
