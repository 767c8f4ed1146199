/* Guards of recordings, and recordings that include others, on the host and on a GPU. That every kernel obeys
 * its guard is seen in test_kernels.c. */
#include "tests/support/context.h"
#include "vector/verbs.h"

#include <math.h>

enum { N = 1000 };

/* y, which is 0; a word; words that are 0 and 1, and the number one, in floats. */
struct setting {
    vks_context *c;
    struct memory y, word, zero, one, number;
    struct rec r, unit;
};

static struct memory put_words(vks_context *c, const uint32_t *v, uint32_t count)
{
    struct memory m;
    must_work(c, device_allocate(c->device, MEMORY_DEVICE, 4 * (uint64_t)count, "words", &m));
    must_work(c, device_write(c->device, &m, 0, v, 4 * (uint64_t)count));
    return m;
}

static struct setting begin(vks_context *c)
{
    static const float number = 1;
    static const uint32_t zeros[N], one = 1;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    struct setting s = {.c = c,
                        .y = put_words(c, zeros, N),
                        .word = put_words(c, zeros, 1),
                        .zero = put_words(c, zeros, 1),
                        .one = put_words(c, &one, 1),
                        .number = put_words(c, &bits, 1)};
    rec_create(&s.r, c->device, PRECISION_F32);
    rec_create(&s.unit, c->device, PRECISION_F32);
    s.unit.is_unit = true;
    return s;
}

static void end(struct setting *s)
{
    struct memory *all[] = {&s->y, &s->word, &s->zero, &s->one, &s->number};
    rec_destroy(&s->r);
    rec_destroy(&s->unit);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        device_release(s->c->device, all[i]);
}

static reals y_of(const struct setting *s)
{
    return (reals)(uintptr_t)s->y.address;
}

static number one_of(const struct setting *s)
{
    return (number)(uintptr_t)s->number.address;
}

/* The word becomes what `to` has. */
static void set(const struct setting *s, struct rec *r, const struct memory *to)
{
    u32s before = rec_guard(r, NULL);
    copy_words(r, words_of(to), words_of(&s->word), 1);
    rec_guard(r, before);
}

/* The first `count` of y become 1. */
static void fill_first(const struct setting *s, struct rec *r, uint32_t count)
{
    fill(r, one_of(s), vec_at(y_of(s), count, PRECISION_F32));
}

/* y = y + y */
static void twice(const struct setting *s, struct rec *r)
{
    axpy(r, one_of(s), vec_at(y_of(s), N, PRECISION_F32), vec_at(y_of(s), N, PRECISION_F32));
}

/* The first `count` of y are `value`, the others 0. */
static void expect_first(const struct setting *s, uint32_t count, float value)
{
    float y[N];
    must_work(s->c, device_read(s->c->device, &s->y, 0, y, sizeof y));
    for (uint32_t i = 0; i < N; i++)
        cr_assert_eq(y[i], i < count ? value : 0, "element %u of %u is %g, not %g", i, count, (double)y[i],
                     (double)value);
}

/* The first message of a public call stays, and here is none. */
static void must_refuse_now(vks_context *c, vks_status s, vks_status expected, const char *part)
{
    must_refuse(c, s, expected, part);
    c->message.text[0] = 0;
}

/* ---- Guards ---- */

/* The word is what an earlier dispatch of the recording has made of it. */
static void follow_the_word(vks_context *c)
{
    struct setting s = begin(c);
    set(&s, &s.r, &s.one);
    rec_guard(&s.r, words_of(&s.word));
    fill_first(&s, &s.r, N);
    set(&s, &s.r, &s.zero);
    fill_first(&s, &s.r, 300);
    set(&s, &s.r, &s.one);
    fill_first(&s, &s.r, 600);
    must_work(c, rec_run(&s.r));
    expect_first(&s, 300, 1);
    end(&s);
}

Test(recording, a_guarded_dispatch_runs_while_the_word_is_0_alone)
{
    on_both(follow_the_word);
}

static void replace_and_clear(vks_context *c)
{
    struct setting s = begin(c);
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
    end(&s);
}

Test(recording, a_guard_holds_until_it_is_replaced_or_the_recording_cleared)
{
    on_both(replace_and_clear);
}

