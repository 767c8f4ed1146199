#define _GNU_SOURCE /* MAP_ANONYMOUS */
/* The synchronization of a team's members, with rare interleavings forced. All waits have timeouts, so a bug
 * fails instead of hanging. */
#include "report/clock.h"
#include "team/crew.h"
#include "tests/support/own.h"
#include "tests/support/solve.h"
#include "vksolve/operator.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_MEMBERS = 8, PIECES_EACH = 16, PRODUCTS = 40 };
/* Seconds. */
#define PATIENCE 5.0
#define A_WHILE 0.5 /* of a product */
#define A_MOMENT 1e-3

TestSuite(crew, .timeout = 60);

/* Uses the clock, since a short sleep takes many times as long on a busy machine. */
static bool wait_for(const _Atomic uint32_t *what, uint32_t least, double seconds)
{
    for (double begun = clock_seconds(); atomic_load(what) < least && clock_seconds() - begun < seconds;)
        usleep(1000);
    return atomic_load(what) >= least;
}

struct meeting {
    uint32_t expected;
    _Atomic uint32_t inside, left;
    useconds_t linger;       /* of the helpers, before they leave */
    pthread_mutex_t *unlock; /* by the leader, once its loop is open */
    pthread_mutex_t *lock;   /* by the leader, once all members are inside, and before any leaves */
    _Atomic uint32_t locked;
    uint32_t left_at_the_end; /* as observed by the leader */
    sigset_t mask[MOST_MEMBERS];
};

/* The leader's first piece takes so long that sleepers are worth waking. In its second one it waits until all
 * members are inside; the others wait for each other in their first one. */
static void meet(const void *args, struct member *me)
{
    struct meeting *m = (void *)args;
    uint32_t pieces = 0;
    TEAM_FOR(me, i, m->expected * PIECES_EACH, 2, 1)
    {
        if (++pieces == 1) {
            pthread_sigmask(SIG_BLOCK, NULL, &m->mask[me->index]);
            atomic_fetch_add(&m->inside, 1);
            usleep(100);
        }
        if (pieces == 1 && me->index == 0 && m->unlock)
            pthread_mutex_unlock(m->unlock);
        if (pieces == (me->index == 0 ? 2 : 1))
            wait_for(&m->inside, m->expected, PATIENCE);
        if (pieces == 2 && me->index == 0 && m->lock) {
            pthread_mutex_lock(m->lock);
            atomic_store(&m->locked, 1);
        }
        if (pieces == 1 && me->index) {
            if (m->lock)
                wait_for(&m->locked, 1, PATIENCE);
            usleep(m->linger);
            atomic_fetch_add(&m->left, 1);
        }
    }
    if (me->index == 0)
        m->left_at_the_end = atomic_load(&m->left);
}

static struct team *started(uint32_t threads)
{
    struct team *t = team_create(threads);
    cr_assert(t && crew_start(t));
    cr_assert_eq(t->members, threads);
    return t;
}

static bool becomes(const _Atomic bool *what, bool wanted)
{
    for (double begun = clock_seconds(); atomic_load(what) != wanted && clock_seconds() - begun < PATIENCE;)
        usleep(1000);
    return atomic_load(what) == wanted;
}

Test(crew, that_sleeps_is_woken_by_turns)
{
    OWNED_BY(team_end) struct team *t = started(MOST_MEMBERS);
    for (uint32_t i = 1; i < MOST_MEMBERS; i++)
        cr_assert(becomes(&t->place[i].sleeping, true), "%u", i);
    struct meeting m = {.expected = MOST_MEMBERS};
    team_run(t, meet, &m);
    cr_expect_eq(m.inside, MOST_MEMBERS, "%u came of %u", m.inside, MOST_MEMBERS);
}

/* Longer than the leader polls. */
Test(crew, that_is_inside_is_waited_for)
{
    static const useconds_t linger[] = {0, 1, 20000};
    for (size_t i = 0; i < sizeof linger / sizeof *linger; i++) {
        OWNED_BY(team_end) struct team *t = started(4);
        struct meeting m = {.expected = 4, .linger = linger[i]};
        team_run(t, meet, &m);
        cr_expect_eq(m.inside, 4);
        cr_expect_eq(m.left_at_the_end, 3, "%u had left", m.left_at_the_end);
    }
}

/* A member that is about to sleep is held up, while the leader looks for sleepers and finds none. */
Test(crew, that_lies_down_when_a_loop_is_opened_gets_up)
{
    OWNED_BY(team_end) struct team *t = started(2);
    struct meeting first = {.expected = 2, .lock = &t->place[1].lock};
    struct meeting second = {.expected = 2, .unlock = &t->place[1].lock};
    team_run(t, meet, &first);
    cr_assert_eq(first.inside, 2);
    usleep(50000);
    cr_assert_not(t->place[1].sleeping);
    t->limit = t->members; /* a stall may have been detected */
    atomic_store(&t->most, t->limit);
    team_run(t, meet, &second);
    cr_expect_eq(second.inside, 2);
}

