/* The cases of the kernels of shaders/primitive/, through their verbs. */
#ifndef VKS_TESTS_PRIMITIVE_CASES_H
#define VKS_TESTS_PRIMITIVE_CASES_H

#include "primitive/verbs.h"
#include "shaders/primitive/trial.h"
#include "tests/support/cases/vector.h"
#include "tests/support/primitive_oracle.h"

/* Elements of one word, and of two. */
static inline void record_fill_words(struct job *j)
{
    const struct memory *narrow = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "narrow"), j->n);
    const struct memory *wide =
        compared_words(j, new_bytes(j, 8 * (uint64_t)j->n, "wide"), 2 * (uint64_t)j->n);
    fill_words(&j->r, words_at(narrow), 1, 2, j->n, 1);
    fill_words(&j->r, words_at(wide), 0x7F800001u, 0xFFFFFFFFu, j->n, 2);
}

static inline void expect_fill_words(const struct job *j, double *want)
{
    for (size_t i = 0; i < j->n; i++) {
        want[i] = 1;
        want[j->n + 2 * i] = 0x7F800001u;
        want[j->n + 2 * i + 1] = 0xFFFFFFFFu;
    }
}

/* Factors near one, whose product neither overflows nor underflows. */
static inline double *factors_of(const struct job *j)
{
    double *f = room(j->n, sizeof *f);
    int exponent;
    for (uint32_t i = 0; i < j->n; i++)
        f[i] = rounded(j->p, 0.85 + 0.2 * fabs(frexp(j->x[i], &exponent)));
    return f;
}

static inline void record_reduce_real(struct job *j)
{
    double *f = factors_of(j);
    const struct memory *terms = put(j, j->x, j->n, "terms"), *factors = put(j, f, j->n, "factors");
    const struct reduction *w = new_reduction(j, 1);
    free(f);
    for (int k = 0; k < 4; k++) {
        const struct memory *result = compared(j, new_reals(j, 1, "the result"), j->p, 1);
        reduce_real(&j->r, w, reals_at(k & 1 ? factors : terms), number_at(result), j->n, k & 1,
                    (vks_pairing)(k / 2));
    }
}

static inline void expect_reduce_real(const struct job *j, double *want)
{
    for (int k = 0; k < 4; k++) {
        double *v = k & 1 ? factors_of(j) : room(j->n, sizeof *v);
        if (!(k & 1))
            memcpy(v, j->x, j->n * sizeof *v);
        want[k] = k / 2 ? neighbour_fold(j->p, v, j->n, k & 1) : halving_fold(j->p, v, j->n, k & 1);
        free(v);
    }
}

static inline void check_reduce_real(const struct job *j, const double *got)
{
    double *x = room(j->n, sizeof *x);
    memcpy(x, j->x, j->n * sizeof *x);
    double sum = canonical_sum(j->p, x, j->n);
    free(x);
    cr_assert(same_bits(got[0], sum), "the sum by halving is not the canonical one");
    check_sum(j, got[0], j->x, NULL);
    check_sum(j, got[2], j->x, NULL);
}

static inline void record_reduce_u32(struct job *j)
{
    const struct memory *x = put_words(j, j->words, j->n, "x");
    const struct reduction *w = new_reduction(j, 1);
    for (int k = 0; k < 4; k++) {
        const struct memory *result = compared_words(j, new_bytes(j, 4, "the result"), 1);
        reduce_u32(&j->r, w, words_at(x), words_at(result), j->n, k & 1, (vks_pairing)(k / 2));
    }
}

static inline void expect_reduce_u32(const struct job *j, double *want)
{
    uint32_t sum = 0, product = 1;
    for (uint32_t i = 0; i < j->n; i++) {
        sum += j->words[i];
        product *= j->words[i];
    }
    for (int k = 0; k < 4; k++)
        want[k] = k & 1 ? product : sum;
}

/* x with zeros of both signs and equal elements; with infinities if n is odd, and with NaNs if it is a
 * multiple of three. */
static inline double *special_of(const struct job *j)
{
    double *v = room(j->n, sizeof *v);
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t kind = j->words[i] % 16;
        v[i] = kind == 0 ? 0.0 : kind == 1 ? -0.0 : j->x[i];
        if (kind == 2 && j->n % 2)
            v[i] = j->words[i] & 64 ? INFINITY : -INFINITY;
        if (kind == 3 && j->n % 3 == 0)
            v[i] = NAN;
    }
    return v;
}

