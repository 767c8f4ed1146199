/* A team of threads. Its creator owns it. Its members share loops; between loops they spin for a bounded
 * time, then sleep.
 *
 * A team runs a body: a function that every member executes with the same arguments. The caller is the leader
 * and runs the body from beginning to end. The other members join it for one loop at a time: they run the
 * body from its beginning, find all other loops empty, and skip the parts for the leader alone (index 0). So
 * each member repeats the statements before a loop. These may read data that the leader wrote before the
 * loop, and must have the same result for all members. The leader continues after every member has also
 * executed the statements after the loop, such as adding to a total.
 *
 * Members take pieces of a loop, first of their own share, then of the other shares. No thread waits for a
 * member that has taken no piece: a member that sleeps, or whose core another program uses, costs nothing. So
 * the order of sums must follow the elements, not the members.
 *
 * One thread at a time uses a team. */
#ifndef VKS_TEAM_TEAM_H
#define VKS_TEAM_TEAM_H

#include <stdbool.h>
#include <stdint.h>

struct team;
struct member;

typedef void (*team_body)(const void *args, struct member *me);

/* A member in a body. */
struct member {
    struct team *team; /* NULL: alone */
    team_body body;
    const void *args;
    uint32_t index; /* 0: the leader */
    uint32_t loops; /* loops of the body encountered so far */
    /* The current loop. */
    uint32_t n, grain, units, piece, shares;
    /* The share from which it takes pieces, and the number of shares it has found exhausted. */
    uint32_t share, first, last, pieces, seen;
    bool shared;
};

/* Elements begin .. end - 1. */
struct span {
    uint32_t begin, end;
};

/* Makes a team of `threads` threads, including the caller; 0: the default of cores_for. The threads start
 * with the first loop that is shared. If some do not start, the team has fewer threads. NULL: no memory. */
struct team *team_create(uint32_t threads);

/* Ends the threads and waits for them, except in a forked child, which has none. NULL is allowed. */
void team_destroy(struct team *team);

/* Runs a body; team may be NULL. */
void team_run(struct team *team, team_body body, const void *args);

/* Runs another body from within a body. Only the leader does so, while no loop is open. */
void team_call(struct member *me, team_body body, const void *args);

/* The first and the next piece of a loop of n elements. A loop of fewer than `least` elements is not shared.
 * Pieces are multiples of `grain` elements. An empty piece ends the loop. */
struct span team_first(struct member *me, uint32_t n, uint32_t least, uint32_t grain);
struct span team_next(struct member *me);

/* Loops with i over 0 .. n - 1. */
#define TEAM_FOR(me, i, n, least, grain)                                               \
    for (struct span span_ = team_first(me, n, least, grain); span_.begin < span_.end; \
         span_ = team_next(me))                                                        \
        for (uint32_t i = span_.begin, i##_end_ = span_.end; i < i##_end_; i++)

/* Begin and end a section that one member at a time executes. */
bool team_enter(struct member *me);
bool team_leave(struct member *me);

#define TEAM_ONE_AT_A_TIME(me) for (bool in_ = team_enter(me); in_; in_ = team_leave(me))

/* *least = min(*least, v), atomic. (clang-tidy does not know that the builtin writes.) */
// NOLINTNEXTLINE(readability-non-const-parameter)
static inline void take_least(uint32_t *least, uint32_t v)
{
    uint32_t have = __atomic_load_n(least, __ATOMIC_RELAXED);
    while (v < have &&
           !__atomic_compare_exchange_n(least, &have, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

/* *most = max(*most, v), atomic. */
// NOLINTNEXTLINE(readability-non-const-parameter)
static inline void take_most(uint32_t *most, uint32_t v)
{
    uint32_t have = __atomic_load_n(most, __ATOMIC_RELAXED);
    while (v > have &&
           !__atomic_compare_exchange_n(most, &have, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

/* The team for a call with `bytes` of work: the given team, else a new one if that pays, else NULL. team_done
 * destroys a new team. */
struct team *team_for(struct team *given, uint64_t bytes);
void team_done(struct team *given, struct team *team);

/* The most members that the team can have; NULL: 1. */
uint32_t team_size(const struct team *team);

#endif
