/* The cases of the kernels of products whose rows feed an operation on vectors, through their verbs. */
#ifndef VKS_TESTS_THEN_CASES_H
#define VKS_TESTS_THEN_CASES_H

#include "tests/support/cases/bsr.h"
#include "tests/support/cases/coded.h"
#include "tests/support/cases/slices.h"

static const double then_weight = 0.7123456789;

/* The definition: y, and z if there is one, for a row whose sum is s. */
static inline double expect_row(enum precision p, uint32_t form, double s, double x, double b, double d,
                                double *z)
{
    double w = rounded(p, then_weight);
    switch (form) {
    case PRODUCT_STEP:
        return rounded(p, x + rounded(p, w * rounded(p, d * rounded(p, b - s))));
    case PRODUCT_RESIDUAL:
        return rounded(p, b - s);
    case PRODUCT_ADD:
        return rounded(p, b + s);
    default:
        *z = rounded(p, w * rounded(p, d * s));
        return s;
    }
}

/* The form that a size selects. */
static inline uint32_t form_of(const struct job *j)
{
    return j->n % 4;
}

static inline bool varies_of(const struct job *j)
{
    return j->n / 4 % 2;
}

/* d: the values of the job in reverse order, and one more. */
static inline double *diagonal_of_job(const struct job *j)
{
    double *d = room(j->n + (size_t)1, 8);
    for (uint32_t i = 0; i < j->n; i++)
        d[i] = j->y[j->n - 1 - i];
    return d;
}

/* b is y of the job. y and z are compared. */
static inline struct product_then put_then(struct job *j, uint32_t cols)
{
    double *d = diagonal_of_job(j);
    struct product_then t = {.form = form_of(j), .varies = varies_of(j)};
    computing(j);
    t.w = number_at(put(j, &then_weight, 1, "w"));
    t.d = reals_at(put(j, d, j->n + (uint64_t)1, "d"));
    t.x = vec_in(put(j, j->x, cols, "x"), cols, j->p);
    t.b = job_vec(j, put(j, j->y, j->n, "b"));
    t.y = job_vec(j, compared(j, new_reals(j, j->n, "y"), j->p, j->n));
    if (t.form == PRODUCT_SCALED)
        t.z = job_vec(j, compared(j, new_reals(j, j->n, "z"), j->p, j->n));
    free(d);
    return t;
}

static inline void expect_then(const struct job *j, const struct host_csr *A, double *want)
{
    double *d = diagonal_of_job(j), none;
    bool scaled = form_of(j) == PRODUCT_SCALED;
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = expect_row(j->p, form_of(j), canonical_row(j->p, A, j->x, i, j->lanes), j->x[i], j->y[i],
                             d[varies_of(j) ? i : 0], scaled ? &want[j->n + i] : &none);
    free(d);
}

static inline void record_spmv_csr_then(struct job *j)
{
    const struct csr *A = put_matrix(j);
    struct product_then t = put_then(j, A->cols);
    spmv_csr_then(&j->r, A, &t);
}

static inline void expect_spmv_csr_then(const struct job *j, double *want)
{
    expect_then(j, j->A, want);
}

static inline void record_spmv_sell_then(struct job *j)
{
    const struct sell *A = put_slices(j);
    struct product_then t = put_then(j, A->cols);
    spmv_sell_then(&j->r, A, &t);
}

static inline void expect_spmv_sell_then(const struct job *j, double *want)
{
    expect_then(j, j->A, want);
}

static inline void record_spmv_slices_then(struct job *j)
{
    const struct sell *A = put_slices(j);
    struct product_then t = put_then(j, A->cols);
    spmv_slices_then(&j->r, A, &t);
}

static inline void expect_spmv_slices_then(const struct job *j, double *want)
{
    expect_then(j, j->A, want);
}

static inline void record_spmv_bsr_then(struct job *j)
{
    const struct bsr *A = put_blocks(j);
    struct product_then t = put_then(j, A->cols);
    spmv_bsr_then(&j->r, A, &t);
}

static inline void expect_spmv_bsr_then(const struct job *j, double *want)
{
    expect_then(j, j->A, want);
}

static inline void record_spmv_coded_then(struct job *j)
{
    const struct sell *A = put_coded(j);
    struct product_then t = put_then(j, A->cols);
    spmv_coded_then(&j->r, A, &t);
}

static inline void expect_spmv_coded_then(const struct job *j, double *want)
{
    uint32_t count;
    struct host_csr B = few_kinds(j, &count);
    want[0] = 0;
    expect_then(j, &B, want + 1);
    host_csr_free(&B);
}

/* q is x of the job in reverse order. */
static inline void record_product_then(struct job *j)
{
    double *q = room(j->n, 8);
    for (uint32_t i = 0; i < j->n; i++)
        q[i] = j->x[j->n - 1 - i];
    struct product_then t = put_then(j, j->n);
    run(&j->r, product_then, groups_each(j->n), .q = reals_at(put(j, q, j->n, "q")), .n = j->n,
        THEN_ARGS(&t));
    free(q);
}

static inline void expect_product_then(const struct job *j, double *want)
{
    double *d = diagonal_of_job(j), none;
    bool scaled = form_of(j) == PRODUCT_SCALED;
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = expect_row(j->p, form_of(j), j->x[j->n - 1 - i], j->x[i], j->y[i], d[varies_of(j) ? i : 0],
                             scaled ? &want[j->n + i] : &none);
    free(d);
}

#define THEN_CASES(X)                                                                                   \
    X(product_then, .once = false)                                                                      \
    X(spmv_csr_then, .sparse = true)                                                                    \
    X(spmv_sell_then, .sizes = &sizes_of_slow, .sparse = true, .shape = {.compact = true})              \
    X(spmv_slices_then, .sizes = &sizes_of_slow, .sparse = true, .shape = {.height = 64, .sigma = 256}) \
    X(spmv_coded_then, .sizes = &sizes_of_slow, .sparse = true)                                         \
    X(spmv_bsr_then, .sizes = &sizes_of_slow, .sparse = true)

#endif
