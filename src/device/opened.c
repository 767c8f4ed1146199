/* Known-answer test of a newly opened device: some drivers execute nothing, so that all results would look
 * like 0. It runs three dispatches in one submission, in 64-bit floats if the device has them. The arithmetic
 * is exact, so the answer does not depend on how the device rounds. The trial runs first, so that these and
 * all later kernels are compiled without the features that failed it. */
#include "device/record.h"
#include "device/room.h"
#include "device/trial.h"
#include "report/clock.h"

#include <string.h>
#include <unistd.h>

/* Two workgroups. */
enum { ELEMENTS = 512, ALPHA = 5 };

/* Numbers of one precision in memory that the host sees. */
struct numbers {
    struct memory memory;
    enum precision precision;
};

static double number_at(const struct numbers *x, uint32_t i)
{
    return scalar_get(x->precision, x->memory.mapped, i);
}

static void put_number(const struct numbers *x, uint32_t i, double value)
{
    scalar_put(x->precision, x->memory.mapped, i, value);
}

/* Elements are 1 .. 2^20, so that all results are exact in both precisions. */
static double element_of(uint32_t seed, uint32_t i)
{
    uint32_t h = (seed + i) * 2654435761u;
    return 1 + (h ^ h >> 15) % 1048576;
}

/* A value that differs from anything a kernel writes. */
static double unwritten(double element)
{
    return -element;
}

static vks_status compare(struct device *d, uint32_t seed, const struct numbers *out)
{
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        double element = element_of(seed, i), right = (1 + ALPHA) * element, found = number_at(out, i);
        if (found != right)
            return fail(d->message, VKS_NO_DEVICE,
                        "%.60s does not work: a kernel whose result is %.17g %s %.17g", d->info.name, right,
                        found == unwritten(element) ? "wrote nothing over" : "gave", found);
    }
    return VKS_OK;
}

/* The host writes x and alpha; the device computes y = x, y = y + alpha x and out = y. */
static void record(struct rec *r, const struct memory *x, const struct memory *y, const struct memory *out)
{
    uint64_t bytes = real_bytes(r->precision);
    uint32_t words = (uint32_t)(ELEMENTS * bytes / 4), groups = ELEMENTS / 256;
    run(r, copy_words, groups, .x = words_of(x), .y = words_of(y), .n = words);
    run(r, axpy, groups, .alpha = (number)(uintptr_t)(x->address + ELEMENTS * bytes),
        .x = (reals)(uintptr_t)x->address, .y = (reals)(uintptr_t)y->address, .n = ELEMENTS);
    run(r, copy_words, groups, .x = words_of(y), .y = words_of(out), .n = words);
}

static vks_status ask_known_answer(struct device *d)
{
    enum precision p = d->info.f64 ? PRECISION_F64 : PRECISION_F32;
    uint32_t seed = (uint32_t)(uint64_t)(clock_seconds() * 1e9); /* memory may still hold an earlier answer */
    uint64_t bytes = (uint64_t)ELEMENTS * real_bytes(p);
    struct room w = {.device = d};
    struct numbers x = {room_memory(&w, MEMORY_SHARED, bytes + real_bytes(p), "a known answer"), p};
    struct numbers out = {room_memory(&w, MEMORY_SHARED, bytes, "a known answer"), p};
    struct memory y = room_memory(&w, MEMORY_DEVICE, bytes, "a known answer");
    vks_status s = w.status;
    for (uint32_t i = 0; !s && i < ELEMENTS; i++) {
        put_number(&x, i, element_of(seed, i));
        put_number(&out, i, unwritten(element_of(seed, i)));
    }
    if (!s)
        put_number(&x, ELEMENTS, ALPHA);
    struct rec r = rec_once(d, p);
    if (!s) {
        record(&r, &x.memory, &y, &out.memory);
        s = rec_try(&r);
    }
    IF_OK(s, compare(d, seed, &out));
    rec_destroy(&r);
    room_close(&w);
    return s;
}

vks_status device_opened(struct device *d, const struct device_options *o)
{
    d->pid = getpid();
    d->patience = o->opening_seconds > 0 ? o->opening_seconds : OPENING_WAIT_SECONDS;
    d->team_is_lent = o->team != NULL;
    d->team = o->team ? o->team : team_create(o->threads);
    if (!d->team)
        return fail(d->message, VKS_OUT_OF_MEMORY, "out of host memory for a team of threads");
    if (d->ops->want)
        d->helpers = helpers_create(team_size(d->team) - 1);
    vks_status s = o->unasked ? VKS_OK : device_trial(d, o);
    if (!s && !o->unasked)
        s = ask_known_answer(d);
    if (!s)
        d->patience = DEVICE_WAIT_SECONDS;
    else if (!d->team_is_lent)
        team_destroy(d->team);
    return s;
}
