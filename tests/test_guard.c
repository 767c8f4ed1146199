/* What rec_guard promises, on the host and on a GPU. That kernels obey is seen in test_kernels.c. */
#include "tests/support/context.h"
#include "vector/verbs.h"

enum { N = 1000 };

/* y and a word of the device, and words that are 0 and 1. */
struct setting {
    vks_context *c;
    struct memory y, word, zero, one, number;
    struct rec r;
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
    static const float seven = 7;
    static uint32_t zeros[N];
    uint32_t bits, one = 1;
    memcpy(&bits, &seven, sizeof bits);
    struct setting s = {.c = c,
                        .y = put_words(c, zeros, N),
                        .word = put_words(c, zeros, 1),
                        .zero = put_words(c, zeros, 1),
                        .one = put_words(c, &one, 1),
                        .number = put_words(c, &bits, 1)};
    rec_create(&s.r, c->device, PRECISION_F32);
    return s;
}

static void end(struct setting *s)
{
    struct memory *all[] = {&s->y, &s->word, &s->zero, &s->one, &s->number};
    rec_destroy(&s->r);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        device_release(s->c->device, all[i]);
    close_context(s->c);
}

static void set(struct setting *s, const struct memory *to)
{
    u32s before = rec_guard(&s->r, NULL);
    copy_words(&s->r, words_of(to), words_of(&s->word), 1);
    rec_guard(&s->r, before);
}

/* The first `count` of y, and no more, become 7. */
static void fill_first(struct setting *s, uint32_t count)
{
    fill(&s->r, (number)(uintptr_t)s->number.address, (reals)(uintptr_t)s->y.address, count);
}

static void expect_filled(const struct setting *s, uint32_t count)
{
    float y[N];
    must_work(s->c, device_read(s->c->device, &s->y, 0, y, sizeof y));
    for (uint32_t i = 0; i < N; i++)
        cr_assert_eq(y[i], i < count ? 7 : 0, "element %u of %u is %g", i, count, (double)y[i]);
}

#define ON_BOTH(name)                 \
    static void name(vks_context *c); \
    Test(guard, name##_on_the_host)   \
    {                                 \
        name(open_host());            \
    }                                 \
    Test(guard, name##_on_a_gpu)      \
    {                                 \
        name(open_gpu());             \
    }                                 \
    static void name(vks_context *c)

/* The word is what an earlier dispatch of the recording has made of it. */
ON_BOTH(a_dispatch_runs_while_the_word_is_0_alone)
{
    struct setting s = begin(c);
    set(&s, &s.one);
    rec_guard(&s.r, words_of(&s.word));
    fill_first(&s, N);
    set(&s, &s.zero);
    fill_first(&s, 300);
    set(&s, &s.one);
    fill_first(&s, 600);
    must_work(c, rec_run(&s.r));
    expect_filled(&s, 300);
    end(&s);
}

ON_BOTH(a_guard_holds_until_it_is_replaced_or_the_recording_cleared)
{
    struct setting s = begin(c);
    cr_expect_eq(rec_guard(&s.r, words_of(&s.one)), NULL);
    cr_expect_eq(rec_guard(&s.r, words_of(&s.zero)), words_of(&s.one));
    cr_expect_eq(rec_guard(&s.r, words_of(&s.one)), words_of(&s.zero));
    fill_first(&s, 600);
    rec_guard(&s.r, NULL);
    fill_first(&s, 100);
    must_work(c, rec_run(&s.r));
    expect_filled(&s, 100);
    rec_guard(&s.r, words_of(&s.one));
    rec_clear(&s.r);
    fill_first(&s, 200);
    must_work(c, rec_run(&s.r));
    expect_filled(&s, 200);
    end(&s);
}

ON_BOTH(a_kernel_that_runs_always_asks_no_guard_and_leaves_it)
{
    struct setting s = begin(c);
    rec_guard(&s.r, words_of(&s.one));
    run_always(&s.r, fill, groups_each(200), .value = (number)(uintptr_t)s.number.address,
               .y = (reals)(uintptr_t)s.y.address, .n = 200);
    fill_first(&s, N);
    must_work(c, rec_run(&s.r));
    expect_filled(&s, 200);
    end(&s);
}

ON_BOTH(a_kernel_without_a_guard_is_refused_by_name)
{
    struct setting s = begin(c);
    rec_guard(&s.r, words_of(&s.zero));
    reals y = (reals)(uintptr_t)s.y.address;
    arithmetic(&s.r, y, y, y, N / 8);
    cr_expect_eq(rec_run(&s.r), VKS_UNSUPPORTED);
    cr_expect_str_eq(vks_context_message(c),
                     "kernel arithmetic takes no guard, and cannot be recorded where one is set");
    end(&s);
}
