/* How a Jacobi iteration is validated, from one residual to the next: compared with the rules of
 * shaders/solver/jacobi.h, applied to the whole list of residuals. */
#include "tests/support/cases/jacobi.h"

#include "shaders/solver/jacobi.h"

enum { CHECKS = 130 };

/* r . r at the checks, which are eight iterations apart. */
struct course {
    double rr[CHECKS];
    uint32_t count;
    uint32_t limit;
};

/* The number of checks at the end of the list in which rr grew; and since the first smallest one. */
static uint32_t growing(const double *rr, uint32_t m)
{
    uint32_t k = 0;
    while (k < m && rr[m - k] > rr[m - k - 1])
        k++;
    return k;
}

static uint32_t smallest(const double *rr, uint32_t m)
{
    uint32_t at = 0;
    for (uint32_t k = 1; k <= m; k++)
        at = rr[k] < rr[at] ? k : at;
    return at;
}

static uint32_t state_of(const struct course *s, uint32_t m)
{
    const double *rr = s->rr, least = rr[smallest(rr, m)];
    if (rr[m] <= 0x1p-30)
        return STATE_MET;
    if (rr[m] > 0x1p60 || growing(rr, m) >= 32)
        return STATE_DIVERGED;
    if (m - smallest(rr, m) >= 64 && rr[m] <= 4 * least)
        return STATE_STAGNATED;
    return 8 * m >= s->limit ? STATE_LIMIT : STATE_RUNNING;
}

/* The data of the kernel. */
struct decision {
    struct device *d;
    enum precision p;
    struct memory control, numbers;
    struct reduction w;
};

/* The place after so many words. */
static uint64_t behind(const struct decision *j, uint32_t words)
{
    return 4 * (uint64_t)words / real_bytes(j->p);
}

static void write_state(struct decision *j, uint32_t limit)
{
    uint32_t words[4] = {STATE_RUNNING, 0, limit, 0};
    double zeros[JACOBI_NUMBERS + 2] = {0}, v[CONTROL_NUMBERS] = {0, 0x1p-30, 0x1p60, 1, 0};
    vks_precision p = public_precision(j->p);
    cr_assert_eq(device_write(j->d, &j->control, 0, words, sizeof words), VKS_OK);
    cr_assert_eq(upload_values(j->d, &j->control, p, behind(j, 4), CONTROL_NUMBERS, VKS_F64, v), VKS_OK);
    cr_assert_eq(device_write(j->d, &j->numbers, 0, zeros, j->numbers.bytes), VKS_OK);
}

static void read_state(struct decision *j, uint32_t *words, uint32_t *pending, double *rr, double *v)
{
    vks_precision p = public_precision(j->p);
    cr_assert_eq(device_read(j->d, &j->control, 0, words, 16), VKS_OK);
    cr_assert_eq(download_values(j->d, &j->control, p, behind(j, 4), 1, VKS_F64, rr), VKS_OK);
    cr_assert_eq(device_read(j->d, &j->numbers, 0, pending, sizeof *pending), VKS_OK);
    cr_assert_eq(download_values(j->d, &j->numbers, p, behind(j, 2), JACOBI_NUMBERS, VKS_F64, v), VKS_OK);
}

