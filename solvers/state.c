#include "solvers/state.h"
#include "vector/verbs.h"

#include <stddef.h>
#include <string.h>

/* Byte offsets: the driver's words and numbers; the method's words and numbers; a zero. */
enum {
    WORDS_BYTES = sizeof(struct control_words),
    DRIVER_NUMBERS = sizeof(struct control_numbers) / sizeof(double),
    SCALE = offsetof(struct control_numbers, scale) / sizeof(double),
    RATIO = offsetof(struct control_numbers, ratio) / sizeof(double),
    METHOD = 64,
    METHOD_REALS = METHOD + 8,
    ZERO = METHOD_REALS + 8 * METHOD_NUMBERS,
    ALL_BYTES = ZERO + 8
};
_Static_assert(WORDS_BYTES + 8 * DRIVER_NUMBERS <= METHOD, "the driver's part ends before the method's");

struct state state_in(struct room *w, enum precision p, uint32_t numbers)
{
    assert(numbers <= METHOD_NUMBERS);
    struct state s = {.precision = real_precision(p), .numbers = numbers};
    s.words = room_memory(w, MEMORY_DEVICE, ALL_BYTES, "the solver's state");
    s.inbox = room_memory(w, MEMORY_SHARED, ALL_BYTES, "an inbox");
    return s;
}

/* Bytes of the published part. */
static uint64_t published_bytes(const struct state *s)
{
    return METHOD_REALS + s->numbers * (uint64_t)real_bytes(s->precision);
}

struct memory state_mailbox(struct room *w, const struct state *s)
{
    return room_memory(w, MEMORY_SHARED, published_bytes(s), "a mailbox");
}

uint64_t state_method(const struct state *s)
{
    return s->words.address + METHOD;
}

number state_number(const struct state *s, uint32_t i)
{
    return (number)(uintptr_t)(s->words.address + METHOD_REALS + i * (uint64_t)real_bytes(s->precision));
}

static number driver_number(const struct state *s, uint32_t i)
{
    return (number)(uintptr_t)(s->words.address + WORDS_BYTES + i * (uint64_t)real_bytes(s->precision));
}

number state_scale(const struct state *s)
{
    return driver_number(s, SCALE);
}

number state_ratio(const struct state *s)
{
    return driver_number(s, RATIO);
}

number state_zero(const struct state *s)
{
    return (number)(uintptr_t)(s->words.address + ZERO);
}

void state_set(struct state *s, const struct snapshot *to)
{
    char *words = s->inbox.mapped;
    vks_precision p = public_precision(s->precision);
    memset(words, 0, ALL_BYTES);
    memcpy(words, &to->control, sizeof to->control);
    convert_values(VKS_F64, &to->numbers, p, words + WORDS_BYTES, DRIVER_NUMBERS);
    memcpy(words + METHOD, to->words, sizeof to->words);
    convert_values(VKS_F64, to->method, p, words + METHOD_REALS, s->numbers);
}

void state_record_put(struct rec *r, const struct state *s)
{
    copy_words(r, words_of(&s->inbox), words_of(&s->words), ALL_BYTES / sizeof(uint32_t));
}

void state_record_publish(struct rec *r, const struct state *s, const struct memory *mailbox)
{
    copy_words(r, words_of(&s->words), words_of(mailbox), (uint32_t)(published_bytes(s) / sizeof(uint32_t)));
}

void state_decode(const struct state *s, const void *words, struct snapshot *out)
{
    const char *at = words;
    vks_precision p = public_precision(s->precision);
    *out = (struct snapshot){0};
    memcpy(&out->control, at, sizeof out->control);
    convert_values(p, at + WORDS_BYTES, VKS_F64, &out->numbers, DRIVER_NUMBERS);
    memcpy(out->words, at + METHOD, sizeof out->words);
    convert_values(p, at + METHOD_REALS, VKS_F64, out->method, s->numbers);
}

vks_reason reason_of_state(uint32_t state)
{
    switch (state) {
    case STATE_LIMIT:
        return VKS_REASON_ITERATION_LIMIT;
    case STATE_NOT_POSITIVE:
        return VKS_REASON_NOT_POSITIVE_DEFINITE;
    case STATE_NOT_FINITE:
        return VKS_REASON_NOT_FINITE;
    case STATE_DIVERGED:
        return VKS_REASON_DIVERGED;
    case STATE_BREAKDOWN:
        return VKS_REASON_BREAKDOWN;
    default:
        return VKS_REASON_STAGNATED;
    }
}

vks_status state_read(struct device *d, const struct state *s, struct snapshot *out)
{
    char words[ALL_BYTES];
    vks_status status = device_read(d, &s->words, 0, words, published_bytes(s));
    if (!status)
        state_decode(s, words, out);
    return status;
}

vks_status history_read(struct device *d, const struct memory *history, enum precision p, uint32_t first,
                        uint32_t count, double *out)
{
    return download_values(d, history, public_precision(p), first, count, VKS_F64, out);
}
