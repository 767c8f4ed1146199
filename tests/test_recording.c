/* Guards of recordings, and recordings that include others, on the host and on a GPU. test_kernels.c tests
 * that every kernel obeys its guard. */
#include "tests/support/recording.h"

/* The first `count` of y must be `value`, the others 0. */
static void expect_first(const struct setting *s, uint32_t count, float value)
{
    float y[N];
    must_work(s->c, device_read(s->c->device, &s->y, 0, y, sizeof y));
    for (uint32_t i = 0; i < N; i++)
        cr_assert_eq(y[i], i < count ? value : 0, "element %u of %u is %g, not %g", i, count, (double)y[i],
                     (double)value);
}

/* The first message of a public call is kept, so it is cleared here. */
static void must_refuse_now(vks_context *c, vks_status s, vks_status expected, const char *part)
{
    must_refuse(c, s, expected, part);
    c->message.text[0] = 0;
}

/* ---- Guards ---- */

/* The word has the value from an earlier dispatch of the recording. */
TestOnBoth(recording, a_guarded_dispatch_runs_while_the_word_is_0_alone)
{
    OWNED_STRUCT(setting) s = begin(c);
    set(&s, &s.r, &s.one);
    rec_guard(&s.r, words_of(&s.word));
    fill_first(&s, &s.r, N);
    set(&s, &s.r, &s.zero);
    fill_first(&s, &s.r, 300);
    set(&s, &s.r, &s.one);
    fill_first(&s, &s.r, 600);
    must_work(c, rec_run(&s.r));
    expect_first(&s, 300, 1);
}

TestOnBoth(recording, a_guard_holds_until_it_is_replaced_or_the_recording_cleared)
{
    OWNED_STRUCT(setting) s = begin(c);
    cr_expect_null(rec_guard(&s.r, words_of(&s.one)));
    cr_expect_eq(rec_guard(&s.r, words_of(&s.zero)), words_of(&s.one));
    cr_expect_eq(rec_guard(&s.r, words_of(&s.one)), words_of(&s.zero));
    fill_first(&s, &s.r, 600);
    rec_guard(&s.r, NULL);
    fill_first(&s, &s.r, 100);
    must_work(c, rec_run(&s.r));
    expect_first(&s, 100, 1);
    rec_guard(&s.r, words_of(&s.one));
    rec_clear(&s.r);
    fill_first(&s, &s.r, 200);
    must_work(c, rec_run(&s.r));
    expect_first(&s, 200, 1);
}

TestOnBoth(recording, run_always_sets_the_guard_aside_for_one_dispatch)
{
    OWNED_STRUCT(setting) s = begin(c);
    rec_guard(&s.r, words_of(&s.one));
    run_always(&s.r, fill, groups_each(200), .value = one_of(&s), .y = y_of(&s), .n = 200);
    fill_first(&s, &s.r, N);
    must_work(c, rec_run(&s.r));
    expect_first(&s, 200, 1);
}

TestOnBoth(recording, a_kernel_without_a_guard_is_refused_where_one_is_set)
{
    OWNED_STRUCT(setting) s = begin(c);
    rec_guard(&s.r, words_of(&s.zero));
    arithmetic(&s.r, y_of(&s), y_of(&s), y_of(&s), N / 8);
    must_refuse(c, rec_run(&s.r), VKS_UNSUPPORTED, "kernel arithmetic takes no guard");
}

/* ---- Units ---- */

/* On the host, on a GPU, and on a GPU whose recordings copy what they include. */
static void everywhere_included(void (*test)(vks_context *))
{
    on_both(test);
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.long_unit = 1});
    test(c);
}

TEST_BY(everywhere_included, recording, a_unit_runs_where_and_as_often_as_it_is_included, vks_context *c)
{
    OWNED_STRUCT(setting) s = begin(c);
    twice(&s, &s.unit);
    must_work(c, rec_prepare(&s.unit));
    fill_first(&s, &s.r, 700);
    for (int i = 0; i < 3; i++)
        rec_include(&s.r, &s.unit);
    fill_first(&s, &s.r, 500);
    rec_include(&s.r, &s.unit);
    must_work(c, rec_run(&s.r));
    float y[N];
    must_work(c, device_read(c->device, &s.y, 0, y, sizeof y));
    cr_expect(y[0] == 2 && y[499] == 2 && y[500] == 16 && y[699] == 16 && y[700] == 0);
    cr_expect_eq(s.r.dispatches, 6);
    cr_expect_eq(s.r.bytes, 4 * (700 + 500) + 4 * s.unit.bytes);
    cr_expect_eq(s.unit.bytes, 12 * N);
}

/* Recordings that include the unit, and a unit that includes it twice, concurrently. */
TEST_BY(everywhere_included, recording, units_are_shared_and_nested, vks_context *c)
{
    OWNED_STRUCT(setting) s = begin(c);
    struct rec outer, other;
    rec_create(&outer, c->device, PRECISION_F32);
    rec_create(&other, c->device, PRECISION_F32);
    outer.is_unit = true;
    twice(&s, &s.unit);
    must_work(c, rec_prepare(&s.unit));
    rec_include(&outer, &s.unit);
    rec_include(&outer, &s.unit);
    must_work(c, rec_prepare(&outer));
    rec_include(&s.r, &outer);
    rec_include(&s.r, &s.unit);
    rec_include(&other, &outer);
    cr_expect_eq(s.r.dispatches + other.dispatches, 5);
    must_work(c, rec_prepare(&s.r));
    must_work(c, rec_prepare(&other));
    uint64_t ticket = 0;
    fill_first(&s, &s.r, 0);
    rec_clear(&s.r);
    fill_first(&s, &s.r, N);
    rec_include(&s.r, &outer);
    rec_include(&s.r, &s.unit);
    must_work(c, rec_start(&s.r, &ticket));
    for (int i = 0; i < 3; i++)
        must_work(c, rec_submit(&other, &ticket));
    must_work(c, rec_finish(&other, ticket));
    expect_first(&s, N, 8 * 64);
    rec_destroy(&other);
    rec_clear(&s.r);
    rec_destroy(&outer);
}