static void run_whatever_the_guard(vks_context *c)
{
    struct setting s = begin(c);
    rec_guard(&s.r, words_of(&s.one));
    run_always(&s.r, fill, groups_each(200), .value = one_of(&s), .y = y_of(&s), .n = 200);
    fill_first(&s, &s.r, N);
    must_work(c, rec_run(&s.r));
    expect_first(&s, 200, 1);
    end(&s);
}

Test(recording, run_always_sets_the_guard_aside_for_one_dispatch)
{
    on_both(run_whatever_the_guard);
}

static void refuse_the_kernel(vks_context *c)
{
    struct setting s = begin(c);
    rec_guard(&s.r, words_of(&s.zero));
    arithmetic(&s.r, y_of(&s), y_of(&s), y_of(&s), N / 8);
    must_refuse(c, rec_run(&s.r), VKS_UNSUPPORTED, "kernel arithmetic takes no guard");
    end(&s);
}

Test(recording, a_kernel_without_a_guard_is_refused_where_one_is_set)
{
    on_both(refuse_the_kernel);
}

/* ---- Units ---- */

/* On the host, on a GPU, and on one whose recordings copy what they include. */
static void everywhere_included(void (*test)(vks_context *))
{
    on_both(test);
    vks_context *c = open_context(gpu_name(), (struct device_options){.long_unit = 1});
    test(c);
    close_context(c);
}

static void include_between_dispatches(vks_context *c)
{
    struct setting s = begin(c);
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
    end(&s);
}

Test(recording, a_unit_runs_where_and_as_often_as_it_is_included)
{
    everywhere_included(include_between_dispatches);
}

/* Recordings that include the unit, and a unit that includes it twice, in flight at once. */
static void share_a_unit(vks_context *c)
{
    struct setting s = begin(c);
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
    end(&s);
}

Test(recording, units_are_shared_and_nested)
{
    everywhere_included(share_a_unit);
}

/* That of the recording which includes it does not count; nor does it reach what follows. */
static void keep_own_guard(vks_context *c)
{
    struct setting s = begin(c);
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
    end(&s);
}

Test(recording, kernels_of_a_unit_keep_the_guard_that_they_were_recorded_with)
{
    everywhere_included(keep_own_guard);
}

static void refuse_what_is_stale(vks_context *c)
{
    static const char stale[] = "includes another one that has changed since";
    struct setting s = begin(c);
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
    end(&s);
}

Test(recording, a_recording_that_includes_a_unit_from_before_a_change_is_refused)
{
    everywhere_included(refuse_what_is_stale);
}

static void refuse_what_is_no_unit(vks_context *c)
{
    struct setting s = begin(c);
    uint64_t ticket = 0;
    fill_first(&s, &s.unit, N);
    rec_include(&s.r, &s.unit);
    must_refuse_now(c, rec_run(&s.r), VKS_INVALID_ARGUMENT, "to be included is not prepared");
    must_refuse_now(c, rec_start(&s.unit, &ticket), VKS_INVALID_ARGUMENT, "cannot be submitted itself");
    rec_clear(&s.r);
    s.unit.is_unit = false;
    rec_include(&s.r, &s.unit);
    must_refuse_now(c, rec_run(&s.r), VKS_INVALID_ARGUMENT, "to be included is no unit");
    s.unit.is_unit = true;
    vks_context *other = open_host();
    struct rec r;
    rec_create(&r, other->device, PRECISION_F32);
    rec_include(&r, &s.unit);
    must_refuse_now(other, rec_run(&r), VKS_INVALID_ARGUMENT, "to be included is of another device");
    rec_destroy(&r);
    close_context(other);
    end(&s);
}

Test(recording, only_a_unit_of_the_device_that_is_prepared_is_included)
{
    on_both(refuse_what_is_no_unit);
}

static void destroy_in_flight(vks_context *c)
{
    struct setting s = begin(c);
    uint64_t ticket = 0;
    twice(&s, &s.unit);
    must_work(c, rec_prepare(&s.unit));
    fill_first(&s, &s.r, N);
    for (int i = 0; i < 10; i++)
        rec_include(&s.r, &s.unit);
    must_work(c, rec_start(&s.r, &ticket));
    rec_destroy(&s.unit);
    expect_first(&s, N, 1024);
    end(&s);
}

