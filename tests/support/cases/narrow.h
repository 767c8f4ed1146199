/* The cases of the kernels that store values in f32, and restore them. */
#ifndef VKS_TESTS_NARROW_CASES_H
#define VKS_TESTS_NARROW_CASES_H

#include "tests/support/job.h"
#include "tests/support/narrow_oracle.h"

/* The bits of values that survive, some of them special. */
static inline double surviving(const struct job *j, uint32_t i)
{
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, FLT_MIN, -FLT_MIN};
    uint32_t w = j->words[i];
    return w % 3 == 0 ? special[w / 3 % 8] : j->x[i];
}

/* The first value that does not survive, or n. */
static inline uint32_t first_lost(const struct job *j)
{
    return j->n ? j->words[j->n - 1] % (j->n + 1) : 0;
}

static inline double value_to_narrow(const struct job *j, uint32_t i)
{
    static const double lost[] = {NAN,      0.1,       FLT_MAX * 2.0, FLT_MIN / 2,
                                  0x1p-149, 0x1p-1074, 1 + 0x1p-52,   -1e300};
    uint32_t w = j->words[i];
    bool is = i == first_lost(j) || (i > first_lost(j) && w % 2 == 0);
    return is ? lost[w / 2 % 8] : surviving(j, i);
}

static inline void record_narrowing(struct job *j, bool all_survive)
{
    uint32_t none = UINT32_MAX;
    double *v = room(j->n, sizeof *v);
    for (uint32_t i = 0; i < j->n; i++)
        v[i] = all_survive ? surviving(j, i) : value_to_narrow(j, i);
    const struct memory *from = put_as(j, PRECISION_F64, v, j->n, "values"),
                        *lost = put_words(j, &none, 1, "a number"),
                        *to = new_bytes(j, 4 * (uint64_t)j->n, "narrow values");
    compared_words(j, lost, 1);
    if (all_survive)
        compared_words(j, to, j->n);
    run(&j->r, narrow_values, groups_each(j->n), .from = words_at(from), .to = words_at(to),
        .lost = words_at(lost), .n = j->n);
    free(v);
}

static inline void record_narrow_values(struct job *j)
{
    record_narrowing(j, true);
}

static inline void expect_narrow_values(const struct job *j, double *want)
{
    want[0] = UINT32_MAX;
    for (uint32_t i = 0; i < j->n; i++)
        want[1 + i] = float_bits(surviving(j, i));
}

static inline void record_narrow_lost(struct job *j)
{
    record_narrowing(j, false);
}

static inline void expect_narrow_lost(const struct job *j, double *want)
{
    uint32_t first = 0;
    while (first < j->n && survives_naively(value_to_narrow(j, first)))
        first++;
    cr_assert_eq(first, first_lost(j));
    want[0] = first < j->n ? first : UINT32_MAX;
}

/* Floats of all kinds: values that survive, denormals from the least to the largest, and NaNs. */
static inline uint32_t float_to_widen(const struct job *j, uint32_t i)
{
    uint32_t sign = i / 3 % 2 << 31;
    if (i % 3 == 0)
        return float_bits(surviving(j, i));
    return i % 3 == 1 ? sign | 0x7FFFFFu >> i / 6 % 23 : sign | (i % 6 == 2 ? 0x7F800001u : 0x7FC00000u + i);
}

static inline void record_widen_values(struct job *j)
{
    uint32_t *words = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++)
        words[i] = float_to_widen(j, i);
    const struct memory *from = put_words(j, words, j->n, "narrow values"),
                        *to = new_bytes(j, 8 * (uint64_t)j->n, "values");
    compared_words(j, to, 2 * (uint64_t)j->n);
    run(&j->r, widen_values, groups_each(j->n), .from = words_at(from), .to = words_at(to), .n = j->n);
    free(words);
}

static inline void expect_widen_values(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t word = float_to_widen(j, i);
        float narrow;
        memcpy(&narrow, &word, sizeof narrow);
        unsigned long long nan = (unsigned long long)(word >> 31) << 63 | 0x7FF8ull << 48,
                           bits = isnan(narrow) ? nan : bits_of((double)narrow);
        want[2 * (size_t)i] = (double)(bits & UINT32_MAX);
        want[2 * (size_t)i + 1] = (double)(bits >> 32);
    }
}

#define NARROW_CASES(X)             \
    X(narrow_values, .words = true) \
    X(narrow_lost, .words = true)   \
    X(widen_values, .words = true)

#endif
