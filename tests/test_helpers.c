/* Threads that do jobs beside the work of a device (team/helpers.h). */
#include "team/helpers.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { JOBS = 6, SECONDS = 20 };

static atomic_int begun, dropped, order;
static atomic_bool may_end;

struct counted {
    struct job job;
    int place; /* in the order in which jobs ran */
};

static void wait_for(atomic_int *count, int value)
{
    for (int ms = 0; atomic_load(count) < value && ms < 1000 * SECONDS; ms++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    cr_assert_geq(atomic_load(count), value);
}

/* Goes on until it may end. */
static void run(struct job *j)
{
    ((struct counted *)(void *)j)->place = atomic_fetch_add(&order, 1);
    atomic_fetch_add(&begun, 1);
    for (int ms = 0; !atomic_load(&may_end) && ms < 1000 * SECONDS; ms++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void drop(struct job *j)
{
    (void)j;
    atomic_fetch_add(&dropped, 1);
}

static void add_all(struct helpers *h, struct counted jobs[JOBS])
{
    for (int i = 0; i < JOBS; i++) {
        jobs[i] = (struct counted){{run, drop, NULL}, -1};
        helpers_add(h, &jobs[i].job, false);
    }
}

Test(helpers, are_none_where_there_are_no_threads_for_them)
{
    cr_expect_null(helpers_create(0));
    helpers_destroy(NULL);
}

Test(helpers, do_as_many_jobs_at_once_as_there_may_be_threads)
{
    static struct counted jobs[JOBS];
    struct helpers *h = helpers_create(JOBS);
    add_all(h, jobs); /* at once: no helper rests yet */
    wait_for(&begun, JOBS);
    atomic_store(&may_end, true);
    cr_expect(helpers_rest(h, SECONDS));
    cr_expect_eq(dropped, 0);
    helpers_destroy(h);
}

Test(helpers, that_rest_do_a_burst_of_jobs_at_once_with_new_ones)
{
    static struct counted first, jobs[JOBS];
    struct helpers *h = helpers_create(JOBS);
    first.job = (struct job){run, drop, NULL};
    atomic_store(&may_end, true);
    helpers_add(h, &first.job, false);
    wait_for(&begun, 1);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* it rests */
    atomic_store(&may_end, false);
    add_all(h, jobs);
    wait_for(&begun, 1 + JOBS);
    atomic_store(&may_end, true);
    cr_expect(helpers_rest(h, SECONDS));
    helpers_destroy(h);
}

Test(helpers, take_jobs_in_their_order_and_the_next_one_first)
{
    static struct counted jobs[JOBS], next;
    struct helpers *h = helpers_create(1);
    next.job = (struct job){run, drop, NULL};
    jobs[0].job = (struct job){run, drop, NULL};
    helpers_add(h, &jobs[0].job, false);
    wait_for(&begun, 1);
    for (int i = 1; i < JOBS; i++) {
        jobs[i].job = (struct job){run, drop, NULL};
        helpers_add(h, &jobs[i].job, false);
    }
    helpers_add(h, &next.job, true);
    atomic_store(&may_end, true);
    wait_for(&begun, 1 + JOBS);
    cr_expect(helpers_rest(h, SECONDS));
    cr_expect_eq(next.place, 1);
    for (int i = 1; i < JOBS; i++)
        cr_expect_eq(jobs[i].place, 1 + i);
    helpers_destroy(h);
}

/* The one that hangs is the driver's, in life. */
Test(helpers, drop_what_has_not_begun_and_do_not_wait_for_ever)
{
    static struct counted jobs[JOBS], late;
    struct helpers *h = helpers_create(1);
    add_all(h, jobs);
    wait_for(&begun, 1);
    cr_expect_not(helpers_rest(h, 0));
    cr_expect_eq(dropped, JOBS - 1);
    late.job = (struct job){run, drop, NULL};
    helpers_add(h, &late.job, false);
    cr_expect_eq(dropped, JOBS, "a job after the end");
    atomic_store(&may_end, true);
    cr_expect(helpers_rest(h, SECONDS));
    cr_expect_eq(begun, 1);
    helpers_destroy(h);
}
