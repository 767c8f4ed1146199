/* Public calls that run one small recording. The context keeps a few slots, each with a recording and room
 * for some numbers, so that a call allocates nothing after the first ones.
 *
 *     struct call *c = call_begin(context, precision);
 *     axpy(&c->rec, call_number(c, alpha), x, y);
 *     return call_end(c);
 *
 * The first failure sticks in c->rec and comes out at the end. Between begin and end no other call begins.
 *
 * In a deferred context call_end does not wait. The slot is used again when its submission has ended. */
#ifndef VKS_DEVICE_CALL_H
#define VKS_DEVICE_CALL_H

#include "device/context.h"
#include "device/reduction.h"

/* The most numbers that a call takes or gives, and those of them that call_number and call_two_numbers take.
 */
enum { CALL_NUMBERS = 32, CALL_FACTORS = 2 };

struct call {
    vks_context *context;
    struct rec rec;
    uint64_t ticket;
    uint64_t numbers[2]; /* the bits of call_number, which go to the slot's room before the submission */
    void *mapped;        /* the slot's room as the host sees it */
    u32s room;           /* the same as kernels see it */
};

/* Takes the next slot, with an empty recording in precision p. If all are in flight, waits for the oldest. */
struct call *call_begin(vks_context *context, enum precision p);

/* The number behind another one. */
static inline number call_behind(const struct call *c, number first, uint32_t k)
{
    return (number)((uintptr_t)first + k * (uintptr_t)real_bytes(c->rec.precision));
}

/* A number for the kernels of this call, rounded to the precision of the recording; or two, the second behind
 * the first. Once for each call. */
number call_number(struct call *c, double value);
number call_two_numbers(struct call *c, double first, double second);

/* The place for the result of the call, and for others behind it, CALL_NUMBERS in all. Where a call has
 * numbers, the first CALL_FACTORS places are theirs. */
static inline number call_room(const struct call *c)
{
    return (number)(uintptr_t)c->room;
}

/* The workspace of a reduction of n elements in `rows` rows, until call_result. All calls share it. */
const struct reduction *call_reduction(struct call *c, uint32_t n, uint32_t rows);

/* Room for a vector, until the call ends; contents are undefined. All calls share it. A failure sticks in
 * c->rec. */
reals call_spare(struct call *c, uint64_t bytes);

/* Submits the recording, and waits in no context. */
vks_status call_submit(struct call *c, uint64_t *ticket);
/* Waits for a call that was submitted so, as device_wait does. */
vks_status call_wait(vks_context *context, uint64_t ticket, double seconds);

/* Runs the recording; in a deferred context only submits it. */
vks_status call_end(struct call *c);
/* Runs the recording, and returns the result, or the first `count` of them, in doubles. */
vks_status call_result(struct call *c, double *result);
vks_status call_results(struct call *c, uint32_t count, double *results);

/* Waits for the calls that are in flight. Afterwards memory that both sides see may be written. */
vks_status calls_settle(vks_context *context);

/* What the calls of a context share; NULL where there is no memory. */
struct calls *calls_create(void);
/* Waits for the calls in flight, and frees all. */
void calls_destroy(struct device *d, struct calls *k);

#endif
