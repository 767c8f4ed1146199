/* Batches of small systems for the tests, in host memory, and their solves. */
#ifndef VKS_TESTS_BATCH_H
#define VKS_TESTS_BATCH_H

#include "tests/support/context.h"
#include "tests/support/matrix.h"
#include "vksolve/batch.h"

enum { MOST_SYSTEMS = 48 };

/* Systems, and their b and x one after the other. */
struct systems {
    enum precision p;
    uint32_t count, rows;
    struct host_csr A[MOST_SYSTEMS];
    uint32_t first[MOST_SYSTEMS + 1];
    double *b, *x;
    vks_batch_report report[MOST_SYSTEMS];
};

static inline void systems_free(struct systems *s)
{
    for (uint32_t k = 0; k < s->count; k++)
        host_csr_free(&s->A[k]);
    free(s->b);
    free(s->x);
}

/* Random positive definite systems of n[0], n[1] ... rows, each with another pattern. x is zero. */
static inline struct systems systems_of(enum precision p, const uint32_t *n, uint32_t count)
{
    struct systems s = {.p = p, .count = count};
    cr_assert_leq(count, MOST_SYSTEMS);
    for (uint32_t k = 0; k < count; k++) {
        s.A[k] = random_spd(p, n[k], k + 1);
        s.first[k + 1] = s.first[k] + n[k];
    }
    s.rows = s.first[count];
    s.b = random_vector(p, s.rows, 2, count);
    s.x = room(s.rows, 8);
    return s;
}

/* The same number of rows in all systems. */
static inline struct systems equal_systems(enum precision p, uint32_t n, uint32_t count)
{
    uint32_t sizes[MOST_SYSTEMS];
    for (uint32_t k = 0; k < count; k++)
        sizes[k] = n;
    return systems_of(p, sizes, count);
}

/* Gives all systems the pattern of the first one, with other values. */
static inline void share_pattern(struct systems *s)
{
    uint64_t seed = 7;
    for (uint32_t k = 1; k < s->count; k++) {
        host_csr_free(&s->A[k]);
        s->A[k] = random_spd(s->p, s->A[0].rows, 1);
        for (uint32_t i = 0; i < s->A[k].rows; i++)
            for (uint32_t e = s->A[k].row[i]; e < s->A[k].row[i + 1]; e++)
                if (s->A[k].col[e] == i)
                    s->A[k].val[e] = rounded(s->p, s->A[k].val[e] + fabs(random_wide(&seed, s->p, 2)));
    }
}

/* The entry (i, j), which must exist. */
static inline double *entry_of(struct host_csr *A, uint32_t i, uint32_t j)
{
    for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++)
        if (A->col[e] == j)
            return &A->val[e];
    cr_assert_fail("no entry (%u, %u)", i, j);
    return NULL;
}

static inline vks_batch_options batch_options(enum precision p)
{
    return (vks_batch_options){.precision = public_precision(p)};
}

/* A batch with the patterns of the systems. */
static inline vks_status create_batch(vks_context *c, const struct systems *s, const vks_batch_options *o,
                                      vks_batch **batch)
{
    vks_batch_system of[MOST_SYSTEMS];
    for (uint32_t k = 0; k < s->count; k++)
        of[k] = (vks_batch_system){s->A[k].rows, s->A[k].row, s->A[k].col, s->A[k].val};
    return vks_batch_create_of(c, s->count, of, VKS_F64, o, batch);
}

/* The values of all systems, one after the other. */
static inline double *joined_values(const struct systems *s)
{
    size_t entries = 0;
    for (uint32_t k = 0; k < s->count; k++)
        entries += s->A[k].row[s->A[k].rows];
    double *v = room(entries, 8), *to = v;
    for (uint32_t k = 0; k < s->count; k++) {
        memcpy(to, s->A[k].val, s->A[k].row[s->A[k].rows] * sizeof *to);
        to += s->A[k].row[s->A[k].rows];
    }
    return v;
}

/* Solves from s->x, and writes s->x and the reports. */
static inline void run_batch(vks_context *c, vks_batch *batch, struct systems *s)
{
    OWNED(vks_vector) *b = vector_of(c, s->p, s->b, s->rows), *x = vector_of(c, s->p, s->x, s->rows);
    must_work(c, vks_batch_solve(batch, b, x, s->report));
    must_work(c, vks_vector_read(x, 0, s->rows, VKS_F64, s->x));
}

static inline void solve_systems(vks_context *c, struct systems *s, const vks_batch_options *o)
{
    OWNED(vks_batch) *batch = NULL;
    must_work(c, create_batch(c, s, o, &batch));
    run_batch(c, batch, s);
}

/* ||b - A x|| / ||b|| of system k, in long double. */
static inline double residual_of_system(const struct systems *s, uint32_t k)
{
    const struct host_csr *A = &s->A[k];
    const double *b = s->b + s->first[k], *x = s->x + s->first[k];
    long double rr = 0, bb = 0;
    for (uint32_t i = 0; i < A->rows; i++) {
        long double r = b[i];
        for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++)
            r -= (long double)A->val[e] * x[A->col[e]];
        rr += r * r;
        bb += (long double)b[i] * b[i];
    }
    return rr == 0 ? 0 : (double)sqrtl(rr / bb);
}

/* Each x and report of two solves have the same bits. */
static inline void must_agree(const struct systems *s, const struct systems *t, const char *what)
{
    must_equal(s->x, t->x, s->rows, what);
    for (uint32_t k = 0; k < s->count; k++) {
        const vks_batch_report *a = &s->report[k], *b = &t->report[k];
        cr_expect(a->reason == b->reason && a->iterations == b->iterations && a->row == b->row &&
                      a->restarts == b->restarts && same_bits(a->true_residual, b->true_residual) &&
                      same_bits(a->residual, b->residual),
                  "%s: system %u ended as %s after %u, and %s after %u", what, k, vks_reason_name(a->reason),
                  a->iterations, vks_reason_name(b->reason), b->iterations);
    }
}

/* A copy, without a solution. */
static inline struct systems systems_copy(const struct systems *s)
{
    struct systems t = *s;
    t.b = room(s->rows, 8);
    t.x = room(s->rows, 8);
    memcpy(t.b, s->b, s->rows * sizeof *t.b);
    for (uint32_t k = 0; k < s->count; k++) {
        const struct host_csr *A = &s->A[k];
        t.A[k] = new_csr(A->rows, A->cols, A->row[A->rows]);
        memcpy(t.A[k].row, A->row, ((size_t)A->rows + 1) * sizeof *A->row);
        memcpy(t.A[k].col, A->col, A->row[A->rows] * sizeof *A->col);
        memcpy(t.A[k].val, A->val, A->row[A->rows] * sizeof *A->val);
    }
    return t;
}

#endif