/* The guard of the including recording does not apply to the unit; nor does the unit's apply to what
 * follows. */
TEST_BY(everywhere_included, recording, kernels_of_a_unit_keep_the_guard_that_they_were_recorded_with,
        vks_context *c)
{
    OWNED_STRUCT(setting) s = begin(c);
    rec_guard(&s.unit, words_of(&s.word));
    twice(&s, &s.unit);
    rec_guard(&s.unit, NULL);
    twice(&s, &s.unit);
    must_work(c, rec_prepare(&s.unit));
    fill_first(&s, &s.r, N);
    rec_guard(&s.r, words_of(&s.one));
    rec_include(&s.r, &s.unit);
    set(&s, &s.r, &s.one);
    rec_include(&s.r, &s.unit);
    fill_first(&s, &s.r, N);
    must_work(c, rec_run(&s.r));
    expect_first(&s, N, 8);
}

TEST_BY(everywhere_included, recording, a_recording_that_includes_a_unit_from_before_a_change_is_refused,
        vks_context *c)
{
    static const char stale[] = "includes another one that has changed since";
    OWNED_STRUCT(setting) s = begin(c);
    uint64_t ticket = 0;
    twice(&s, &s.unit);
    must_work(c, rec_prepare(&s.unit));
    fill_first(&s, &s.r, N);
    rec_include(&s.r, &s.unit);
    must_work(c, rec_start(&s.r, &ticket));
    rec_clear(&s.unit);
    must_refuse_now(c, rec_submit(&s.r, &ticket), VKS_INVALID_ARGUMENT, stale);
    twice(&s, &s.unit);
    twice(&s, &s.unit);
    must_work(c, rec_prepare(&s.unit)); /* once the submission that uses it has ended */
    must_refuse_now(c, rec_submit(&s.r, &ticket), VKS_INVALID_ARGUMENT, stale);
    must_refuse_now(c, rec_prepare(&s.r), VKS_INVALID_ARGUMENT, stale);
    expect_first(&s, N, 2);
    rec_clear(&s.r);
    rec_include(&s.r, &s.unit);
    must_work(c, rec_run(&s.r));
    expect_first(&s, N, 8);
}

TestOnBoth(recording, only_a_unit_of_the_device_that_is_prepared_is_included)
{
    OWNED_STRUCT(setting) s = begin(c);
    uint64_t ticket = 0;
    fill_first(&s, &s.unit, N);
    rec_include(&s.r, &s.unit);
    must_refuse_now(c, rec_run(&s.r), VKS_INVALID_ARGUMENT, "to be included is not prepared");
    must_refuse_now(c, rec_start(&s.unit, &ticket), VKS_INVALID_ARGUMENT, "cannot be submitted itself");
    rec_clear(&s.r);
    s.unit.is_unit = false;
    rec_include(&s.r, &s.unit);
    must_refuse_now(c, rec_run(&s.r), VKS_INVALID_ARGUMENT, "to be included is not a unit");
    s.unit.is_unit = true;
    OWNED(vks_context) *other = open_host();
    OWNED_BY(rec_destroy) struct rec r;
    rec_create(&r, other->device, PRECISION_F32);
    rec_include(&r, &s.unit);
    must_refuse_now(other, rec_run(&r), VKS_INVALID_ARGUMENT, "to be included belongs to another device");
}

TEST_BY(everywhere_included, recording, a_unit_goes_once_what_includes_it_has_run, vks_context *c)
{
    OWNED_STRUCT(setting) s = begin(c);
    uint64_t ticket = 0;
    twice(&s, &s.unit);
    must_work(c, rec_prepare(&s.unit));
    fill_first(&s, &s.r, N);
    for (int i = 0; i < 10; i++)
        rec_include(&s.r, &s.unit);
    must_work(c, rec_start(&s.r, &ticket));
    rec_destroy(&s.unit);
    expect_first(&s, N, 1024);
}

static void time_dispatches(const char *device)
{
    OWNED(vks_context) *c = open_context(device, (struct device_options){.timestamps = true});
    OWNED_STRUCT(setting) s = begin(c);
    double seconds[5] = {-1, -1, -1, -1, -1}, sum = 0;
    twice(&s, &s.unit);
    twice(&s, &s.unit);
    must_work(c, rec_prepare(&s.unit));
    rec_include(&s.r, &s.unit);
    fill_first(&s, &s.r, N);
    rec_include(&s.r, &s.unit);
    cr_assert_eq(s.r.dispatches, 5);
    must_work(c, rec_run(&s.r));
    must_work(c, rec_times(&s.r, seconds));
    for (int i = 0; i < 5; i++) {
        cr_expect_geq(seconds[i], 0, "dispatch %d took %g s", i, seconds[i]);
        sum += seconds[i];
    }
    cr_expect_float_eq(c->device->kernel_seconds, sum, 1e-12);
    expect_first(&s, N, 4);
}

Test(recording, each_dispatch_of_a_unit_is_timed)
{
    time_dispatches("host");
    time_dispatches(gpu_name());
}
