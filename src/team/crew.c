#include "team/crew.h"
#include "abi/environment.h"
#include "report/clock.h"
#include "team/thread.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

/* A loop's number has the upper 48 bits of a word, a count the lower 16. No program runs 2^48 loops. */
#define NUMBER_SHIFT 16
#define NUMBER(word) ((word) >> NUMBER_SHIFT)
#define BELOW_NUMBER (((uint64_t)1 << NUMBER_SHIFT) - 1)
#define OPEN ((uint64_t)1 << 15)
#define LEADER_SLEEPS ((uint64_t)1 << 14)
#define INSIDE (LEADER_SLEEPS - 1)
_Static_assert(CORES_MOST <= INSIDE, "the gate counts every member");

/* Seconds that a member spins: more than the time between two kernels of a solve. */
#define AWAKE 1e-4
/* After this many seconds a member yields its core between polls, because the leader may need it. */
#define POLITE 1e-5
/* Seconds that the leader spins for members inside; then it sleeps, which leaves them its core. */
#define LEADER_AWAKE 3e-5
/* The stack of a thread. It must also suffice for a program's own operator functions. */
#define STACK_BYTES ((size_t)2 << 20)

static inline void pause_a_little(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static struct crew_place *child(const struct team *t, uint32_t index, uint32_t which)
{
    uint32_t c = 2 * index + 1 + which;
    return c < t->wanted ? &t->place[c] : NULL;
}

static bool is_wanted(struct team *t, uint32_t index)
{
    return index < atomic_load_explicit(&t->most, memory_order_relaxed);
}

static bool sleeps(const struct team *t, uint32_t index, uint32_t which)
{
    struct crew_place *p = child(t, index, which);
    return p && is_wanted((struct team *)t, p->index) && atomic_load(&p->sleeping);
}

bool crew_sleeps(const struct team *t, uint32_t index)
{
    return sleeps(t, index, 0) || sleeps(t, index, 1);
}

static void rouse(struct crew_place *p)
{
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->sleeping, false);
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
}

void crew_wake(struct team *t, uint32_t index)
{
    for (uint32_t which = 0; which < 2; which++)
        if (sleeps(t, index, which))
            rouse(child(t, index, which));
}

/* Whether a loop other than `seen`, the member's last one, is open for this member. */
static bool is_called(struct team *t, uint32_t index, uint64_t gate, uint64_t seen)
{
    return gate & OPEN && NUMBER(gate) != seen && is_wanted(t, index);
}

