/* Internals of a team: its threads, the gate that admits them to a loop, and how they wait. */
#ifndef VKS_TEAM_CREW_H
#define VKS_TEAM_CREW_H

#include "team/cores.h"
#include "team/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

/* The state of one member, on its own cache lines. */
struct crew_place {
    _Alignas(128) _Atomic uint64_t claims; /* its share: the loop's number, then the count of pieces taken */
    _Alignas(128) _Atomic bool sleeping;
    struct team *team;
    pthread_t thread;
    pthread_mutex_t lock; /* with `wake`: protects `sleeping` */
    pthread_cond_t wake;
    uint32_t index;
};

struct team {
    /* The number of the loop, whether it is open, whether the leader sleeps, and the number of members inside
     * except the leader. The loop's description shares the gate's cache line, so one miss loads both. The
     * leader writes it while the gate is closed and no member is inside. */
    _Alignas(128) _Atomic uint64_t gate;
    team_body body;
    const void *args;
    const struct environment *callers; /* abi/environment.h */
    uint32_t loop, shares;
    uint64_t number; /* of the loop, as in the gate */
    /* Only the leader uses these. */
    _Alignas(128) uint32_t members; /* members started, including the leader */
    uint32_t wanted, limit;
    bool started, asleep;
    double begun, ended, alone, retry, pause, tried, next_wake, wake_pause;
    uint64_t woken; /* the last loop that woke a member */
    pid_t pid;
    pthread_mutex_t one;  /* held in sections that one member executes at a time (team_enter) */
    pthread_mutex_t lock; /* with `left`: the leader waits for the last member inside */
    pthread_cond_t left;
    _Alignas(128) _Atomic uint32_t most; /* members from this index on are currently excluded */
    _Atomic bool ending;
    _Atomic uint64_t came;    /* the last loop that a member entered */
    struct crew_place *place; /* of each member */
};

/* Starts the threads if not yet started; false if the leader is alone. */
bool crew_start(struct team *t);

void crew_open(struct team *t);

/* Closes the gate to further members. Returns how many are inside. */
uint32_t crew_close(struct team *t);

/* Waits until all members have left, and returns 0. After `seconds`, returns how many it last saw inside. */
uint32_t crew_drain(struct team *t, double seconds);

/* Members wake each other along a binary tree. crew_sleeps: whether one of this member's two children sleeps;
 * crew_wake wakes them. */
bool crew_sleeps(const struct team *t, uint32_t index);
void crew_wake(struct team *t, uint32_t index);

/* Takes a piece of a share; returns `pieces` when none is left. */
uint32_t crew_claim(struct team *t, uint32_t share, uint32_t pieces);

#endif