Test(recording, a_unit_goes_once_what_includes_it_has_run)
{
    everywhere_included(destroy_in_flight);
}

static void time_dispatches(const char *device)
{
    vks_context *c = open_context(device, (struct device_options){.timestamps = true});
    struct setting s = begin(c);
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
    end(&s);
    close_context(c);
}

Test(recording, each_dispatch_of_a_unit_is_timed)
{
    time_dispatches("host");
    time_dispatches(gpu_name());
}

/* What the host sees of y at each pause. */
struct looks {
    struct pause pause;
    const struct setting *s;
    uint32_t count, last; /* the pause that ends the recording */
    float seen[8];
    vks_status given[8];
};

static bool look(struct pause *p, vks_status *status)
{
    struct looks *l = (struct looks *)p;
    must_work(l->s->c, device_read(l->s->c->device, &l->s->y, 0, &l->seen[l->count], 4));
    l->given[l->count++] = *status;
    return l->count != l->last;
}

/* y is doubled between pauses, in a unit that is included twice. */
static void pause_between(vks_context *c)
{
    struct setting s = begin(c);
    for (uint32_t last = 0; last < 4; last++) {
        struct looks l = {.pause.act = look, .s = &s, .last = last};
        rec_clear(&s.unit);
        rec_clear(&s.r);
        twice(&s, &s.unit);
        rec_pause(&s.unit, &l.pause);
        twice(&s, &s.unit);
        must_work(c, rec_prepare(&s.unit));
        fill_first(&s, &s.r, N);
        rec_include(&s.r, &s.unit);
        rec_include(&s.r, &s.unit);
        cr_assert_eq(s.r.dispatches, 5);
        cr_assert_eq(s.r.pauses, 2);
        for (int turn = 0; turn < 2; turn++) {
            l.count = 0;
            must_work(c, rec_run(&s.r));
            cr_expect_eq(l.count, last == 1 ? 1 : 2, "%u pauses", l.count);
            cr_expect_eq(l.seen[0], 2);
            cr_expect_eq(l.seen[l.count - 1], last == 1 ? 2 : 8);
            float after;
            must_work(c, device_read(c->device, &s.y, 0, &after, 4));
            cr_expect_eq(after, last == 1 ? 2 : last == 2 ? 8 : 16, "%g", after);
        }
    }
    end(&s);
}

Test(recording, pauses_where_the_host_acts)
{
    on_both(pause_between);
}

static vks_status refuse_to_submit(struct rec *r, uint64_t *ticket)
{
    (void)ticket;
    return fail(r->device->message, VKS_DEVICE_LOST, "lost");
}

/* The host acts also where what comes before has failed. */
Test(recording, pauses_after_a_failure)
{
    vks_context *c = open_host();
    struct setting s = begin(c);
    struct looks l = {.pause.act = look, .s = &s};
    fill_first(&s, &s.r, N);
    rec_pause(&s.r, &l.pause);
    twice(&s, &s.r);
    must_work(c, rec_prepare(&s.r));
    const struct device_ops *ops = c->device->ops;
    struct device_ops failing = *ops;
    failing.submit = refuse_to_submit;
    c->device->ops = &failing;
    uint64_t ticket;
    cr_expect_eq(rec_submit(&s.r, &ticket), VKS_DEVICE_LOST);
    c->device->ops = ops;
    cr_expect_eq(l.count, 1);
    cr_expect_eq(l.given[0], VKS_DEVICE_LOST);
    end(&s);
    close_context(c);
}

/* No clock sees the time between parts. */
Test(recording, with_pauses_has_no_times)
{
    vks_context *c = open_host();
    struct setting s = begin(c);
    struct looks l = {.pause.act = look, .s = &s};
    double seconds = 0;
    s.r.spanned = true;
    fill_first(&s, &s.r, N);
    rec_pause(&s.r, &l.pause);
    must_work(c, rec_run(&s.r));
    must_work(c, rec_span(&s.r, &seconds));
    cr_expect(isnan(seconds));
    must_refuse(c, rec_times(&s.r, &seconds), VKS_UNSUPPORTED, "pauses");
    end(&s);
    close_context(c);
}
