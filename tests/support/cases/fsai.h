/* The cases of the kernels of FSAI, through their arguments. */
#ifndef VKS_TESTS_FSAI_CASES_H
#define VKS_TESTS_FSAI_CASES_H

#include "tests/support/fsai_oracle.h"

/* The matrix of the oracle on the device. */
static inline const struct csr *fsai_put(struct job *j, const struct fsai_oracle *o)
{
    const struct host_csr *before = j->A;
    j->A = &o->A;
    const struct csr *A = put_matrix(j);
    j->A = before;
    return A;
}

static inline void record_fsai_grow_of(struct job *j, bool positive)
{
    struct fsai_oracle o = fsai_oracle(j, positive);
    const struct csr *A = fsai_put(j, &o);
    uint32_t *ones = room(j->n, 4), *zeros = room((size_t)j->n * FSAI_STRIDE, 4);
    for (uint32_t i = 0; i < j->n; i++)
        ones[i] = 1;
    reals weight = reals_at(put(j, o.weight, j->n, "weights")),
          size = reals_at(put(j, o.size, j->n, "sizes"));
    uint64_t places = (uint64_t)j->n * FSAI_STRIDE;
    const struct memory *count = compared_words(j, put_words(j, ones, j->n, "counts"), j->n);
    const struct memory *ended = compared_words(j, put_words(j, zeros, j->n, "ended"), j->n);
    const struct memory *S = compared_words(j, put_words(j, zeros, places, "columns"), places);
    double *none = room(places, 8);
    const struct memory *x = compared(j, put(j, none, places, "values"), j->p, places);
    for (int step = 0; step < FSAI_STEPS; step++)
        run(&j->r, fsai_grow, groups_rows(j->n, 32), .row = A->row, .col = A->col, .val = A->val,
            .weight = weight, .size = size, .count = words_at(count), .ended = words_at(ended),
            .s_col = words_at(S), .s_val = reals_at(x), .n = j->n, .stride = FSAI_STRIDE, .add = FSAI_ADD,
            .positive = positive);
    free(none);
    free(ones);
    free(zeros);
    fsai_oracle_free(&o);
}

static inline void expect_fsai_grow_of(const struct job *j, bool positive, double *want)
{
    struct fsai_oracle o = fsai_oracle(j, positive);
    size_t n = j->n, places = n * FSAI_STRIDE;
    for (size_t i = 0; i < n; i++) {
        want[i] = o.count[i];
        want[n + i] = o.ended[i];
    }
    for (size_t k = 0; k < places; k++) {
        want[2 * n + k] = o.S[k];
        want[2 * n + places + k] = o.x[k];
    }
    fsai_oracle_free(&o);
}

static inline void record_fsai_values_of(struct job *j, bool positive)
{
    struct fsai_oracle o = fsai_oracle(j, positive);
    const struct csr *A = fsai_put(j, &o);
    uint32_t entries = o.f_row[j->n];
    run(&j->r, fsai_values, groups_rows(j->n, 32), .row = A->row, .col = A->col, .val = A->val,
        .size = reals_at(put(j, o.size, j->n, "sizes")),
        .f_row = words_at(put_words(j, o.f_row, j->n + (uint64_t)1, "offsets")),
        .f_col = words_at(put_words(j, o.f_col, entries, "columns")),
        .f_val = reals_at(compared(j, new_reals(j, entries, "values"), j->p, entries)), .n = j->n,
        .most = FSAI_STRIDE, .positive = positive);
    fsai_oracle_free(&o);
}

static inline void expect_fsai_values_of(const struct job *j, bool positive, double *want)
{
    struct fsai_oracle o = fsai_oracle(j, positive);
    memcpy(want, o.f_val, o.f_row[j->n] * sizeof *want);
    fsai_oracle_free(&o);
}

