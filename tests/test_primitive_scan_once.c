/* Prefix sums of floats in one pass, across groups of tiles, and if workgroups do not find the sums that they
 * poll for: they then compute these themselves, with the same bits. */
#include "tests/support/cases/scan.h"
#include "tests/support/large.h"

enum { TILE = 4096, GROUP = 32 };

static const struct kernel_case once = {.name = "scan_once_real",
                                        .record = record_scan_once_real,
                                        .expect = expect_scan_once_real,
                                        .check = check_scan_real};
static const struct kernel_case in_steps = {
    .name = "scan_real", .record = record_scan_real, .expect = expect_scan_real, .check = check_scan_real};

/* At most `groups` workgroups; 0: no limit by the test. */
static void run_case(const struct kernel_case *k, const char *where, uint32_t groups, struct job j)
{
    OWNED(vks_context) *c = open_context(where, (struct device_options){.max_groups = groups});
    job_run(&j, c->device, k, where);
}

static void run_random(const struct kernel_case *k, const char *where, uint32_t groups, enum precision p,
                       uint32_t n)
{
    OWNED(double) *x = random_vector(p, n, n % 2 ? 20 : 2, n);
    run_case(k, where, groups, (struct job){.p = p, .n = n, .x = x});
}

static void record_one(struct job *j)
{
    const struct memory *x = put(j, j->x, j->n, "x"), *y = compared(j, new_reals(j, j->n, "y"), j->p, j->n);
    uint64_t bytes = 4 * (uint64_t)scan_once_real_words(j->n, real_bytes(j->p));
    const struct memory *states = new_bytes(j, bytes, "states");
    scan_once_real(&j->r, words_at(states), reals_at(x), reals_at(y), j->n, false, SCAN_POLLS);
}

static void expect_one(const struct job *j, double *want)
{
    expect_sums_of(j->p, j->x, NULL, j->n, false, want);
}

static const struct kernel_case just_one = {.name = "scan_once_real",
                                            .once = true,
                                            .record = record_one,
                                            .expect = expect_one,
                                            .check = check_scan_real};

Test(primitive_scan_once, has_the_defined_bits_around_groups_on_the_host)
{
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        for (uint32_t more = 0; more < 3; more++) {
            run_random(&once, "host", 0, p, GROUP * TILE - 1 + more);
            run_random(&just_one, "host", 0, p, 2 * GROUP * TILE - 1 + more);
            run_random(&in_steps, "host", 0, p, GROUP * TILE - 1 + more);
        }
}

Test(primitive_scan_once, of_12_million_elements_has_the_defined_bits_on_the_host, LARGE_RUN)
{
    run_random(&just_one, "host", 0, PRECISION_F64, 12345678);
}

/* Many concurrent workgroups, each of which reads the sums of those before it; few, each of which processes
 * many tiles. */
Test(primitive_scan_once, has_the_defined_bits_over_several_groups_on_lavapipe, SHADER_RUN)
{
    run_random(&once, gpu_name(), 0, PRECISION_F64, 3 * GROUP * TILE + 1);
    run_random(&once, gpu_name(), 0, PRECISION_F32, 2 * GROUP * TILE);
    run_random(&once, gpu_name(), 3, PRECISION_F64, GROUP * TILE + TILE + 5);
    run_random(&once, gpu_name(), 20, PRECISION_F32, 2 * GROUP * TILE + 5 * TILE - 1);
    run_random(&in_steps, gpu_name(), 0, PRECISION_F64, GROUP * TILE + 1);
}

/* Only negative zeros; then an infinity, its opposite in the next group, and a NaN. */
static void run_specials(const char *where, enum precision p)
{
    static const double first[] = {-0.0, -INFINITY, NAN}, second[] = {-0.0, INFINITY, 1};
    uint32_t n = (GROUP + 2) * TILE;
    OWNED(double) *x = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        x[i] = -0.0;
    struct kernel_case k = just_one;
    k.check = NULL;
    for (int i = 0; i < 3; i++) {
        x[5 * TILE + 17] = first[i];
        x[GROUP * TILE + 1] = second[i];
        run_case(&k, where, 0, (struct job){.p = p, .n = n, .x = x});
    }
}