static inline void record_min_max_real(struct job *j)
{
    double *v = special_of(j);
    const struct memory *x = put(j, v, j->n, "x");
    const struct memory *result = compared_words(j, new_bytes(j, 24, "the result"), 6);
    free(v);
    min_max_real(&j->r, new_reduction(j, reduction_rows(RANGE_ITEM_BYTES)), reals_at(x), words_at(result),
                 j->n);
}

static inline void expect_min_max_real(const struct job *j, double *want)
{
    double *v = special_of(j);
    uint32_t low = 0, high = 0;
    for (uint32_t i = 1; i < j->n; i++) {
        low = order_of(v[i]) < order_of(v[low]) ? i : low;
        high = order_of(v[i]) > order_of(v[high]) ? i : high;
    }
    uint64_t keys[2] = {j->n                    ? key_bits(j->p, v[low])
                        : j->p == PRECISION_F64 ? UINT64_MAX
                                                : UINT32_MAX,
                        j->n ? key_bits(j->p, v[high]) : 0};
    for (int k = 0; k < 4; k++)
        want[k] = (uint32_t)(keys[k / 2] >> 32 * (k % 2));
    want[4] = j->n ? low : UINT32_MAX;
    want[5] = j->n ? high : UINT32_MAX;
    free(v);
}

/* Few distinct values, so that most repeat an earlier one. */
static inline uint32_t *coarse_words(const struct job *j)
{
    uint32_t *v = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++)
        v[i] = j->n % 2 ? j->words[i] : 5 + j->words[i] % 7;
    return v;
}

static inline void record_min_max_u32(struct job *j)
{
    uint32_t *v = coarse_words(j);
    const struct memory *x = put_words(j, v, j->n, "x");
    const struct memory *result = compared_words(j, new_bytes(j, 24, "the result"), 6);
    free(v);
    min_max_u32(&j->r, new_reduction(j, reduction_rows(RANGE_ITEM_BYTES)), words_at(x), words_at(result),
                j->n);
}

static inline void expect_min_max_u32(const struct job *j, double *want)
{
    uint32_t *v = coarse_words(j), low = 0, high = 0;
    for (uint32_t i = 1; i < j->n; i++) {
        low = v[i] < v[low] ? i : low;
        high = v[i] > v[high] ? i : high;
    }
    want[0] = j->n ? v[low] : UINT32_MAX;
    want[2] = j->n ? v[high] : 0;
    want[1] = want[3] = 0;
    want[4] = j->n ? low : UINT32_MAX;
    want[5] = j->n ? high : UINT32_MAX;
    free(v);
}

/* X(verb, further members) */
static const uint32_t once_at[] = {1};
static const struct sizes sizes_of_trial = {once_at, 1, 1};

static inline void record_trial(struct job *j)
{
    double zeros[TRIAL_CASES] = {0};
    uint32_t words[TRIAL_WORDS];
    for (uint32_t i = 0; i < TRIAL_WORDS; i++)
        words[i] = i < 256 * TRIAL_GROUPS ? TRIAL_WRONG : 0;
    reals zero = reals_at(put(j, zeros, TRIAL_CASES, "operands"));
    const struct memory *fused = compared(j, new_reals(j, TRIAL_CASES, "sums"), j->p, TRIAL_CASES);
    const struct memory *places = put_words(j, words, TRIAL_WORDS, "words of a trial");
    run(&j->r, trial, TRIAL_GROUPS, .a = zero, .b = zero, .c = zero, .fused = reals_at(fused),
        .words = words_at(compared_words(j, places, 256 * TRIAL_GROUPS)), .polls = 0);
}

static inline void expect_trial(const struct job *j, double *want)
{
    (void)j;
    for (uint32_t i = 0; i < TRIAL_CASES; i++)
        want[i] = 0;
    for (uint32_t i = 0; i < 256 * TRIAL_GROUPS; i++)
        want[TRIAL_CASES + TRIAL_PLACES + i] = i % 256;
}

#define PRIMITIVE_CASES(X)                     \
    X(trial, .sizes = &sizes_of_trial)         \
    X(fill_words, .once = false)               \
    X(reduce_real, .check = check_reduce_real) \
    X(reduce_u32, .words = true)               \
    X(min_max_real, .once = false)             \
    X(min_max_u32, .words = true)

#endif
