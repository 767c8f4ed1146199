/* Scratch that is reused each time the same work is done: which arrays a round gets, and the use of
 * recordings. */
#include "device/scratch.h"
#include "tests/support/context.h"
#include "tests/support/failing_memory.h"
#include "vector/verbs.h"

enum { N = 1000 };

static struct memory take(vks_context *c, enum memory_kind kind, uint64_t bytes)
{
    struct memory m;
    must_work(c, device_allocate(c->device, kind, bytes, "scratch", &m));
    return m;
}

/* Arrays of three kinds and sizes, with another one first in some rounds; and one more of the first size
 * after that has been returned. */
static void work(vks_context *c, uint32_t round, uint64_t address[4])
{
    static const struct {
        enum memory_kind kind;
        uint64_t bytes;
    } wanted[] = {{MEMORY_DEVICE, 100}, {MEMORY_SHARED, 100}, {MEMORY_DEVICE, 8}};
    struct memory m[3];
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t k = (i + round) % 3;
        m[k] = take(c, wanted[k].kind, wanted[k].bytes);
        address[k] = m[k].address;
    }
    for (uint32_t k = 0; k < 3; k++)
        device_release(c->device, &m[k]);
    m[0] = take(c, MEMORY_DEVICE, 100);
    address[3] = m[0].address;
    device_release(c->device, &m[0]);
}

TestOnBoth(scratch, rounds_get_the_same_arrays_each_of_them_once)
{
    struct interposed *i = interposed_of(c->device);
    struct scratch s = {0};
    uint64_t before = c->device->bytes, at[3][4];
    for (uint32_t round = 0; round < 3; round++) {
        scratch_begin(&s, c->device);
        work(c, round, at[round]);
        must_work(c, scratch_end(&s));
        cr_expect_eq(s.bytes, 308);
        cr_expect_eq(c->device->bytes, before + 308);
        cr_expect_arr_eq(at[round], at[0], sizeof at[0]);
    }
    for (int k = 0; k < 3; k++)
        cr_expect_neq(at[0][k], at[0][k + 1]);
    cr_expect_neq(at[0][3], at[0][0], "an array served twice in a round");
    uint32_t live = i->live;
    scratch_close(&s);
    cr_expect_eq(i->live, live - 4);
    cr_expect_eq(c->device->bytes, before);
}

/* Arrays that are not returned, and those that existed before. */
TestOnBoth(scratch, arrays_that_are_not_of_a_round_or_outlive_it_are_not_kept)
{
    OWNED_BY(scratch_close) struct scratch s = {0};
    struct memory old = take(c, MEMORY_DEVICE, 100), own[2];
    for (int round = 0; round < 2; round++) {
        scratch_begin(&s, c->device);
        own[round] = take(c, MEMORY_DEVICE, 100);
        if (!round)
            device_release(c->device, &old);
        must_work(c, scratch_end(&s));
        cr_expect_eq(s.bytes, 0);
    }
    cr_expect_neq(own[0].address, own[1].address);
    uint64_t bytes = c->device->bytes;
    for (int round = 0; round < 2; round++)
        device_release(c->device, &own[round]);
    cr_expect_eq(c->device->bytes, bytes - 200);
}

/* y = the round in its first elements, by a number of recordings that varies by one; then one that does
 * nothing. */
static void fill_words_of(vks_context *c, const struct memory *y, uint32_t round)
{
    OWNED_BY(rec_destroy) struct rec r;
    for (uint32_t k = 0; k < 2 + round % 2; k++) {
        rec_create(&r, c->device, PRECISION_F32);
        fill_words(&r, words_of(y), 10 * round + k, 0, N - 100 * k, 1);
        must_work(c, rec_leave(&r));
        rec_destroy(&r);
    }
    rec_create(&r, c->device, PRECISION_F32);
    must_work(c, rec_leave(&r));
}

TestOnBoth(scratch, recordings_that_are_used_again_do_what_is_recorded_last)
{
    struct scratch s = {0};
    struct memory y = take(c, MEMORY_DEVICE, 4 * N);
    uint32_t words[N];
    for (uint32_t round = 0; round < 5; round++) {
        scratch_begin(&s, c->device);
        fill_words_of(c, &y, round);
        must_work(c, scratch_end(&s));
        must_work(c, device_read(c->device, &y, 0, words, sizeof words));
        uint32_t last = 1 + round % 2;
        for (uint32_t i = 0; i < N; i++) {
            uint32_t k = (N - 1 - i) / 100;
            cr_assert_eq(words[i], 10 * round + (k < last ? k : last), "round %u, word %u", round, i);
        }
        cr_expect_eq(s.rec_count, round ? 4 : 3);
    }
    scratch_close(&s);
    device_release(c->device, &y);
}

/* A unit becomes invalid if another recording gets its memory. */
TestOnHost(scratch, units_are_not_kept)
{
    OWNED_BY(scratch_close) struct scratch s = {0};
    struct rec unit;
    scratch_begin(&s, c->device);
    rec_create(&unit, c->device, PRECISION_F32);
    unit.is_unit = true;
    rec_destroy(&unit);
    must_work(c, scratch_end(&s));
    cr_expect_eq(s.rec_count, 0);
}

#if MEMORY_CAN_FAIL
/* The lists of arrays and of recordings. What cannot be kept is released as usual. */
Test(scratch, a_list_that_cannot_grow_is_reported_at_the_end)
{
    struct message reported = {0};
    OWNED_BY(context_end) vks_context *c = NULL;
    cr_assert_eq(context_open(&reported, "host", &(struct device_options){0}, &c), VKS_OK, "%s",
                 reported.text);
    for (uint32_t failing = 1; failing <= 3; failing++) {
        struct scratch s = {0};
        struct memory m;
        struct rec r;
        context_begin(c);
        scratch_begin(&s, c->device);
        arm(failing);
        vks_status status = device_allocate(c->device, MEMORY_DEVICE, 100, "scratch", &m);
        cr_expect_eq(status != VKS_OK, failing == 1);
        rec_create(&r, c->device, PRECISION_F32);
        rec_destroy(&r);
        device_release(c->device, &m);
        vks_status ended = scratch_end(&s);
        cr_expect_eq(ended, failing == 1 ? VKS_OK : VKS_OUT_OF_MEMORY);
        cr_expect_eq(s.array_count, failing == 3);
        cr_expect_eq(s.rec_count, failing != 3);
        scratch_close(&s);
        disarm();
        if (failing > 1)
            cr_expect(strstr(vks_context_message(c), "a list of what is used again"), "%s",
                      vks_context_message(c));
    }
}
#endif
