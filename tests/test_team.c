#define _GNU_SOURCE /* RTLD_NEXT */
/* The team of threads: loops and their shares, several teams at once, forks, and threads that cannot be
 * created; and how many cores are counted as granted. */
#include "command/models/generate_matrix.h"
#include "team/cores.h"
#include "team/crew.h"
#include "tests/support/fork.h"
#include "tests/support/own.h"
#include "tests/support/solve.h"
#include "vector/verbs.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

/* Threads that pthread_create still grants; negative: any number. */
static int grants = -1;

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = NULL;
    void *found = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&real, &found, sizeof found);
    if (!grants)
        return EAGAIN;
    grants -= grants > 0;
    return real(thread, attr, start, arg);
}

enum { N = 100000 };

TestSuite(team, .timeout = 120);

struct sums {
    uint32_t *count, n, grain;
    uint64_t first, between, second;
};

static void count_all(const void *sums, struct member *me)
{
    struct sums *s = (void *)sums;
    uint64_t mine = 0;
    TEAM_FOR(me, i, s->n, 2, s->grain)
    {
        s->count[i]++;
        mine += i;
    }
    TEAM_ONE_AT_A_TIME(me)
    s->first += mine;
    if (me->index == 0)
        s->between = s->first;
    mine = 0;
    TEAM_FOR(me, i, s->n, 2, s->grain)
    mine += s->between + s->count[i];
    TEAM_ONE_AT_A_TIME(me)
    s->second += mine;
}

static void count_with(struct team *team, uint32_t n, uint32_t grain)
{
    OWNED(uint32_t) *count = calloc(n + (size_t)1, sizeof *count);
    struct sums s = {.count = count, .n = n, .grain = grain};
    team_run(team, count_all, &s);
    for (uint32_t i = 0; i < n; i++)
        cr_assert_eq(count[i], 1, "%u of %u: %u times", i, n, count[i]);
    cr_assert_eq(s.first, n ? (uint64_t)n * (n - 1) / 2 : 0);
    cr_assert_eq(s.second, n * (s.first + 1));
}

Test(team, each_element_is_taken_once_by_any_number_of_threads)
{
    static const uint32_t threads[] = {1, 2, 3, 8, 16}, sizes[] = {0, 1, 2, 3, 255, 256, 257, 1000, N};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        OWNED_BY(team_end) struct team *team = team_create(threads[t]);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (uint32_t grain = 1; grain <= 256; grain *= 16)
                count_with(team, sizes[k], grain);
    }
    count_with(NULL, N, 1);
}

Test(team, that_sleeps_is_woken)
{
    struct team *team = team_create(4);
    for (int round = 0; round < 5; round++) {
        count_with(team, N, 1);
        usleep(3000);
    }
    team_destroy(team);
    team_destroy(team_create(4)); /* a team that has never worked */
    team_destroy(NULL);
}

Test(team, does_with_the_threads_that_can_be_had)
{
    for (grants = 0; grants < 3;) {
        int granted = grants;
        struct team *team = team_create(8);
        count_with(team, N, 1);
        cr_expect_eq(team->members, 1u + (unsigned)granted);
        team_destroy(team);
        grants = granted + 1;
    }
    grants = -1;
}

Test(team, of_more_than_the_most_threads_is_refused)
{
    static const uint32_t too_many[] = {CORES_MOST + 1, 4000000000, UINT32_MAX};
    char message[200], words[100];
    vks_context_options o = {.device = "host", .message = message, .message_size = sizeof message};
    for (size_t i = 0; i < sizeof too_many / sizeof *too_many; i++) {
        vks_context *c = (vks_context *)&o;
        o.threads = too_many[i];
        cr_expect_eq(vks_context_create(&o, &c), VKS_INVALID_ARGUMENT);
        cr_expect_null(c);
        snprintf(words, sizeof words, "vks_context_options.threads is %u: at most 1024 are allowed",
                 o.threads);
        cr_expect_str_eq(message, words);
    }
    OWNED_BY(context_end) vks_context *c = NULL;
    o.threads = CORES_MOST;
    cr_expect_eq(vks_context_create(&o, &c), VKS_OK, "%s", message);
}

static void count_once(const void *sums, struct member *me)
{
    struct sums *s = (void *)sums;
    TEAM_FOR(me, i, s->n, 2, s->grain)
    s->count[i]++;
}

