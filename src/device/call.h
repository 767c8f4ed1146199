/* Public calls that run one small recording. The context keeps a few slots, each with a recording and room
 * for some numbers, so after the first few calls no call allocates.
 *
 *     struct call *c = call_begin(context, precision);
 *     axpy(&c->rec, call_number(c, alpha), x, y);
 *     return call_end(c);
 *
 * The first failure sticks in c->rec and is returned at the end. No other call may begin between begin and
 * end.
 *
 * In a deferred context call_end does not wait. The slot is reused when its submission has ended. */
#ifndef VKS_DEVICE_CALL_H
#define VKS_DEVICE_CALL_H

#include "device/context.h"
#include "device/reduction.h"

/* CALL_NUMBERS: the most numbers a call takes or returns. CALL_FACTORS: how many of them call_number and
 * call_two_numbers take. */
enum { CALL_NUMBERS = 32, CALL_FACTORS = 2 };

struct call {
    vks_context *context;
    struct rec rec;
    uint64_t ticket;
    uint64_t numbers[2]; /* the bits of the call's numbers, copied to the slot's room before the submission */
    void *mapped;        /* the slot's room for the host */
    u32s room;           /* the slot's room for kernels */
};

/* Takes the next slot, with an empty recording in precision p. If all are in flight, waits for the oldest. */
struct call *call_begin(vks_context *context, enum precision p);

/* The number at position k after `first`. */
static inline number call_behind(const struct call *c, number first, uint32_t k)
{
    return (number)((uintptr_t)first + k * (uintptr_t)real_bytes(c->rec.precision));
}

/* Passes one number, or two in sequence, to the kernels of this call, rounded to the precision of the
 * recording. At most once in each call. */
number call_number(struct call *c, double value);
number call_two_numbers(struct call *c, double first, double second);

/* The place for the result of the call and for further results after it, CALL_NUMBERS in all. If a call has
 * numbers, they occupy the first CALL_FACTORS places. */
static inline number call_room(const struct call *c)
{
    return (number)(uintptr_t)c->room;
}

/* The workspace of a reduction of n elements in `rows` rows, until call_result. All calls share it. */
const struct reduction *call_reduction(struct call *c, uint32_t n, uint32_t rows);

/* Room for a vector until the call ends; contents are undefined. All calls share it. A failure sticks in
 * c->rec. */
reals call_spare(struct call *c, uint64_t bytes);

/* Submits without waiting, even if the context is not deferred. */
vks_status call_submit(struct call *c, uint64_t *ticket);
/* Waits for a call submitted by call_submit, as device_wait does. */
vks_status call_wait(vks_context *context, uint64_t ticket, double seconds);

/* Runs the recording; in a deferred context only submits it. */
vks_status call_end(struct call *c);
/* Runs the recording and returns the result, or the first `count` results, as doubles. */
vks_status call_result(struct call *c, double *result);
vks_status call_results(struct call *c, uint32_t count, double *results);

/* Waits for the calls in flight. Memory that both sides see may be written afterwards. */
vks_status calls_settle(vks_context *context);

/* The state that the calls of a context share; NULL if out of memory. */
struct calls *calls_create(void);
/* Waits for the calls in flight and frees everything. */
void calls_destroy(struct device *d, struct calls *k);

#endif
