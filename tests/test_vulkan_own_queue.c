/* The queue of a program's own Vulkan device, which vksolve locks around each use. */
#include "abi/environment.h"
#include "abi/processor.h"
#include "own_device.h"

#include <fenv.h>
#include <pthread.h>

enum { N = 500 };

/* The queue's lock, which counts calls and detects nested or unbalanced ones. */
static struct {
    pthread_mutex_t mutex;
    atomic_int locks, unlocks;
    int inside, most; /* at once; under the mutex */
} shared = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void lock(void *user)
{
    cr_assert_eq(pthread_mutex_lock(user), 0); /* of a kind that reports if a thread locks it twice */
    atomic_fetch_add(&shared.locks, 1);
    if (++shared.inside > shared.most)
        shared.most = shared.inside;
}

static void unlock(void *user)
{
    shared.inside--;
    atomic_fetch_add(&shared.unlocks, 1);
    cr_assert_eq(pthread_mutex_unlock(user), 0);
}

struct sharer {
    struct app *app;
    double sum;
};

static void *add_up(void *argument)
{
    struct sharer *s = argument;
    OWNED_BY(context_end) vks_context *c = app_context(s->app);
    OWNED(vks_vector) *v;
    must_work(c, vks_vector_create(c, N, VKS_F64, &v));
    for (int i = 0; i < 20; i++) {
        double sum;
        must_work(c, vks_vector_fill(v, i));
        must_work(c, vks_vector_sum(v, &sum));
        s->sum += sum;
    }
    return NULL;
}

Test(vulkan_own_queue, contexts_that_share_a_queue_lock_it_around_each_use)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&shared.mutex, &kind);
    a.own.lock_queue = lock;
    a.own.unlock_queue = unlock;
    a.own.user = &shared.mutex;
    struct sharer sharers[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        sharers[i] = (struct sharer){.app = &a};
        cr_assert_eq(pthread_create(&threads[i], NULL, add_up, &sharers[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        cr_expect_eq(sharers[i].sum, N * 190.0, "the sum is %g", sharers[i].sum);
    }
    cr_expect_geq(atomic_load(&shared.locks), 3 * 40);
    cr_expect_eq(atomic_load(&shared.locks), atomic_load(&shared.unlocks));
    cr_expect_eq(shared.most, 1);
    cr_expect_eq(shared.inside, 0);
}

static void count_upward(void *user)
{
    uint32_t *count = user;
    count[0]++;
    count[1] += fegetround() == FE_UPWARD;
}

Test(vulkan_own_queue, the_queue_is_locked_in_the_floating_point_environment_of_the_program)
{
    OWNED_BY(app_close) struct app a;
    uint32_t count[2] = {0};
    struct environment upward;
    double sum;
    app_open(&a);
    a.own.lock_queue = a.own.unlock_queue = count_upward;
    a.own.user = count;
    OWNED_BY(context_end) vks_context *c = app_context(&a);
    OWNED(vks_vector) *v;
    must_work(c, vks_vector_create(c, N, VKS_F64, &v));
    count[0] = count[1] = 0;
    fesetround(FE_UPWARD);
    environment_save(&upward); /* as an entry point does (abi/entries.c) */
    environment_callers = &upward;
    must_work(c, vks_vector_fill(v, 1));
    must_work(c, vks_vector_sum(v, &sum));
    environment_callers = NULL;
    cr_expect_eq(fegetround(), FE_TONEAREST);
    cr_expect(count[0] >= 4 && count[1] == count[0], "%u of %u", count[1], count[0]);
}
