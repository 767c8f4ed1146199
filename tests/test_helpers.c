/* Threads that run errands alongside the work of a device (team/helpers.h). */
#include "team/helpers.h"
#include "tests/support/own.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

END_BY(helpers_end, struct helpers, helpers_destroy)

enum { ERRANDS = 6, SECONDS = 20 };

static atomic_int begun, dropped, order;
static atomic_bool may_end;

struct counted {
    struct errand errand;
    int place; /* in the order in which errands ran */
};

static void wait_for(atomic_int *count, int value)
{
    for (int ms = 0; atomic_load(count) < value && ms < 1000 * SECONDS; ms++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    cr_assert_geq(atomic_load(count), value);
}

/* Runs until it may end. */
static void run(struct errand *j)
{
    ((struct counted *)(void *)j)->place = atomic_fetch_add(&order, 1);
    atomic_fetch_add(&begun, 1);
    for (int ms = 0; !atomic_load(&may_end) && ms < 1000 * SECONDS; ms++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void drop(struct errand *j)
{
    (void)j;
    atomic_fetch_add(&dropped, 1);
}

static void add_all(struct helpers *h, struct counted errands[ERRANDS])
{
    for (int i = 0; i < ERRANDS; i++) {
        errands[i] = (struct counted){{run, drop, NULL}, -1};
        helpers_add(h, &errands[i].errand, false);
    }
}

Test(helpers, are_none_where_there_are_no_threads_for_them)
{
    cr_expect_null(helpers_create(0));
    helpers_destroy(NULL);
}

Test(helpers, do_as_many_jobs_at_once_as_there_may_be_threads)
{
    static struct counted errands[ERRANDS];
    OWNED_BY(helpers_end) struct helpers *h = helpers_create(ERRANDS);
    add_all(h, errands); /* at once, before any helper rests */
    wait_for(&begun, ERRANDS);
    atomic_store(&may_end, true);
    cr_expect(helpers_rest(h, SECONDS));
    cr_expect_eq(dropped, 0);
}

Test(helpers, that_rest_do_a_burst_of_jobs_at_once_with_new_ones)
{
    static struct counted first, errands[ERRANDS];
    OWNED_BY(helpers_end) struct helpers *h = helpers_create(ERRANDS);
    first.errand = (struct errand){run, drop, NULL};
    atomic_store(&may_end, true);
    helpers_add(h, &first.errand, false);
    wait_for(&begun, 1);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* the helper rests */
    atomic_store(&may_end, false);
    add_all(h, errands);
    wait_for(&begun, 1 + ERRANDS);
    atomic_store(&may_end, true);
    cr_expect(helpers_rest(h, SECONDS));
}

Test(helpers, take_jobs_in_their_order_and_the_next_one_first)
{
    static struct counted errands[ERRANDS], next;
    OWNED_BY(helpers_end) struct helpers *h = helpers_create(1);
    next.errand = (struct errand){run, drop, NULL};
    errands[0].errand = (struct errand){run, drop, NULL};
    helpers_add(h, &errands[0].errand, false);
    wait_for(&begun, 1);
    for (int i = 1; i < ERRANDS; i++) {
        errands[i].errand = (struct errand){run, drop, NULL};
        helpers_add(h, &errands[i].errand, false);
    }
    helpers_add(h, &next.errand, true);
    atomic_store(&may_end, true);
    wait_for(&begun, 1 + ERRANDS);
    cr_expect(helpers_rest(h, SECONDS));
    cr_expect_eq(next.place, 1);
    for (int i = 1; i < ERRANDS; i++)
        cr_expect_eq(errands[i].place, 1 + i);
}

/* In practice, the errand that hangs is the driver's. */
Test(helpers, drop_what_has_not_begun_and_do_not_wait_for_ever)
{
    static struct counted errands[ERRANDS], late;
    OWNED_BY(helpers_end) struct helpers *h = helpers_create(1);
    add_all(h, errands);
    wait_for(&begun, 1);
    cr_expect_not(helpers_rest(h, 0));
    cr_expect_eq(dropped, ERRANDS - 1);
    late.errand = (struct errand){run, drop, NULL};
    helpers_add(h, &late.errand, false);
    cr_expect_eq(dropped, ERRANDS, "an errand after the end");
    atomic_store(&may_end, true);
    cr_expect(helpers_rest(h, SECONDS));
    cr_expect_eq(begun, 1);
}
