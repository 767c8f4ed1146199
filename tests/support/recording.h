/* A device with a vector y and some words, for tests of recordings. */
#ifndef VKS_TESTS_RECORDING_H
#define VKS_TESTS_RECORDING_H

#include "tests/support/context.h"
#include "vector/verbs.h"

enum { N = 1000 };

/* y, which is 0; a word; words that are 0 and 1, and the number one, in floats. */
struct setting {
    vks_context *c;
    struct memory y, word, zero, one, number;
    struct rec r, unit;
};

static inline struct memory put_words(vks_context *c, const uint32_t *v, uint32_t count)
{
    struct memory m;
    must_work(c, device_allocate(c->device, MEMORY_DEVICE, 4 * (uint64_t)count, "words", &m));
    must_work(c, device_write(c->device, &m, 0, v, 4 * (uint64_t)count));
    return m;
}

static inline struct setting begin(vks_context *c)
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

static inline void setting_free(struct setting *s)
{
    struct memory *all[] = {&s->y, &s->word, &s->zero, &s->one, &s->number};
    rec_destroy(&s->r);
    rec_destroy(&s->unit);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        device_release(s->c->device, all[i]);
}

static inline reals y_of(const struct setting *s)
{
    return (reals)(uintptr_t)s->y.address;
}

static inline number one_of(const struct setting *s)
{
    return (number)(uintptr_t)s->number.address;
}

/* Copies `to` to the word. */
static inline void set(const struct setting *s, struct rec *r, const struct memory *to)
{
    u32s before = rec_guard(r, NULL);
    copy_words(r, words_of(to), words_of(&s->word), 1);
    rec_guard(r, before);
}

/* The first `count` of y become 1. */
static inline void fill_first(const struct setting *s, struct rec *r, uint32_t count)
{
    fill(r, one_of(s), vec_at(y_of(s), count, PRECISION_F32));
}

/* y = y + y */
static inline void twice(const struct setting *s, struct rec *r)
{
    axpy(r, one_of(s), vec_at(y_of(s), N, PRECISION_F32), vec_at(y_of(s), N, PRECISION_F32));
}

#endif