Test(primitive_scan_once, carries_infinities_and_nans_and_makes_minus_zeros_plain)
{
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        run_specials("host", p);
}

Test(primitive_scan_once, carries_infinities_and_nans_and_makes_minus_zeros_plain_on_lavapipe, SHADER_RUN)
{
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        run_specials(gpu_name(), p);
}

/* An inclusive scan on lavapipe, in separate parts. */
struct scan {
    vks_context *c;
    struct job j;
    struct memory *x, *y, *states;
    double *values, *want;
};

static void begin_scan(struct scan *s, enum precision p, uint32_t n)
{
    *s = (struct scan){.c = open_gpu(), .values = random_vector(p, n, 20, n), .want = room(n, 8)};
    s->j = (struct job){.p = p, .n = n, .d = s->c->device};
    s->x = put(&s->j, s->values, n, "x");
    s->y = new_reals(&s->j, n, "y");
    s->states = new_bytes(&s->j, 4 * (uint64_t)scan_once_real_words(n, real_bytes(p)), "states");
    expect_sums_of(p, s->values, NULL, n, false, s->want);
}

static void scan_free(struct scan *s)
{
    job_end(&s->j);
    free(s->values);
    free(s->want);
    close_context(s->c);
}

static void forget_all(struct scan *s)
{
    rec_create(&s->j.r, s->c->device, s->j.p);
    fill_words(&s->j.r, words_at(s->states), 0, 0, (uint32_t)(s->states->bytes / 4), 1);
    fill(&s->j.r, number_at(s->states), vec_in(s->y, s->j.n, s->j.p));
    job_must(&s->j, rec_run(&s->j.r));
    rec_destroy(&s->j.r);
}

/* One workgroup processes tile `first` and those after it; their results must be right. */
static void scan_from(struct scan *s, uint32_t first, uint32_t polls, const char *what)
{
    uint32_t n = s->j.n;
    rec_create(&s->j.r, s->c->device, s->j.p);
    fill_words(&s->j.r, words_at(s->states), first, 0, 1, 1);
    run(&s->j.r, scan_once_real, 1, .x = (parts)(uintptr_t)s->x->address,
        .y = (parts)(uintptr_t)s->y->address, .p = (published)(uintptr_t)s->states->address, .n = n,
        .polls = polls);
    job_must(&s->j, rec_run(&s->j.r));
    rec_destroy(&s->j.r);
    guards_check(s->c->device);
    s->j.output_count = 0;
    compared(&s->j, s->y, s->j.p, n - first * TILE);
    s->j.outputs[0].first = first * TILE;
    OWNED(double) *got = read_outputs(&s->j);
    must_equal(got, s->want + first * TILE, n - first * TILE, what);
}

/* The first tile, whichever it is, finds no sums, and adds up all before it. */
Test(primitive_scan_once, of_tiles_that_no_one_has_taken_is_made_up_for, SHADER_RUN)
{
    static const uint32_t at[] = {66, 64, 45, 32, 31, 10, 1};
    OWNED_STRUCT(scan) s;
    begin_scan(&s, PRECISION_F64, 66 * TILE + 1);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        for (uint32_t polls = 0; polls < 4; polls += 3) {
            forget_all(&s);
            scan_from(&s, at[i], polls, "after tiles that no one has taken");
        }
}

/* Words of the state at `place`: kind and 16 bits each. */
static uint32_t *words_of_state(struct scan *s, uint32_t *states, uint32_t place)
{
    return states + place * (real_bytes(s->j.p) / 2);
}

static uint32_t place_of_group(const struct scan *s, uint32_t group)
{
    return 1 + scan_tiles(s->j.n) + group;
}