static void sleep_well(struct crew_place *p, uint64_t seen)
{
    struct team *t = p->team;
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->sleeping, true);
    /* The leader opens the gate, then looks for sleepers. This member sets `sleeping`, then looks at the
     * gate. At least one of them therefore sees the other. */
    if (is_called(t, p->index, atomic_load(&t->gate), seen) || atomic_load(&t->ending))
        atomic_store(&p->sleeping, false);
    while (atomic_load(&p->sleeping))
        pthread_cond_wait(&p->wake, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

/* Waits for the next loop, enters it and returns its number; 0: the team ends. */
static uint64_t wait_for_loop(struct crew_place *p, uint64_t seen)
{
    struct team *t = p->team;
    double begun = clock_seconds(), waited = 0;
    for (uint32_t turn = 1; !atomic_load_explicit(&t->ending, memory_order_acquire); turn++) {
        uint64_t gate = atomic_load_explicit(&t->gate, memory_order_acquire);
        if (is_called(t, p->index, gate, seen)) {
            if (atomic_compare_exchange_weak_explicit(&t->gate, &gate, gate + 1, memory_order_acq_rel,
                                                      memory_order_relaxed)) {
                atomic_store_explicit(&t->came, NUMBER(gate), memory_order_relaxed);
                return NUMBER(gate);
            }
            continue;
        }
        pause_a_little();
        if (turn % 32)
            continue;
        waited = clock_seconds() - begun;
        if (waited > AWAKE || !is_wanted(t, p->index)) {
            sleep_well(p, seen);
            begun = clock_seconds();
        } else if (waited > POLITE)
            sched_yield();
    }
    return 0;
}

static void leave(struct team *t)
{
    uint64_t before = atomic_fetch_sub_explicit(&t->gate, 1, memory_order_acq_rel);
    if (before & LEADER_SLEEPS && (before & INSIDE) == 1) {
        pthread_mutex_lock(&t->lock);
        pthread_cond_signal(&t->left);
        pthread_mutex_unlock(&t->lock);
    }
}

static void *work(void *place)
{
    struct crew_place *p = place;
    struct team *t = p->team;
    for (uint64_t number = 0; (number = wait_for_loop(p, number));) {
        if (crew_sleeps(t, p->index))
            crew_wake(t, p->index);
        struct member me = {.team = t, .body = t->body, .args = t->args, .index = p->index};
        environment_callers = t->callers;
        me.body(me.args, &me);
        leave(t);
    }
    return NULL;
}

static void start_all(struct team *t)
{
    while (t->members < t->wanted &&
           thread_start(&t->place[t->members].thread, STACK_BYTES, work, &t->place[t->members]))
        t->members++;
}

bool crew_start(struct team *t)
{
    if (!t->started) {
        t->started = true;
        start_all(t);
        t->limit = t->members;
        atomic_store(&t->most, t->limit);
    }
    return t->members > 1;
}

void crew_open(struct team *t)
{
    t->number++; /* never 0 */
    atomic_store(&t->gate, t->number << NUMBER_SHIFT | OPEN);
}

uint32_t crew_close(struct team *t)
{
    return (uint32_t)(atomic_fetch_and_explicit(&t->gate, ~OPEN, memory_order_acq_rel) & INSIDE);
}

static uint32_t inside(struct team *t)
{
    return (uint32_t)(atomic_load_explicit(&t->gate, memory_order_acquire) & INSIDE);
}

/* The leader waits for the members asleep, so that they can use its core. */
static void wait_asleep(struct team *t)
{
    pthread_mutex_lock(&t->lock);
    if (atomic_fetch_or_explicit(&t->gate, LEADER_SLEEPS, memory_order_acq_rel) & INSIDE)
        while (inside(t))
            pthread_cond_wait(&t->left, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

uint32_t crew_drain(struct team *t, double seconds)
{
    double begun = clock_seconds(), now = begun;
    uint32_t left = inside(t), last = left;
    for (uint32_t turn = 1; left && now - begun < LEADER_AWAKE; turn++) {
        last = left;
        pause_a_little();
        if (turn % 32 == 0)
            now = clock_seconds();
        left = inside(t);
    }
    if (!left)
        return 0;
    wait_asleep(t);
    return clock_seconds() - begun > seconds ? last : 0;
}

uint32_t crew_claim(struct team *t, uint32_t share, uint32_t pieces)
{
    _Atomic uint64_t *claims = &t->place[share].claims;
    uint64_t have = atomic_load_explicit(claims, memory_order_relaxed), taken;
    do {
        taken = NUMBER(have) == t->number ? have & BELOW_NUMBER : 0;
        if (taken >= pieces)
            return pieces;
    } while (!atomic_compare_exchange_weak_explicit(claims, &have, t->number << NUMBER_SHIFT | (taken + 1),
                                                    memory_order_relaxed, memory_order_relaxed));
    return (uint32_t)taken;
}

struct team *team_create(uint32_t threads)
{
    struct team *t = NULL;
    uint32_t n = cores_for(threads);
    if (posix_memalign((void **)&t, 128, sizeof *t))
        return NULL;
    *t = (struct team){.members = 1, .wanted = n, .limit = 1, .pid = getpid()};
    if (posix_memalign((void **)&t->place, 128, n * sizeof *t->place)) {
        free(t);
        return NULL;
    }
    pthread_mutex_init(&t->one, NULL);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->left, NULL);
    for (uint32_t i = 0; i < n; i++) {
        t->place[i] = (struct crew_place){.team = t, .index = i};
        pthread_mutex_init(&t->place[i].lock, NULL);
        pthread_cond_init(&t->place[i].wake, NULL);
    }
    return t;
}

/* A forked child has none of the parent's threads, and cannot know which locks they held, so it only frees
 * memory. */
void team_destroy(struct team *t)
{
    if (!t)
        return;
    if (t->pid == getpid()) {
        atomic_store(&t->ending, true);
        for (uint32_t i = 1; i < t->members; i++)
            rouse(&t->place[i]);
        for (uint32_t i = 1; i < t->members; i++)
            pthread_join(t->place[i].thread, NULL);
        for (uint32_t i = 0; i < t->wanted; i++) {
            pthread_cond_destroy(&t->place[i].wake);
            pthread_mutex_destroy(&t->place[i].lock);
        }
        pthread_cond_destroy(&t->left);
        pthread_mutex_destroy(&t->lock);
        pthread_mutex_destroy(&t->one);
    }
    free(t->place);
    free(t);
}
