/* Iterations in batches. Two are in flight, a lane each: while one runs, the host reads what the other
 * published. What was submitted beyond the last iteration finds the state ended and does nothing, so the
 * length of a batch never changes a result. */
#include "report/clock.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

/* Between two batches the device idles for some microseconds, and after the last iteration up to two batches
 * run in vain: both cost least where the length of a batch is near the root of the number of iterations. A
 * batch that is one dispatch ends with the solve, and is as long as may be. No batch should keep the caller's
 * progress and cancel waiting, nor others who use the device, who may ask for less than the usual time. The
 * lengths are powers of two: 1 << LEAST and so on. */
enum { LEAST = 1, FIRST = 2, LONGEST = BATCH_LENGTHS - 1 };
static const double usual_seconds = 0.05;

static uint32_t iterations_of(uint32_t length)
{
    return 1u << length;
}

static void decode(const struct solve *s, const char *words, struct snapshot *out)
{
    memcpy(&out->control, words, sizeof out->control);
    convert_values(public_precision(s->precision), words + CONTROL_BYTES, VKS_F64, out->number, NUMBERS);
}

vks_status read_snapshot(struct solve *s, struct snapshot *out)
{
    char words[STATE_BYTES];
    vks_status status = device_read(s->device, &s->state, 0, words, sizeof words);
    if (!status)
        decode(s, words, out);
    return status;
}

static vks_status record_iteration(struct solve *s)
{
    struct rec *r = &s->iteration;
    if (!r->count) {
        rec_guard(r, words_of(&s->state));
        s->method->iterate(r, &s->system, &s->workspace);
    }
    vks_status status = rec_prepare(r);
    if (status)
        rec_clear(r);
    return status;
}

static vks_status record_iterations(struct solve *s, struct rec *r, uint32_t count)
{
    if (s->workspace.groups) {
        s->method->together(r, &s->system, &s->workspace, count);
        return VKS_OK;
    }
    vks_status status = record_iteration(s);
    for (uint32_t i = 0; i < count && !status; i++)
        rec_include(r, &s->iteration);
    return status;
}

static vks_status record(struct solve *s, struct lane *l, uint32_t length)
{
    struct batch *b = &l->batch[length];
    uint32_t count = iterations_of(length), iterations = count * s->method->steps;
    if (b->recorded)
        return VKS_OK;
    b->rec.spanned = s->polled && s->device->info.kind != DEVICE_SOFTWARE; /* whose clock is waited for */
    vks_status status = record_iterations(s, &b->rec, count);
    b->bytes = (double)b->rec.bytes / iterations;
    b->dispatches = (b->rec.dispatches + iterations / 2) / iterations;
    copy_words(&b->rec, words_of(&s->state), words_of(&l->mailbox), STATE_BYTES / sizeof(uint32_t));
    if (!status)
        status = rec_prepare(&b->rec);
    b->recorded = !status;
    if (status)
        rec_clear(&b->rec);
    return status;
}

vks_status batches_record(struct solve *s)
{
    vks_status status = VKS_OK;
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t length = 0; !status && length < BATCH_LENGTHS; length++)
            status = record(s, &s->lane[i], length);
    return status;
}

void batches_forget(struct solve *s)
{
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t length = 0; length < BATCH_LENGTHS; length++) {
            struct batch *b = &s->lane[i].batch[length];
            if (b->recorded)
                rec_clear(&b->rec);
            b->recorded = false;
        }
    rec_clear(&s->iteration);
}

void batches_settle(struct solve *s)
{
    for (int i = 0; i < 2; i++)
        device_wait(s->device, s->lane[i].ticket, DEVICE_WAIT_SECONDS);
}

static vks_status submit(struct solve *s, struct lane *l, uint32_t length)
{
    vks_status status = record(s, l, length);
    if (!status)
        status = rec_submit(&l->batch[length].rec, &l->ticket);
    l->length = length;
    s->report->bytes_per_iteration = l->batch[length].bytes;
    s->report->dispatches_per_iteration = l->batch[length].dispatches;
    return status;
}

/* Whether twice as many would not run in vain, if there are so many iterations in all. */
static bool few_in_vain(uint32_t length, uint32_t iterations)
{
    return 4 * iterations_of(length) * iterations_of(length) <= iterations;
}

