/* State of a solve: words and numbers on the device that the kernels of a method write, the driver's inbox
 * for them, and copies that batches publish. shaders/solver/control.glsl declares the driver's part; two
 * words and the numbers of the method follow it. */
#ifndef VKS_SOLVERS_STATE_H
#define VKS_SOLVERS_STATE_H

#include "shaders/solver/state.h"
#include "vector/vec.h"

struct control_words {
    uint32_t state, iteration, limit;
    uint32_t seen; /* number of values in the history */
};

/* In units of the residual divided by `scale`. */
struct control_numbers {
    double rr, stop, ceiling, scale, ratio;
};

enum { METHOD_NUMBERS = 40 /* at most; the published ones come first */ };

struct snapshot {
    struct control_words control;
    struct control_numbers numbers;
    uint32_t words[2]; /* of the method; zero if nothing is pending */
    double method[METHOD_NUMBERS];
};

struct state {
    enum precision precision;
    uint32_t numbers; /* count of the method's numbers */
    struct memory words, inbox;
};

/* Allocates the state from the room. */
struct state state_in(struct room *w, enum precision p, uint32_t numbers);
/* Host-visible memory, as large as a published state. */
struct memory state_mailbox(struct room *w, const struct state *s);

static inline control state_control(const struct state *s)
{
    return (control)(uintptr_t)s->words.address;
}

/* The word that guards recordings: 0 while the solve runs. */
static inline u32s state_guard(const struct state *s)
{
    return words_of(&s->words);
}

/* Addresses of the method's part, of a number in it, of control.scale and control.ratio, and of a zero. */
uint64_t state_method(const struct state *s);
number state_number(const struct state *s, uint32_t i);
number state_scale(const struct state *s);
number state_ratio(const struct state *s);
number state_zero(const struct state *s);

/* Fills the inbox. No submission in flight may read it. */
void state_set(struct state *s, const struct snapshot *to);
/* Record a copy of the inbox into the state, and of the state into a mailbox. */
void state_record_put(struct rec *r, const struct state *s);
void state_record_publish(struct rec *r, const struct state *s, const struct memory *mailbox);
/* Decodes the words of a mailbox. */
void state_decode(const struct state *s, const void *words, struct snapshot *out);
/* Copies `count` values of the history, in precision p, starting at number `first`. */
vks_status history_read(struct device *d, const struct memory *history, enum precision p, uint32_t first,
                        uint32_t count, double *out);
/* The reason for which a solve ends in a state other than STATE_MET. */
vks_reason reason_of_state(uint32_t state);
/* Reads the current state, for tests and measurements. */
vks_status state_read(struct device *d, const struct state *s, struct snapshot *out);

#endif