/* What was taken of a share counts only for its loop, whatever the shares of the loops in between. */
Test(team, that_had_fewer_members_for_some_loops_takes_all_of_the_next)
{
    static uint32_t count[1000];
    static const uint32_t limits[] = {4, 2, 4, 3, 3, 4, 2, 2, 2, 4, 2, 4};
    OWNED_BY(team_end) struct team *team = team_create(4);
    cr_assert(crew_start(team));
    for (uint32_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        struct sums s = {.count = count, .n = 1000, .grain = 1};
        team->retry = HUGE_VAL; /* it grows when requested */
        team->limit = limits[k] < team->members ? limits[k] : team->members;
        atomic_store(&team->most, team->limit);
        if (k == 10)
            team->number += ((uint64_t)1 << 32) - 2;
        team_run(team, count_once, &s);
        for (uint32_t i = 0; i < s.n; i++)
            cr_assert_eq(count[i], k + 1, "loop %u, %u: %u times", k, i, count[i]);
    }
}

enum { SIDE = 60, ROWS = SIDE * SIDE };

/* Solves in its own context; false on a failure. It asserts nothing, since a forked child could not report
 * that. */
static bool solves(uint32_t threads, double *x)
{
    OWNED_STRUCT(host_csr) A = {0};
    OWNED_BY(context_end) vks_context *c = NULL;
    OWNED(vks_matrix) *M = NULL;
    OWNED(vks_vector) *vb = NULL, *vx = NULL;
    vks_solve_report r;
    double b[ROWS];
    for (int i = 0; i < ROWS; i++)
        b[i] = 1 + i % 7;
    bool ok = !generate_matrix(NULL, "poisson2d", SIDE, &A) &&
              !vks_context_create(&(vks_context_options){.device = "host", .threads = threads}, &c) &&
              !vks_matrix_from_csr(c, A.rows, A.cols, A.row, A.col, A.val, NULL, &M) &&
              !vks_vector_create(c, ROWS, VKS_F64, &vb) && !vks_vector_create(c, ROWS, VKS_F64, &vx) &&
              !vks_vector_write(vb, 0, ROWS, VKS_F64, b);
    for (int round = 0; ok && round < 3; round++)
        ok = !vks_vector_fill(vx, 0) && !vks_solve(M, vb, vx, NULL, &r) && r.reason == VKS_REASON_CONVERGED;
    ok = ok && !vks_vector_read(vx, 0, ROWS, VKS_F64, x);
    return ok;
}

static void *solve_alone(void *threads)
{
    double *x = calloc(ROWS, sizeof *x);
    cr_expect(solves(*(uint32_t *)threads, x));
    return x;
}

Test(team, contexts_in_several_threads_at_once_give_the_bits_of_one_thread)
{
    enum { CONTEXTS = 4 };
    uint32_t threads[CONTEXTS] = {1, 2, 3, 8};
    pthread_t id[CONTEXTS];
    double *x[CONTEXTS];
    for (int i = 0; i < CONTEXTS; i++)
        cr_assert_eq(pthread_create(&id[i], NULL, solve_alone, &threads[i]), 0);
    for (int i = 0; i < CONTEXTS; i++)
        pthread_join(id[i], (void **)&x[i]);
    for (int i = 0; i < CONTEXTS; i++) {
        cr_expect(!memcmp(x[i], x[0], ROWS * sizeof **x), "%u threads", threads[i]);
        if (i)
            free(x[i]);
    }
    free(x[0]);
}

/* In the child: objects of the parent are refused and can be destroyed; the child's own objects work. Returns
 * what went wrong, 0 for nothing. */
static int try_in_child(vks_context *c, vks_vector *v)
{
    static double x[ROWS];
    double value = 0;
    vks_vector *other = NULL;
    if (vks_vector_sum(v, &value) != VKS_UNSUPPORTED || !strstr(vks_context_message(c), "forked"))
        return 1;
    if (vks_vector_create(c, 5, VKS_F64, &other) != VKS_UNSUPPORTED || other)
        return 2;
    if (vks_vector_fill(v, 1) != VKS_UNSUPPORTED)
        return 3;
    vks_vector_destroy(v);
    vks_context_destroy(c);
    return solves(2, x) ? 0 : 4;
}

static void fork_with(const char *device)
{
    OWNED_BY(context_end) vks_context *c = NULL;
    OWNED(vks_vector) *v = NULL;
    double sum = 0;
    cr_assert_eq(vks_context_create(&(vks_context_options){.device = device, .threads = 2}, &c), VKS_OK);
    cr_assert_eq(vks_vector_create(c, N, VKS_F64, &v), VKS_OK);
    cr_assert_eq(vks_vector_fill(v, 1), VKS_OK);
    cr_assert_eq(vks_vector_sum(v, &sum), VKS_OK);
    pid_t child = fork_asleep();
    if (!child) {
        alarm(30);
        _exit(try_in_child(c, v));
    }
    int status = -1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: %x", device, (unsigned)status);
    cr_expect_eq(vks_vector_sum(v, &sum), VKS_OK);
    cr_expect_eq(sum, N);
}

