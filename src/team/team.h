/* A team of threads that belongs to its maker: loops are shared among its members, and between loops these
 * wait for a bounded time awake, then asleep.
 *
 * What runs is a body: a function that every member executes with the same arguments. The leader, who is the
 * caller, runs it from beginning to end. The others run it, from its beginning, for one loop of the leader's
 * at a time: they find the other loops of the body empty, and leave the parts alone that are the leader's
 * (index 0). What stands before a loop is thus computed by each member: it may read what the leader has
 * written, but must give all of them the same. What stands behind a loop, as where members add to a total, is
 * done before the leader goes on.
 *
 * Members take pieces of a loop, first of their own share, then of what others have not taken. Nobody waits
 * for a member that has taken none: one that is asleep, or whose core another program has, costs nothing. The
 * order of sums must therefore be that of the elements, not of the members.
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
    uint32_t loops; /* that it has met in the body */
    /* The loop that it is in. */
    uint32_t n, grain, units, piece, shares;
    /* The share that it takes pieces of, and how many it has seen the end of. */
    uint32_t share, first, last, pieces, seen;
    bool shared;
};

/* Elements begin .. end - 1. */
struct span {
    uint32_t begin, end;
};

/* Of so many threads, the caller's among them; 0: as many as team_threads says. They start with the first
 * loop that is shared; where some cannot be had, there are fewer. NULL: there is no memory. */
struct team *team_create(uint32_t threads);

/* NULL is fine. In a process that was forked from the team's, no thread is waited for. */
void team_destroy(struct team *team);

/* How many threads a team of so many has, 0: the default. */
uint32_t team_threads(uint32_t threads);

/* Runs a body; team may be NULL. */
void team_run(struct team *team, team_body body, const void *args);

/* The same within a body, by the leader: also of one that has no loops of its own open. */
void team_call(struct member *me, team_body body, const void *args);

/* The first piece of a loop of n elements, which is shared where they are `least` or more, and in multiples
 * of `grain` elements; and the next one. An empty piece: there is none left. */
struct span team_first(struct member *me, uint32_t n, uint32_t least, uint32_t grain);
struct span team_next(struct member *me);

/* i over 0 .. n - 1 */
#define TEAM_FOR(me, i, n, least, grain)                                               \
    for (struct span span_ = team_first(me, n, least, grain); span_.begin < span_.end; \
         span_ = team_next(me))                                                        \
        for (uint32_t i = span_.begin, i##_end_ = span_.end; i < i##_end_; i++)

/* One member at a time is between these two. */
bool team_enter(struct member *me);
bool team_leave(struct member *me);

#define TEAM_ONE_AT_A_TIME(me) for (bool in_ = team_enter(me); in_; in_ = team_leave(me))

/* *least = min(*least, v), by members at once. */
static inline void take_least(uint32_t *least, uint32_t v)
{
    uint32_t have = __atomic_load_n(least, __ATOMIC_RELAXED);
    while (v < have &&
           !__atomic_compare_exchange_n(least, &have, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

/* The same of the maximum. */
static inline void take_most(uint32_t *most, uint32_t v)
{
    uint32_t have = __atomic_load_n(most, __ATOMIC_RELAXED);
    while (v > have &&
           !__atomic_compare_exchange_n(most, &have, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

/* The team of a call that has `bytes` of work: the one given, else one of the call's own where that is worth
 * it, else NULL; and the end of the latter. */
struct team *team_for(struct team *given, uint64_t bytes);
void team_done(struct team *given, struct team *team);

/* How many members it has at most; NULL: 1. */
uint32_t team_size(const struct team *team);

#endif
