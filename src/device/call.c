#include "device/call.h"

#include <stdlib.h>
#include <string.h>

/* SLOTS: submissions in flight at once, enough to keep a GPU busy while the host records. ROOM: bytes of a
 * slot's room. */
enum { SLOTS = 16, ROOM = 8 * CALL_NUMBERS };

/* A ring: the `in_flight` slots before `next` are submitted and may still run. */
struct calls {
    struct call slot[SLOTS];
    uint32_t next, in_flight;
    struct memory numbers; /* the room of each slot, on both sides */
    struct memory copies;  /* the same on the device, if it reads host memory slowly */
    struct reduction sums; /* workspace for up to `elements` elements in `rows` rows */
    uint32_t elements, rows;
    struct memory spare; /* of call_spare */
};

/* The last submitted call. */
static const struct call *last_of(const struct calls *k)
{
    return &k->slot[(k->next + SLOTS - 1) % SLOTS];
}

static vks_status open_room(struct device *d, struct calls *k)
{
    vks_status s = VKS_OK;
    if (!k->numbers.handle)
        s = device_allocate(d, MEMORY_SHARED, SLOTS * ROOM, "numbers of calls", &k->numbers);
    if (!s && !d->info.unified && !k->copies.handle)
        s = device_allocate(d, MEMORY_DEVICE, SLOTS * ROOM, "numbers of calls", &k->copies);
    return s;
}

/* If all slots are in flight, waits until the next one is free. */
static vks_status wait_for_oldest(struct device *d, struct calls *k)
{
    if (k->in_flight < SLOTS)
        return VKS_OK;
    vks_status s = device_wait(d, k->slot[k->next].ticket, DEVICE_WAIT_SECONDS);
    k->in_flight -= !s;
    return s;
}

struct call *call_begin(vks_context *context, enum precision p)
{
    struct device *d = context->device;
    struct calls *k = context->calls;
    struct call *c = &k->slot[k->next];
    vks_status s = open_room(d, k);
    IF_OK(s, wait_for_oldest(d, k));
    if (!c->context)
        rec_create(&c->rec, d, p);
    c->context = context;
    c->mapped = s ? NULL : (char *)k->numbers.mapped + k->next * ROOM;
    c->room = words_in(&k->numbers, k->next * ROOM / 4);
    rec_clear(&c->rec);
    c->rec.precision = p;
    c->rec.status = s;
    return c;
}

number call_two_numbers(struct call *c, double first, double second)
{
    const struct calls *k = c->context->calls;
    scalar_put(c->rec.precision, c->numbers, 0, first);
    scalar_put(c->rec.precision, c->numbers, 1, second);
    if (!k->copies.handle)
        return call_room(c);
    u32s copy = words_in(&k->copies, k->next * ROOM / 4);
    run_in(&c->rec, PRECISION_F32, copy_words, 1, .x = c->room, .y = copy, .n = sizeof c->numbers / 4);
    return (number)(uintptr_t)copy;
}

number call_number(struct call *c, double value)
{
    return call_two_numbers(c, value, 0);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Releasing the old workspace waits for the calls in flight. */
static vks_status grow(struct device *d, struct calls *k, uint32_t n, uint32_t rows)
{
    n = larger(n, k->elements);
    rows = larger(rows, k->rows);
    reduction_destroy(d, &k->sums);
    k->elements = k->rows = 0;
    TRY(reduction_create(d, n, rows, &k->sums));
    k->elements = n;
    k->rows = rows;
    return VKS_OK;
}

const struct reduction *call_reduction(struct call *c, uint32_t n, uint32_t rows)
{
    struct calls *k = c->context->calls;
    if (!c->rec.status && (n > k->elements || rows > k->rows))
        c->rec.status = grow(c->rec.device, k, n, rows);
    return &k->sums;
}

/* Calls in flight may still use the smaller array; device_release makes its release safe. */
reals call_spare(struct call *c, uint64_t bytes)
{
    struct calls *k = c->context->calls;
    struct device *d = c->rec.device;
    if (!c->rec.status && (!k->spare.handle || bytes > k->spare.bytes)) {
        device_release(d, &k->spare);
        c->rec.status = device_allocate(d, MEMORY_DEVICE, bytes, "a product", &k->spare);
    }
    return (reals)(uintptr_t)k->spare.address;
}

/* Writes the room only after the device's checks in rec_prepare have passed; after a fork they fail. */
static vks_status submit(struct call *c)
{
    struct calls *k = c->context->calls;
    TRY(rec_prepare(&c->rec));
    memcpy(c->mapped, c->numbers, sizeof c->numbers);
    TRY(rec_submit(&c->rec, &c->ticket));
    k->in_flight++;
    k->next = (k->next + 1) % SLOTS;
    return VKS_OK;
}

/* When a submission has ended, all earlier ones have. After a failure they may still run. */
static vks_status finish(struct call *c)
{
    struct calls *k = c->context->calls;
    TRY(rec_finish(&c->rec, c->ticket));
    k->in_flight = k->next = 0;
    return VKS_OK;
}

vks_status call_submit(struct call *c, uint64_t *ticket)
{
    vks_status s = submit(c);
    *ticket = c->ticket;
    return s;
}

/* Frees all slots if the call was the last one submitted. */
vks_status call_wait(vks_context *context, uint64_t ticket, double seconds)
{
    struct calls *k = context->calls;
    vks_status s = device_wait(context->device, ticket, seconds);
    if (!s && k->in_flight && last_of(k)->ticket <= ticket)
        k->in_flight = k->next = 0;
    return s;
}

vks_status call_end(struct call *c)
{
    TRY(submit(c));
    return c->context->deferred ? VKS_OK : finish(c);
}

vks_status call_results(struct call *c, uint32_t count, double *results)
{
    vks_status s = submit(c);
    IF_OK(s, finish(c));
    for (uint32_t k = 0; !s && k < count; k++)
        results[k] = scalar_get(c->rec.precision, c->mapped, k);
    return s;
}

vks_status call_result(struct call *c, double *result)
{
    return call_results(c, 1, result);
}

vks_status calls_settle(vks_context *context)
{
    const struct calls *k = context->calls;
    return k->in_flight ? call_wait(context, last_of(k)->ticket, DEVICE_WAIT_SECONDS) : VKS_OK;
}

struct calls *calls_create(void)
{
    return calloc(1, sizeof(struct calls));
}

void calls_destroy(struct device *d, struct calls *k)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        rec_destroy(&k->slot[i].rec);
    reduction_destroy(d, &k->sums);
    device_release(d, &k->numbers);
    device_release(d, &k->copies);
    device_release(d, &k->spare);
    free(k);
}
