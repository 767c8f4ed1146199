/* The inside of a team: its threads, the gate through which they come to a loop, and how they wait. */
#ifndef VKS_TEAM_CREW_H
#define VKS_TEAM_CREW_H

#include "team/cores.h"
#include "team/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

/* What one member has on cache lines of its own. */
struct crew_place {
    _Alignas(128) _Atomic uint64_t claims; /* on its share: the loop's number, and pieces taken below it */
    _Alignas(128) _Atomic bool sleeping;
    struct team *team;
    pthread_t thread;
    pthread_mutex_t lock; /* with `wake`: of `sleeping` */
    pthread_cond_t wake;
    uint32_t index;
};

struct team {
    /* Number of the loop, whether it is open, whether the leader sleeps, members inside but for the leader.
     * What is open shares the gate's cache line: who sees the gate has the rest. The leader writes it while
     * the gate is closed and nobody is inside. */
    _Alignas(128) _Atomic uint64_t gate;
    team_body body;
    const void *args;
    uint32_t loop, shares;
    uint64_t number; /* of the loop, as in the gate */
    /* The leader's. */
    _Alignas(128) uint32_t members; /* that there are, with the leader */
    uint32_t wanted, limit;
    bool started, asleep;
    double begun, ended, alone, retry, pause, tried, next_wake, wake_pause;
    uint64_t woken; /* the loop for which somebody was woken last */
    pid_t pid;
    pthread_mutex_t one;  /* TEAM_ONE_AT_A_TIME */
    pthread_mutex_t lock; /* with `left`: of the leader that waits for the last one inside */
    pthread_cond_t left;
    _Alignas(128) _Atomic uint32_t most; /* members from this index on are not wanted now */
    _Atomic bool ending;
    _Atomic uint64_t came;    /* the last loop that somebody has come to */
    struct crew_place *place; /* of each member */
};

/* Starts the threads if they have not been; false where the leader is alone. */
bool crew_start(struct team *t);

void crew_open(struct team *t);

/* Returns how many are inside; nobody else comes in. */
uint32_t crew_close(struct team *t);

/* Waits until all have left. How many were inside after so many seconds. */
uint32_t crew_drain(struct team *t, double seconds);

/* Whether one of those sleeps whom this member wakes: each wakes two, these two others each. */
bool crew_sleeps(const struct team *t, uint32_t index);
void crew_wake(struct team *t, uint32_t index);

/* Takes a piece of a share; `pieces`: there is none left. */
uint32_t crew_claim(struct team *t, uint32_t share, uint32_t pieces);

#endif
