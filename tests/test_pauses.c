/* Pauses of recordings, on the host and on a GPU. */
#include "tests/support/recording.h"

#include <math.h>

/* What the host reads of y at each pause. */
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
TestOnBoth(pauses, are_where_the_host_acts)
{
    OWNED_STRUCT(setting) s = begin(c);
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
}

static vks_status refuse_to_submit(struct rec *r, uint64_t *ticket)
{
    (void)ticket;
    return fail(r->device->message, VKS_DEVICE_LOST, "lost");
}

/* The host also acts after a failure of earlier work. */
TestOnHost(pauses, are_after_a_failure)
{
    OWNED_STRUCT(setting) s = begin(c);
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
}

/* No timestamps cover the time between parts. */
TestOnHost(pauses, leave_a_recording_without_times)
{
    OWNED_STRUCT(setting) s = begin(c);
    struct looks l = {.pause.act = look, .s = &s};
    double seconds = 0;
    s.r.spanned = true;
    fill_first(&s, &s.r, N);
    rec_pause(&s.r, &l.pause);
    must_work(c, rec_run(&s.r));
    must_work(c, rec_span(&s.r, &seconds));
    cr_expect(isnan(seconds));
    must_refuse(c, rec_times(&s.r, &seconds), VKS_UNSUPPORTED, "pauses");
}

static uint32_t waits;

static vks_status count_waits(struct device *d, uint64_t ticket, double seconds)
{
    (void)d, (void)ticket, (void)seconds;
    waits++;
    return VKS_OK;
}

static bool only_go_on(struct pause *p, vks_status *status)
{
    (void)p;
    return *status == VKS_OK;
}

TestOnHost(pauses, that_are_early_do_not_wait)
{
    OWNED_STRUCT(setting) s = begin(c);
    const struct device_ops *ops = c->device->ops;
    struct device_ops counting = *ops;
    counting.wait = count_waits;
    for (uint32_t early = 0; early < 2; early++) {
        struct pause p = {.act = only_go_on, .early = early};
        uint64_t ticket;
        rec_clear(&s.r);
        fill_first(&s, &s.r, N);
        rec_pause(&s.r, &p);
        twice(&s, &s.r);
        must_work(c, rec_prepare(&s.r));
        waits = 0;
        c->device->ops = &counting;
        must_work(c, rec_submit(&s.r, &ticket));
        c->device->ops = ops;
        cr_expect_eq(waits, !early, "%u waits", waits);
    }
}