/* Of the first batches of a cycle: as the one before left it; of a solve, if it takes as many iterations as
 * the one before. */
static uint32_t first_length(const struct solve *s)
{
    uint32_t length = s->longest;
    if (s->report->iterations)
        return length;
    bool hurried = s->options.batch_seconds > 0 || s->options.progress;
    if (s->workspace.groups && !hurried)
        return LONGEST;
    if (!s->expected) /* on a slow device an iteration may take a second, and one of Jacobi's batches eight */
        return hurried ? 0 : FIRST;
    while (length > LEAST && !s->workspace.groups && !few_in_vain(length - 1, s->expected))
        length--;
    return length;
}

static uint32_t next_length(const struct solve *s, uint32_t length, uint32_t iterations, double seconds)
{
    double longest = s->options.batch_seconds > 0 ? s->options.batch_seconds : usual_seconds;
    if (seconds > longest)
        return length > 0 ? length - 1 : 0;
    bool worth_it = s->workspace.groups || few_in_vain(length, iterations);
    return worth_it && length < LONGEST && 2 * seconds < longest ? length + 1 : length;
}

/* Iterations after the last batch until the residual meets its goal, should it go on falling as it has since
 * the one before. */
static double iterations_left(const struct course *c)
{
    const double *then = c->before.number, *now = c->end.number;
    double steps = (double)c->end.control.iteration - c->before.control.iteration;
    double fall = log(then[NUMBER_RR] / now[NUMBER_RR]);
    double left = log(now[NUMBER_RR] / now[NUMBER_STOP]) * steps / fall;
    return steps > 0 && fall > 0 && left >= 0 ? left : INFINITY;
}

/* A batch of that length, or, if fewer iterations are still wanted after the batch under way, a shorter one:
 * what is submitted beyond the last runs in vain. A wrong guess costs a short batch. */
static uint32_t wanted(const struct solve *s, uint32_t length, uint32_t under_way)
{
    double more = ceil(iterations_left(&s->course) / s->method->steps) - iterations_of(under_way);
    while (length > LEAST && !s->workspace.groups && more < iterations_of(length))
        length--;
    return length;
}

/* The later of the two has the last state. */
static vks_status both_have_ended(struct solve *s)
{
    decode(s, s->lane[s->course.turn ^ 1].mailbox.mapped, &s->course.end);
    s->longest = s->course.length;
    return cycle_iterated(s);
}

/* What a batch that has ended took: the time since the one before was seen to end. That is too long if the
 * caller was away. Where he may be, the device is asked, whose timestamps cost some microseconds. */
static vks_status time_batch(struct solve *s, struct lane *l, double *seconds)
{
    vks_status status = rec_span(&l->batch[l->length].rec, seconds);
    double now = clock_seconds();
    if (!status && isnan(*seconds))
        *seconds = now - s->course.turned;
    s->course.turned = now;
    return status;
}

static vks_status one_has_ended(struct solve *s)
{
    struct course *c = &s->course;
    struct lane *l = &s->lane[c->turn], *other = &s->lane[c->turn ^ 1];
    double seconds;
    decode(s, l->mailbox.mapped, &c->end);
    bool running = c->end.control.state == STATE_RUNNING;
    c->cancelled |= running && wants_cancel(s, recurrence_of(c));
    if (!running || c->cancelled)
        return await(s, other->ticket, both_have_ended);
    vks_status status = time_batch(s, l, &seconds);
    if (!status && l->length == c->length && other->length == c->length)
        c->length = next_length(s, c->length, c->end.control.iteration / s->method->steps, seconds);
    if (!status)
        status = submit(s, l, wanted(s, c->length, other->length));
    c->before = c->end;
    c->turn ^= 1;
    return status ? status : await(s, other->ticket, one_has_ended);
}

vks_status batches_begin(struct solve *s)
{
    struct course *c = &s->course;
    c->turn = 0;
    c->length = first_length(s);
    c->before = (struct snapshot){0};
    c->turned = clock_seconds();
    vks_status status = VKS_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = submit(s, &s->lane[i], c->length);
    return status ? status : await(s, s->lane[0].ticket, one_has_ended);
}