Test(crew, that_lies_down_when_the_team_ends_gets_up)
{
    struct team *t = team_create(2);
    pthread_mutex_lock(&t->place[1].lock);
    cr_assert(crew_start(t));
    usleep(50000);
    atomic_store(&t->ending, true);
    pthread_mutex_unlock(&t->place[1].lock);
    usleep(100000);
    cr_expect(becomes(&t->place[1].sleeping, false));
    team_destroy(t); /* wakes it in any state */
}

/* The signals that the threads of a team block if the caller has this set; the caller's mask must not
 * change. */
static void expect_masks(const sigset_t *callers, bool faults_blocked)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    static const int others[] = {SIGALRM, SIGINT,  SIGTERM, SIGHUP,  SIGUSR1,   SIGUSR2, SIGABRT,
                                 SIGCHLD, SIGPIPE, SIGPROF, SIGQUIT, SIGVTALRM, SIGWINCH};
    OWNED_BY(team_end) struct team *t = team_create(3);
    struct meeting m = {.expected = 3};
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, callers, &before);
    team_run(t, meet, &m);
    pthread_sigmask(SIG_SETMASK, &before, &after);
    cr_assert_eq(m.inside, 3);
    for (uint32_t i = 1; i < 3; i++) {
        for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
            cr_expect_eq(sigismember(&m.mask[i], faults[k]), faults_blocked, "%d", faults[k]);
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            cr_expect_eq(sigismember(&m.mask[i], others[k]), 1, "%d", others[k]);
    }
    for (int k = 1; k < SIGRTMIN; k++)
        cr_expect_eq(sigismember(callers, k), sigismember(&after, k), "%d", k);
}

/* Signals of the process must go to the program's threads, even if only one of these waits for them. */
Test(crew, blocks_all_signals_but_faults_that_the_caller_does_not_block)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &none);
    pthread_sigmask(SIG_SETMASK, &none, &all); /* the signals that can be blocked */
    expect_masks(&none, false);
    expect_masks(&all, true);
}

static struct {
    char *page;
    pthread_t leader, at;
    _Atomic uint32_t faults, calls;
    double until; /* until then the leader waits in a product */
} fault;

static void mend(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info, (void)context;
    fault.at = pthread_self();
    mprotect(fault.page, 1, PROT_READ | PROT_WRITE);
    atomic_fetch_add(&fault.faults, 1);
}

/* Rows of a program's own operator, which write out of bounds if a helper runs them. The leader waits a
 * moment in each of many calls, and wakes helpers between them. */
static void faulty_rows(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x,
                        double *y)
{
    (void)A;
    if (!pthread_equal(pthread_self(), fault.leader))
        *(volatile char *)fault.page = 1;
    else if (atomic_fetch_add(&fault.calls, 1) == 0)
        usleep(1000);
    else
        wait_for(&fault.faults, 1, clock_seconds() < fault.until ? A_MOMENT : 0);
    for (uint32_t i = 0; i < count; i++)
        y[first + i] = 2 * x[first + i];
}

Test(crew, leaves_a_helpers_fault_to_the_programs_handler)
{
    enum { N = 100000 };
    struct sigaction action = {.sa_sigaction = mend, .sa_flags = SA_SIGINFO};
    fault.leader = pthread_self();
    fault.page = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(fault.page, MAP_FAILED);
    cr_assert_eq(sigaction(SIGSEGV, &action, NULL), 0);
    OWNED_BY(context_end) vks_context *c = NULL;
    cr_assert_eq(vks_context_create(&(vks_context_options){.device = "host", .threads = 2}, &c), VKS_OK);
    vks_operator o = {.rows_f64 = faulty_rows};
    OWNED(vks_matrix) *A = NULL;
    must_work(c, vks_operator_create(c, N, &o, &A));
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F64, NULL, N), *y = vector_of(c, PRECISION_F64, NULL, N);
    double sum = 0;
    must_work(c, vks_vector_fill(x, 1));
    /* A helper that came too late for a loop is excluded from the next ones, for less than a second. */
    for (int i = 0; i < PRODUCTS && !fault.faults; i++) {
        fault.until = clock_seconds() + A_WHILE;
        must_work(c, vks_spmv(A, x, y));
        must_work(c, vks_vector_sum(y, &sum));
        cr_expect_eq(sum, 2 * N);
        usleep(fault.faults ? 0 : 20000);
    }
    cr_expect_eq(fault.faults, 1);
    cr_expect_not(pthread_equal(fault.at, fault.leader));
}