static inline void record_scale(struct job *j, const struct fsai_oracle *o, bool positive,
                                const struct memory *l_val)
{
    static const uint32_t none[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    const struct csr *A = fsai_put(j, o);
    uint32_t entries = o->f_row[j->n];
    u32s row = words_at(put_words(j, o->f_row, j->n + (uint64_t)1, "offsets"));
    u32s col = words_at(put_words(j, o->f_col, entries, "columns"));
    run(&j->r, fsai_scale, groups_rows(j->n, 32), .row = A->row, .col = A->col, .val = A->val,
        .size = reals_at(put(j, o->size, j->n, "sizes")), .l_row = row, .l_col = col,
        .l_val = reals_at(l_val), .u_row = row, .u_col = col,
        .u_val = reals_at(put(j, o->f_val, entries, "values")),
        .flags = words_at(compared_words(j, put_words(j, none, 4, "flags"), 4)), .n = j->n,
        .positive = positive, .root = positive);
}

static inline void record_fsai_scale_of(struct job *j, bool positive)
{
    struct fsai_oracle o = fsai_oracle(j, positive);
    uint32_t entries = o.f_row[j->n];
    record_scale(j, &o, positive, compared(j, put(j, o.f_val, entries, "values"), j->p, entries));
    fsai_oracle_free(&o);
}

static inline void expect_fsai_scale_of(const struct job *j, bool positive, double *want)
{
    struct fsai_oracle o = fsai_oracle(j, positive);
    uint32_t entries = o.f_row[j->n];
    memcpy(want, o.scaled, entries * sizeof *want);
    for (uint32_t k = 0; k < 4; k++)
        want[entries + k] = UINT32_MAX;
    fsai_oracle_free(&o);
}

/* The diagonal elements of the last row and of a middle one are infinite. */
static inline void record_fsai_scale_overflow(struct job *j)
{
    struct fsai_oracle o = fsai_oracle(j, true);
    uint32_t entries = o.f_row[j->n];
    double *l_val = room(entries, 8);
    memcpy(l_val, o.f_val, entries * sizeof *l_val);
    if (entries)
        l_val[o.f_row[j->n / 2 + 1] - 1] = l_val[entries - 1] = INFINITY;
    record_scale(j, &o, true, put(j, l_val, entries, "values"));
    free(l_val);
    fsai_oracle_free(&o);
}

static inline void expect_fsai_scale_overflow(const struct job *j, double *want)
{
    want[0] = want[1] = want[2] = UINT32_MAX;
    want[3] = j->n ? j->n / 2 : UINT32_MAX;
}

static inline void record_fsai_rows(struct job *j)
{
    struct fsai_oracle o = fsai_oracle(j, true);
    uint32_t entries = o.f_row[j->n];
    run(&j->r, fsai_rows, groups_rows(j->n, 32),
        .row = words_at(put_words(j, o.f_row, j->n + (uint64_t)1, "offsets")),
        .col = words_at(compared_words(j, new_bytes(j, 4 * (uint64_t)entries, "columns"), entries)),
        .s_col = words_at(put_words(j, o.S, (uint64_t)j->n * FSAI_STRIDE, "columns")), .n = j->n,
        .stride = FSAI_STRIDE);
    fsai_oracle_free(&o);
}

static inline void expect_fsai_rows(const struct job *j, double *want)
{
    struct fsai_oracle o = fsai_oracle(j, true);
    for (uint32_t k = 0; k < o.f_row[j->n]; k++)
        want[k] = o.f_col[k];
    fsai_oracle_free(&o);
}

static inline void record_fsai_weights_of(struct job *j, bool positive)
{
    static const uint32_t none[] = {UINT32_MAX, UINT32_MAX};
    struct fsai_oracle o = fsai_oracle(j, positive);
    const struct csr *A = fsai_put(j, &o);
    run(&j->r, fsai_weights, groups_each(j->n), .row = A->row, .col = A->col, .val = A->val,
        .most = put_values(j, o.most, j->n, "maxima"),
        .weight = reals_at(compared(j, new_reals(j, j->n, "weights"), j->p, j->n)),
        .size = reals_at(compared(j, new_reals(j, j->n, "sizes"), j->p, j->n)),
        .flags = words_at(compared_words(j, put_words(j, none, 2, "flags"), 2)), .n = j->n,
        .positive = positive);
    fsai_oracle_free(&o);
}

static inline void expect_fsai_weights_of(const struct job *j, bool positive, double *want)
{
    struct fsai_oracle o = fsai_oracle(j, positive);
    memcpy(want, o.weight, j->n * sizeof *want);
    memcpy(want + j->n, o.size, j->n * sizeof *want);
    want[2 * (size_t)j->n] = want[2 * (size_t)j->n + 1] = UINT32_MAX;
    fsai_oracle_free(&o);
}

/* One entry in the middle is infinite, and one before the last is NaN. */
static inline void record_fsai_finite(struct job *j)
{
    static const uint32_t none[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    struct fsai_oracle o = fsai_oracle(j, true);
    uint32_t entries = o.A.row[j->n];
    if (entries) {
        o.A.val[entries / 2] = INFINITY;
        o.A.val[entries - 1] = NAN;
    }
    const struct csr *A = fsai_put(j, &o);
    run(&j->r, fsai_finite, groups_each(entries), .row = A->row, .val = A->val,
        .flags = words_at(compared_words(j, put_words(j, none, 3, "flags"), 3)), .n = j->n,
        .entries = entries);
    fsai_oracle_free(&o);
}

static inline void expect_fsai_finite(const struct job *j, double *want)
{
    struct host_csr A = random_spd(stored_precision(j->p), j->n, 3);
    want[0] = want[1] = want[2] = UINT32_MAX;
    for (uint32_t i = j->n; i-- > 0;)
        if (A.row[i] <= A.row[j->n] / 2 && A.row[j->n] / 2 < A.row[i + 1])
            want[2] = i;
    host_csr_free(&A);
}

#define FSAI_BOTH(kernel)                                                          \
    static inline void record_##kernel(struct job *j)                              \
    {                                                                              \
        record_##kernel##_of(j, true);                                             \
    }                                                                              \
    static inline void expect_##kernel(const struct job *j, double *want)          \
    {                                                                              \
        expect_##kernel##_of(j, true, want);                                       \
    }                                                                              \
    static inline void record_##kernel##_of_any(struct job *j)                     \
    {                                                                              \
        record_##kernel##_of(j, false);                                            \
    }                                                                              \
    static inline void expect_##kernel##_of_any(const struct job *j, double *want) \
    {                                                                              \
        expect_##kernel##_of(j, false, want);                                      \
    }
FSAI_BOTH(fsai_grow)
FSAI_BOTH(fsai_values)
FSAI_BOTH(fsai_scale)
FSAI_BOTH(fsai_weights)

static const uint32_t fsai_at[] = {0, 1, 2, 7, 8, 9, 31, 33, 255, 257, 513};
static const struct sizes sizes_of_fsai = {fsai_at, sizeof fsai_at / sizeof *fsai_at, 7};

#define FSAI_CASES(X)                                           \
    X(fsai_finite, .sizes = &sizes_of_fsai)                     \
    X(fsai_weights, .sizes = &sizes_of_fsai)                    \
    X(fsai_weights_of_any, .sizes = &sizes_of_fsai)             \
    X(fsai_grow, .sizes = &sizes_of_fsai, .once = true)         \
    X(fsai_grow_of_any, .sizes = &sizes_of_fsai, .once = true)  \
    X(fsai_rows, .sizes = &sizes_of_fsai, .words = true)        \
    X(fsai_values, .sizes = &sizes_of_fsai)                     \
    X(fsai_values_of_any, .sizes = &sizes_of_fsai)              \
    X(fsai_scale, .sizes = &sizes_of_fsai, .once = true)        \
    X(fsai_scale_of_any, .sizes = &sizes_of_fsai, .once = true) \
    X(fsai_scale_overflow, .sizes = &sizes_of_fsai, .once = true)

#endif
