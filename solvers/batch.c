/* Iterations in batches. Two recordings are in flight: while one runs, the host reads what the other
 * published. What was submitted beyond the last iteration finds the state ended and does nothing, so the
 * length of a batch never changes a result. */
#include "report/clock.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

/* Between two batches the device idles for some microseconds, and after the last iteration up to two batches
 * run in vain: both cost least where the length of a batch is near the root of the number of iterations. A
 * batch that is one dispatch ends with the solve, and is as long as may be. No batch should keep the caller's
 * progress and cancel waiting. */
enum { LEAST_BATCH = 2, FIRST_BATCH = 4, LONGEST_BATCH = 64 };
static const double longest_seconds = 0.05;

static void decode(enum precision p, const void *words, struct snapshot *out)
{
    const char *numbers = (const char *)words + CONTROL_BYTES;
    memcpy(&out->control, words, sizeof out->control);
    convert_values(public_precision(p), numbers, VKS_F64, out->number, NUMBERS);
}

vks_status read_snapshot(struct solve *s, struct snapshot *out)
{
    char words[STATE_BYTES];
    vks_status status = device_read(s->device, &s->state, 0, words, sizeof words);
    if (!status)
        decode(s->precision, words, out);
    return status;
}

static vks_status record(struct solve *s, struct batch *b, uint32_t count)
{
    if (b->count == count)
        return VKS_OK;
    rec_clear(&b->rec);
    if (s->workspace.groups)
        s->method->together(&b->rec, &s->system, &s->workspace, count);
    else
        for (uint32_t i = 0; i < count; i++)
            s->method->iterate(&b->rec, &s->system, &s->workspace);
    uint32_t iterations = count * s->method->steps;
    s->report->bytes_per_iteration = (double)b->rec.bytes / iterations;
    s->report->dispatches_per_iteration = (b->rec.count + iterations / 2) / iterations;
    copy_words(&b->rec, words_of(&s->state), words_of(&b->mailbox), STATE_BYTES / sizeof(uint32_t));
    b->count = count;
    return rec_prepare(&b->rec);
}

static uint32_t first_count(const struct solve *s)
{
    if (s->batch_count)
        return s->batch_count;
    return s->workspace.groups && !s->options.progress ? LONGEST_BATCH : FIRST_BATCH;
}

static uint32_t next_count(const struct solve *s, uint32_t count, uint32_t iterations, double seconds)
{
    if (seconds > longest_seconds)
        return count > 1 ? count / 2 : 1;
    bool few_in_vain = s->workspace.groups || 4 * count * count <= iterations;
    bool longer = few_in_vain && count < LONGEST_BATCH && 2 * seconds < longest_seconds;
    return longer ? 2 * count : count;
}

/* Iterations after `now` until the residual meets its goal, should it go on falling as it has since `before`.
 */
static double iterations_left(const struct snapshot *before, const struct snapshot *now)
{
    double steps = (double)now->control.iteration - before->control.iteration;
    double fall = log(before->number[NUMBER_RR] / now->number[NUMBER_RR]);
    double left = log(now->number[NUMBER_RR] / now->number[NUMBER_STOP]) * steps / fall;
    return steps > 0 && fall > 0 && left >= 0 ? left : INFINITY;
}

/* `count` iterations, or as many as are still wanted after those under way: what is submitted beyond the last
 * runs in vain. A wrong guess costs a short batch. */
static uint32_t wanted(const struct solve *s, uint32_t count, double left, uint32_t under_way)
{
    double more = ceil(left) - under_way;
    if (more >= count || count < LEAST_BATCH || s->workspace.groups)
        return count;
    return more > LEAST_BATCH ? (uint32_t)more : LEAST_BATCH;
}

static bool wants_cancel(struct solve *s, const struct snapshot *now)
{
    if (!s->options.progress)
        return false;
    double rr = now->number[NUMBER_RR];
    vks_progress p = {.iteration = now->control.iteration,
                      .residual = sqrt(rr) * s->sigma / s->b_norm,
                      .target = s->target / s->b_norm,
                      .seconds = clock_seconds() - s->begun};
    return s->options.progress(s->options.user, &p) != 0;
}

vks_status run_batches(struct solve *s, struct snapshot *end, bool *cancelled)
{
    struct batch *b = s->batch;
    vks_status status = VKS_OK;
    *cancelled = false;
    double last = clock_seconds();
    struct snapshot before = {0};
    uint32_t count = first_count(s), steps = s->method->steps;
    for (int i = 0; i < 2 && !status; i++) {
        status = record(s, &b[i], count);
        if (!status)
            status = rec_submit(&b[i].rec, &b[i].ticket);
    }
    int i = 0;
    for (; !status; i ^= 1) {
        status = device_wait(s->device, b[i].ticket, DEVICE_WAIT_SECONDS);
        if (status)
            break;
        double now = clock_seconds();
        decode(s->precision, b[i].mailbox.mapped, end);
        *cancelled = end->control.state == STATE_RUNNING && wants_cancel(s, end);
        if (end->control.state != STATE_RUNNING || *cancelled)
            break;
        if (b[0].count == count && b[1].count == count)
            count = next_count(s, count, end->control.iteration / steps, now - last);
        status = record(s, &b[i], wanted(s, count, iterations_left(&before, end) / steps, b[i ^ 1].count));
        last = now;
        before = *end;
        if (!status)
            status = rec_submit(&b[i].rec, &b[i].ticket);
    }
    s->batch_count = count;
    /* what is still in flight ends before the caller goes on, and may be what ended the solve */
    for (int k = 0; k < 2; k++) {
        vks_status waited = device_wait(s->device, b[k].ticket, DEVICE_WAIT_SECONDS);
        status = status ? status : waited;
    }
    if (!status)
        decode(s->precision, b[i ^ 1].mailbox.mapped, end); /* the later of the two */
    return status;
}
