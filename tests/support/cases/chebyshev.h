/* The cases of the kernels of the Chebyshev preconditioner, through their arguments. */
#ifndef VKS_TESTS_CHEBYSHEV_CASES_H
#define VKS_TESTS_CHEBYSHEV_CASES_H

#include "tests/support/job.h"

/* The magnitudes of x, at least one. */
static inline double *positive(const struct job *j)
{
    double *d = room(j->n + (size_t)1, 8);
    for (uint32_t i = 0; i < j->n; i++)
        d[i] = fabs(j->x[i]);
    return d;
}

static inline void record_start_of(struct job *j, bool varies)
{
    double *d = positive(j);
    const struct memory *r = compared(j, new_reals(j, j->n, "r"), j->p, j->n);
    run(&j->r, lanczos_start, groups_each(j->n), .d = reals_at(put(j, d, j->n + (uint64_t)1, "d")),
        .r = reals_at(r), .n = j->n, .varies = varies);
    free(d);
}

/* Uses 24 bits of the finalizer of MurmurHash3. */
static inline void expect_start_of(const struct job *j, bool varies, double *want)
{
    double *d = positive(j);
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t h = i + 1;
        h ^= h >> 16;
        h *= 0x85EBCA6Bu;
        h ^= h >> 13;
        h *= 0xC2B2AE35u;
        h ^= h >> 16;
        want[i] = rounded(j->p, (ldexp(h >> 8, -23) - 1) / rounded(j->p, sqrt(d[varies ? i : 0])));
    }
    free(d);
}

static inline void record_lanczos_start(struct job *j)
{
    record_start_of(j, true);
}

static inline void expect_lanczos_start(const struct job *j, double *want)
{
    expect_start_of(j, true, want);
}

static inline void record_lanczos_start_of_one(struct job *j)
{
    record_start_of(j, false);
}

static inline void expect_lanczos_start_of_one(const struct job *j, double *want)
{
    expect_start_of(j, false, want);
}

/* r.z and z.u */
static const double lanczos_found[] = {7.123456789, -0.987654321};

/* r and u are those of the job, and q is u. */
static inline void record_lanczos_of(struct job *j, bool first)
{
    const struct memory *found = put(j, lanczos_found, 2, "r.z and z.u"), *u = put(j, j->y, j->n, "u");
    const struct memory *r = compared(j, put(j, j->x, j->n, "r"), j->p, j->n);
    const struct memory *q = compared(j, put(j, j->y, j->n, "q"), j->p, j->n);
    run(&j->r, lanczos_step, groups_each(j->n), .found = reals_at(found), .r = reals_at(r), .u = reals_at(u),
        .q = reals_at(q), .n = j->n, .first = first);
}

static inline void expect_lanczos_of(const struct job *j, bool first, double *want)
{
    enum precision p = j->p;
    double rz = rounded(p, lanczos_found[0]), zu = rounded(p, lanczos_found[1]);
    double beta = rounded(p, sqrt(rz)), inverse = rounded(p, 1 / beta), alpha = rounded(p, zu / rz);
    for (uint32_t i = 0; i < j->n; i++) {
        double next = rounded(p, inverse * j->x[i]);
        double e = rounded(p, rounded(p, inverse * j->y[i]) - rounded(p, alpha * next));
        want[i] = first ? e : rounded(p, e - rounded(p, beta * j->y[i]));
        want[j->n + i] = next;
    }
}

static inline void record_lanczos_step(struct job *j)
{
    record_lanczos_of(j, false);
}

static inline void expect_lanczos_step(const struct job *j, double *want)
{
    expect_lanczos_of(j, false, want);
}

static inline void record_lanczos_first_step(struct job *j)
{
    record_lanczos_of(j, true);
}

static inline void expect_lanczos_first_step(const struct job *j, double *want)
{
    expect_lanczos_of(j, true, want);
}

static const uint32_t squads_at[] = {0, 1, 2, 7, 8, 9, 31, 33, 255, 257, 1000, 4097};
static const struct sizes sizes_of_squads = {squads_at, sizeof squads_at / sizeof *squads_at, 7};

/* The ratios are the magnitudes of x, and the middle one is declared the worst. */
static inline void record_collatz_quotients(struct job *j)
{
    const struct csr *A = put_matrix(j);
    double *ratio = positive(j);
    uint32_t worst = j->n / 2;
    const struct memory *ratios = put(j, ratio, j->n, "ratios"), *at = put_words(j, &worst, 1, "a row");
    run(&j->r, collatz_quotients, groups_rows(j->n, csr_whole_lanes(A)), .row = A->row, .col = A->col,
        .val = A->val, .ratio = reals_at(ratios), .worst = words_at(at),
        .quotient = reals_at(compared(j, new_reals(j, j->n, "quotients"), j->p, j->n)), .n = j->n,
        .lanes = csr_whole_lanes(A));
    free(ratio);
}

static inline void expect_collatz_quotients(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    double *v = positive(j), least = 0;
    for (uint32_t i = 0; i < j->n; i++)
        v[i] = rounded(j->p, 1 + v[i]);
    least = rounded(j->p, v[j->n / 2] / 1024);
    for (uint32_t i = 0; i < j->n; i++) {
        double lanes[32] = {0}, own = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            double *lane = &lanes[(k - A->row[i]) % 32];
            double term = rounded(j->p, fabs(A->val[k]) * fmax(v[A->col[k]], least));
            *lane = rounded(j->p, *lane + term);
            own = A->col[k] == i ? term : own;
        }
        for (int half = 16; half >= 1; half /= 2)
            for (int l = 0; l < half; l++)
                lanes[l] = rounded(j->p, lanes[l] + lanes[l + half]);
        want[i] = rounded(j->p, lanes[0] / own);
    }
    free(v);
}

#define CHEBYSHEV_CASES(X)                                          \
    X(collatz_quotients, .sizes = &sizes_of_squads, .sparse = true) \
    X(lanczos_start, .once = false)                                 \
    X(lanczos_start_of_one, .once = false)                          \
    X(lanczos_step, .once = true)                                   \
    X(lanczos_first_step, .once = true)

#endif
