#include "team/team.h"
#include "abi/environment.h"
#include "report/clock.h"
#include "team/crew.h"

/* The leader's side of a loop: it opens the gate, takes pieces like any member, closes the gate, and waits
 * for the members inside. */

enum { PIECES = 16 /* of a share */, WORTH_A_TEAM = 1 << 20 /* bytes */ };
#define WAKE_AFTER 5e-6 /* seconds of loops done alone, after which a member is woken */
#define FORGET_AFTER 1e-4
#define STALLED 2e-4 /* seconds, added to the loop's: a longer wait at its end is a stall */
#define LEAST_WAKE_PAUSE 1e-4
#define MOST_WAKE_PAUSE 0.05
#define LEAST_PAUSE 0.01
#define MOST_PAUSE 0.64

/* Doubles the pause, between `least` and `most`. */
static double next_pause(double last, double least, double most)
{
    return last <= 0 ? least : 2 * last < most ? 2 * last : most;
}

/* Raises the number of members again after a stall lowered it. A member whose core another program uses holds
 * up all others, so it is excluded for a time. */
static void adapt_limit(struct team *t, double now)
{
    if (t->limit < t->members && now >= t->retry) {
        t->limit = 2 * t->limit < t->members ? 2 * t->limit : t->members;
        t->retry = now + LEAST_PAUSE;
        t->tried = now;
        atomic_store_explicit(&t->most, t->limit, memory_order_relaxed);
    }
}

static void note_stall(struct team *t, uint32_t missing, double now)
{
    t->pause = next_pause(now - t->tried > t->pause + LEAST_PAUSE ? 0 : t->pause, LEAST_PAUSE, MOST_PAUSE);
    t->limit = t->limit > missing ? t->limit - missing : 1;
    t->retry = now + t->pause;
    atomic_store_explicit(&t->most, t->limit, memory_order_relaxed);
}

/* Wakes the leader's children, unless the members woken last came too late for their loop. Such members have
 * no core, or compete for the leader's, so they are left asleep for a time. */
static void wake_some(struct team *t, double now)
{
    if (now < t->next_wake)
        return;
    bool in_vain = t->woken && atomic_load_explicit(&t->came, memory_order_relaxed) < t->woken;
    if (t->woken)
        t->wake_pause = !in_vain ? 0 : next_pause(t->wake_pause, LEAST_WAKE_PAUSE, MOST_WAKE_PAUSE);
    t->woken = in_vain ? 0 : t->number;
    t->next_wake = now + (in_vain ? t->wake_pause : 0);
    if (!in_vain)
        crew_wake(t, 0);
}

/* Opens the loop for the other members; false: it is not shared. */
static bool open_loop(struct member *me, uint32_t loop)
{
    struct team *t = me->team;
    if (!crew_start(t))
        return false;
    double now = clock_seconds();
    adapt_limit(t, now);
    if (t->limit < 2)
        return false;
    if (now - t->ended > FORGET_AFTER)
        t->alone = 0;
    t->begun = now;
    t->body = me->body;
    t->args = me->args;
    t->callers = environment_callers;
    t->loop = loop;
    t->shares = t->limit;
    crew_open(t);
    t->asleep = crew_sleeps(t, 0);
    if (t->asleep && t->alone > WAKE_AFTER)
        wake_some(t, now);
    return true;
}

static void close_loop(struct team *t)
{
    uint32_t inside = crew_close(t);
    double now = clock_seconds(), took = now - t->begun;
    if (inside) {
        uint32_t missing = crew_drain(t, STALLED + took);
        now = clock_seconds();
        if (missing)
            note_stall(t, missing, now);
    }
    t->alone = t->asleep ? t->alone + took : 0;
    t->ended = now;
}

static struct span none(void)
{
    return (struct span){0, 0};
}

/* Begins a share. Shares are as even as whole units allow. */
static void begin_share(struct member *me, uint32_t share)
{
    me->share = share;
    me->first = (uint32_t)((uint64_t)me->units * share / me->shares);
    me->last = (uint32_t)((uint64_t)me->units * (share + 1) / me->shares);
    me->pieces = (me->last - me->first + me->piece - 1) / me->piece;
}

struct span team_next(struct member *me)
{
    if (!me->shared)
        return none();
    struct team *t = me->team;
    if (me->index == 0 && t->asleep) {
        double now = clock_seconds();
        if (now - t->begun > WAKE_AFTER && crew_sleeps(t, 0))
            wake_some(t, now);
    }
    for (;; begin_share(me, (me->share + 1) % me->shares)) {
        uint32_t at = crew_claim(t, me->share, me->pieces);
        if (at < me->pieces) {
            uint64_t begin = me->first + (uint64_t)at * me->piece, end = begin + me->piece;
            end = (end < me->last ? end : me->last) * me->grain;
            return (struct span){(uint32_t)(begin * me->grain), end < me->n ? (uint32_t)end : me->n};
        }
        if (++me->seen == me->shares)
            break;
    }
    me->shared = false;
    if (me->index == 0)
        close_loop(t);
    return none();
}

struct span team_first(struct member *me, uint32_t n, uint32_t least, uint32_t grain)
{
    uint32_t loop = me->loops++;
    me->shared = false;
    if (me->index == 0) {
        if (!me->team || n < least || n <= grain || !open_loop(me, loop))
            return (struct span){0, n};
    } else if (loop != me->team->loop)
        return none();
    me->shared = true;
    me->n = n;
    me->grain = grain;
    me->units = n / grain + (n % grain != 0);
    me->shares = me->team->shares;
    me->piece = me->units / (me->shares * PIECES);
    me->piece = me->piece ? me->piece : 1;
    me->seen = 0;
    begin_share(me, me->index % me->shares);
    return team_next(me);
}

struct team *team_for(struct team *given, uint64_t bytes)
{
    return given || bytes < WORTH_A_TEAM ? given : team_create(0);
}

void team_done(struct team *given, struct team *team)
{
    if (team != given)
        team_destroy(team);
}

uint32_t team_size(const struct team *team)
{
    return team ? team->wanted : 1;
}

bool team_enter(struct member *me)
{
    if (me->team)
        pthread_mutex_lock(&me->team->one);
    return true;
}

bool team_leave(struct member *me)
{
    if (me->team)
        pthread_mutex_unlock(&me->team->one);
    return false;
}

void team_run(struct team *team, team_body body, const void *args)
{
    struct member me = {.team = team, .body = body, .args = args};
    body(args, &me);
}

void team_call(struct member *me, team_body body, const void *args)
{
    team_run(me->team, body, args);
}