/* One step from check m - 1 to m; false if the course has ended. */
static bool step(struct decision *j, const struct course *s, uint32_t m, struct rec *r)
{
    uint32_t words[4], pending, state = state_of(s, m);
    double v[JACOBI_NUMBERS], rr;
    cr_assert_eq(upload_values(j->d, &j->w.sums, public_precision(j->p), 0, 1, VKS_F64, &s->rr[m]), VKS_OK);
    cr_assert_eq(rec_run(r), VKS_OK);
    read_state(j, words, &pending, &rr, v);
    cr_assert_eq(words[0], state, "check %u of %u: state %u instead of %u", m, s->count, words[0], state);
    uint32_t at = 8 * m < s->limit ? 8 * m : s->limit, left = s->limit - at;
    uint32_t go = state != STATE_RUNNING ? 0 : left < 8 ? left : 8;
    cr_assert_eq(pending, go, "check %u: %u iterations instead of %u", m, pending, go);
    cr_assert_eq(words[1], at + go, "check %u: iteration %u", m, words[1]);
    cr_assert_eq(words[3], m, "check %u: %u residuals have been seen", m, words[3]);
    uint32_t from = m <= 16 ? 0 : 8 * ((m - 1) / 8 - 1);
    cr_assert_eq(v[0], s->rr[from], "check %u: the older residual is %g", m, v[0]);
    cr_assert_eq(v[3], at - 8 * from, "check %u: it is %g iterations old", m, v[3]);
    cr_assert_eq(rr, s->rr[m]);
    return state == STATE_RUNNING;
}

/* Returns at which check it ended, and how. */
static uint32_t follow(vks_context *c, enum precision p, const struct course *s)
{
    struct decision j = {.d = c->device, .p = p};
    uint64_t real = real_bytes(p);
    cr_assert_eq(device_allocate(j.d, MEMORY_DEVICE, 16 + CONTROL_NUMBERS * real, "control", &j.control),
                 VKS_OK);
    cr_assert_eq(device_allocate(j.d, MEMORY_DEVICE, 8 + JACOBI_NUMBERS * real, "numbers", &j.numbers),
                 VKS_OK);
    cr_assert_eq(reduction_create(j.d, 1, 1, &j.w), VKS_OK);
    write_state(&j, s->limit);
    struct rec r;
    rec_create(&r, j.d, p);
    run(&r, jacobi_decide, 1, .c = (control)(uintptr_t)j.control.address,
        .w = (jacobi_numbers)(uintptr_t)j.numbers.address, .s = reduction_sums(&j.w), .n = 1);
    uint32_t m = 0;
    while (m < s->count && step(&j, s, m, &r))
        m++;
    rec_destroy(&r);
    reduction_destroy(j.d, &j.w);
    device_release(j.d, &j.control);
    device_release(j.d, &j.numbers);
    return m;
}

static struct course course(uint32_t limit)
{
    return (struct course){.count = CHECKS, .limit = limit};
}

static void follow_courses(vks_context *c, enum precision p)
{
    struct course falls = course(8 * 40 + 3), grows = course(10000), leaps = grows, stays = grows,
                  sways = grows, hump = grows, meets = grows;
    for (uint32_t m = 0; m < CHECKS; m++) {
        falls.rr[m] = 1 - m * 0x1p-9;
        grows.rr[m] = (m < 11 ? 20.0 - m : m) * 0x1p-5;
        leaps.rr[m] = ldexp(1, (int)m * 7);
        stays.rr[m] = m < 5 ? 5 - m * 0.5 : m % 2 ? 3 : 4;
        sways.rr[m] = m % 31 == 0 ? 1 + 0.5 * m : 1 + m; /* grows, with a pause in time */
        hump.rr[m] = m < 100 ? 1 + (m % 30) + (m > 0) * 4 : 1;
        meets.rr[m] = ldexp(1, -(int)m);
    }
    cr_expect_eq(follow(c, p, &falls), 41);
    cr_expect_eq(follow(c, p, &grows), 10 + 32);
    cr_expect_eq(follow(c, p, &leaps), 9); /* 2^63 */
    cr_expect_eq(follow(c, p, &stays), 4 + 64);
    cr_expect_eq(follow(c, p, &sways), CHECKS);
    cr_expect_eq(follow(c, p, &hump), 100);
    cr_expect_eq(follow(c, p, &meets), 30);
}

Test(jacobi_decide, follows_its_rules_from_check_to_check)
{
    vks_context *c[] = {open_host(), open_gpu()};
    for (int i = 0; i < 2; i++) {
        follow_courses(c[i], PRECISION_F32);
        follow_courses(c[i], PRECISION_F64);
        close_context(c[i]);
    }
}