/* The remains of a scan: the first group publishes only its sum, the second nothing, the third everything; in
 * the fourth group some tiles publish nothing, or one word of their state is not visible yet. */
static void damage(struct scan *s)
{
    uint32_t *states = room(s->states->bytes / 4, 4), words = real_bytes(s->j.p) / 2;
    job_must(&s->j, device_read(s->c->device, s->states, 0, states, s->states->bytes));
    for (uint32_t k = 0; k < words; k++) {
        uint32_t *first = words_of_state(s, states, place_of_group(s, 0)) + k;
        cr_assert_eq(*first >> 16, 2, "a group has reported all up to its end");
        *first = 1u << 16 | (*first & 0xFFFF);
        words_of_state(s, states, place_of_group(s, 1))[k] = 0;
        words_of_state(s, states, 1 + 3 * GROUP)[k] = 0;
        words_of_state(s, states, 1 + 3 * GROUP + 9)[k] = 0;
        words_of_state(s, states, 1 + GROUP + k)[k] = 0;
        words_of_state(s, states, 1 + 3 * GROUP + 2 + k)[k] = 0;
    }
    job_must(&s->j, device_write(s->c->device, s->states, 0, states, s->states->bytes));
    free(states);
}

/* From the middle of the third group, and of the fourth: with the prefix of the third, and without. */
static void scan_with_gaps(enum precision p)
{
    OWNED_STRUCT(scan) s;
    begin_scan(&s, p, (3 * GROUP + 12) * TILE);
    for (uint32_t polls = 0; polls < 4; polls += 3)
        for (uint32_t at = 2 * GROUP + 9; at < 4 * GROUP; at += GROUP - 1) {
            forget_all(&s);
            scan_from(&s, 0, 64, "the first time");
            damage(&s);
            scan_from(&s, at, polls, "after states that are incomplete");
        }
}

Test(primitive_scan_once, of_states_that_are_incomplete_is_made_up_for, SHADER_RUN)
{
    scan_with_gaps(PRECISION_F64);
    scan_with_gaps(PRECISION_F32);
}

/* A group that has published only its sum suffices if all before it have: none is polled twice. */
Test(primitive_scan_once, goes_on_from_sums_of_groups, SHADER_RUN)
{
    OWNED_STRUCT(scan) s;
    begin_scan(&s, PRECISION_F64, (2 * GROUP + 3) * TILE);
    uint32_t *states = room(s.states->bytes / 4, 4),
             *first = words_of_state(&s, states, place_of_group(&s, 0));
    forget_all(&s);
    scan_from(&s, 0, 64, "the first time");
    job_must(&s.j, device_read(s.c->device, s.states, 0, states, s.states->bytes));
    for (uint32_t k = 0; k < 4; k++)
        first[k] = 1u << 16 | (first[k] & 0xFFFF);
    memset(states + 4, 0, 4 * 4 * GROUP); /* so that adding up the tiles would be detected: */
    job_must(&s.j, device_write(s.c->device, s.states, 0, states, s.states->bytes));
    scan_from(&s, GROUP, 1, "after the sum of a group");
    job_must(&s.j, device_read(s.c->device, s.states, 0, states, s.states->bytes));
    for (uint32_t k = 0; k < 4 * GROUP; k++)
        cr_assert_eq(states[4 + k], 0, "tile %u was added up again", k / 4);
    for (uint32_t k = 0; k < 4; k++)
        cr_assert_eq(first[k] >> 16, 1,
                     "looking back was enough: only work by hand would have reported more");
    scan_from(&s, GROUP, 0, "after the sum of a group, by hand");
    job_must(&s.j, device_read(s.c->device, s.states, 0, states, s.states->bytes));
    for (uint32_t k = 0; k < 4; k++)
        cr_assert_eq(first[k] >> 16, 2, "who works by hand tells more");
    free(states);
}