/* The first action in the child: destroys an object of the parent. It must not reach the driver, whose
 * threads do not exist here, and whose kernel side belongs to the parent. Returns 0 if so. */
static int destroy_in_child(vks_context *c, int which, struct rec *r, vks_vector *v)
{
    const struct device_ops *of_parent = c->device->ops;
    if (which == 0) {
        vks_vector_destroy(v);
        return c->device->ops == of_parent;
    }
    if (which == 1) {
        rec_destroy(r);
        return c->device->ops == of_parent;
    }
    vks_context_destroy(c);
    return 0;
}

static void destroy_forked(const char *device)
{
    for (int which = 0; which < 3; which++) {
        OWNED_BY(context_end) vks_context *c = NULL;
        OWNED(vks_vector) *v = NULL;
        OWNED_BY(rec_destroy) struct rec r;
        cr_assert_eq(vks_context_create(&(vks_context_options){.device = device, .threads = 2}, &c), VKS_OK);
        rec_create(&r, c->device, PRECISION_F32);
        if (which < 2) {
            must_work(c, vks_vector_create(c, N, VKS_F32, &v));
            fill(&r, (number)(uintptr_t)v->memory.address, vec_at(vector_address(v), 1, PRECISION_F32));
            must_work(c, rec_run(&r));
        }
        pid_t child = fork_asleep();
        if (!child) {
            alarm(30);
            _exit(destroy_in_child(c, which, &r, v));
        }
        int status = -1;
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s, %d: %x", device, which,
                  (unsigned)status);
    }
}

Test(team, of_a_parent_is_left_alone_by_what_a_forked_child_destroys)
{
    destroy_forked("host");
    destroy_forked(gpu_name());
}

Test(team, of_a_parent_is_refused_in_a_forked_child_on_the_host)
{
    fork_with("host");
}

Test(team, of_a_parent_is_refused_in_a_forked_child_on_a_gpu)
{
    fork_with(gpu_name());
}

Test(cores, the_numbers_of_openmp_are_understood)
{
    cr_expect_eq(cores_from_text("4"), 4);
    cr_expect_eq(cores_from_text("4,2"), 4);
    cr_expect_eq(cores_from_text(" 12 "), 12);
    static const char *const none[] = {"", "0", "-3", "x", "4x", "100000", "99999999999999999999"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        cr_expect_eq(cores_from_text(none[i]), 0, "%s", none[i]);
    cr_expect_eq(cores_from_text(NULL), 0);
    cr_expect_geq(cores_granted(), 1);
    cr_expect_eq(cores_for(7), 7);
    cr_expect_eq(cores_for(100000), CORES_MOST);
}

Test(cores, quotas_are_rounded_up)
{
    cr_expect_eq(cores_of_cpu_max("max 100000\n"), 0);
    cr_expect_eq(cores_of_cpu_max("100000 100000\n"), 1);
    cr_expect_eq(cores_of_cpu_max("150000 100000\n"), 2);
    cr_expect_eq(cores_of_cpu_max("1000 100000\n"), 1);
    cr_expect_eq(cores_of_cpu_max(""), 0);
    cr_expect_eq(cores_of_cpu_max("100000 0"), 0);
    cr_expect_eq(cores_of_quota(-1, 100000), 0);
    cr_expect_eq(cores_of_quota(800000, 100000), 8);
}

Test(cores, groups_are_found_in_both_kinds_of_hierarchy)
{
    char path[64];
    cr_expect(cores_group_path("0::/user.slice/a.scope\n", "", path, sizeof path));
    cr_expect_str_eq(path, "/user.slice/a.scope");
    const char *old = "12:pids:/p\n5:cpuacct,cpu:/docker/abc\n3:cpuset:/s\n";
    cr_expect(cores_group_path(old, "cpu", path, sizeof path));
    cr_expect_str_eq(path, "/docker/abc");
    cr_expect_not(cores_group_path(old, "", path, sizeof path));
    cr_expect_not(cores_group_path("3:cpuset:/s\n", "cpu", path, sizeof path));
    cr_expect_not(cores_group_path("0::/much/longer/than/there/is/place\n", "", path, 8));
    cr_expect_not(cores_group_path("nonsense", "", path, sizeof path));
}
