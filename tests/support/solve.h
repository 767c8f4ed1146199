/* One solve, with everything checked that must hold for every solve: above all that the reported residual is
 * that of the returned x. */
#ifndef VKS_TESTS_SOLVE_H
#define VKS_TESTS_SOLVE_H

#include "tests/support/context.h"
#include "tests/support/matrix.h"
#include "tests/support/oracle.h"
#include "vector/vector.h"
#include "vksolve/solver.h"

struct solved {
    vks_solve_report report;
    double *x;
    double *history; /* history_count values */
    bool in_pairs;   /* f64 was emulated by pairs of floats, since the device lacks it */
};

static inline void solved_free(struct solved *s)
{
    free(s->x);
    free(s->history);
}

/* A x = b from x0 (NULL: zero) in precision p. The values of A, b and x0 are representable in it. */
struct problem {
    const struct host_csr *A;
    const double *b, *x0;
    enum precision p;
    vks_solve_options options; /* the method's default: vks_cg_solve */
};

/* The bound on the error of the residual if computed in double: each row's rounding errors, with a margin. */
static inline double residual_slack(const struct problem *q, const double *x)
{
    long double square = 0, bb = 0;
    for (uint32_t i = 0; i < q->A->rows; i++) {
        long double row = fabs(q->b[i]);
        for (uint32_t k = q->A->row[i]; k < q->A->row[i + 1]; k++)
            row += fabsl((long double)q->A->val[k] * x[q->A->col[k]]);
        row *= q->A->row[i + 1] - q->A->row[i] + 2;
        square += row * row;
        bb += (long double)q->b[i] * q->b[i];
    }
    return bb > 0 ? (double)(0x1p-53L * sqrtl(square / bb)) : 0;
}

/* The tolerance relative to ||b||. */
static inline double tolerance(const struct problem *q)
{
    long double bb = 0;
    for (uint32_t i = 0; i < q->A->rows; i++)
        bb += (long double)q->b[i] * q->b[i];
    double rtol = q->options.rtol > 0 ? q->options.rtol : q->p == PRECISION_F32 ? 1e-5 : 1e-8;
    double atol = bb > 0 ? (double)(q->options.atol / sqrtl(bb)) : 0;
    return rtol > atol ? rtol : atol;
}

static inline void check_true_residual(const struct problem *q, const struct solved *s)
{
    double own = precise_residual(q->A, s->x, q->b), slack = 1e-9 * own + residual_slack(q, s->x);
    const vks_solve_report *r = &s->report;
    if (isnan(own) && r->reason == VKS_REASON_DIVERGED) {
        cr_assert(isnan(r->true_residual));
        return;
    }
    if (r->reason == VKS_REASON_SINGULAR && isnan(r->true_residual))
        return; /* elimination has found no x */
    cr_assert(fabs(r->true_residual - own) <= slack,
              "the true residual is %.17g, but %.17g was reported (%s)", own, r->true_residual,
              vks_reason_name(r->reason));
    bool by_other = strstr(r->warning, "rows of A differ") != NULL; /* the scaled norm */
    if (r->reason == VKS_REASON_CONVERGED)
        cr_assert(by_other || own <= tolerance(q) + slack,
                  "converged is what a true residual of %g was called, rtol %g", own, tolerance(q));
    else if (isnan(r->scaled_residual))
        cr_assert(own > tolerance(q) - slack, "%s is what a true residual of %g was called, rtol %g",
                  vks_reason_name(r->reason), own, tolerance(q));
}

static inline void check_history(const struct problem *q, const struct solved *s)
{
    const vks_solve_report *r = &s->report;
    uint32_t capacity = q->options.history_capacity;
    uint32_t looks = (r->iterations + r->history_step - 1) / r->history_step;
    if (r->reason == VKS_REASON_CANCELLED && r->history_step > 1)
        looks--; /* a sweep was done without a check */
    uint32_t count = looks < capacity ? looks : capacity;
    cr_assert_eq(r->history_count, count, "%u values of history after %u iterations", r->history_count,
                 r->iterations);
    bool left_the_range = r->reason == VKS_REASON_NOT_FINITE || r->reason == VKS_REASON_DIVERGED;
    for (uint32_t i = 0; i < count; i++)
        cr_assert(s->history[i] >= 0 || (left_the_range && isnan(s->history[i])), "history[%u] is %g", i,
                  s->history[i]);
    if (count && count == looks)
        cr_assert(same_bits(s->history[count - 1], r->residual),
                  "the last value of history is %g, the residual %g", s->history[count - 1], r->residual);
}

static inline void check_report(const struct problem *q, const struct solved *s)
{
    const vks_solve_report *r = &s->report;
    cr_assert_lt((unsigned)r->reason, VKS_REASON_COUNT_);
    if (q->options.max_iterations)
        cr_assert_leq(r->iterations, q->options.max_iterations);
    bool by_row = r->reason == VKS_REASON_ZERO_DIAGONAL;
    cr_assert(!by_row || r->row < q->A->rows, "row %u", r->row);
    if (r->reason == VKS_REASON_NOT_FINITE || r->reason == VKS_REASON_NOT_POSITIVE_DEFINITE || by_row)
        cr_assert(r->detail[0], "%s without a detail", vks_reason_name(r->reason));
    check_history(q, s);
    if (r->reason != VKS_REASON_NOT_FINITE)
        check_true_residual(q, s);
}

/* Solves in a format, checks, and returns the result. */
static inline struct solved solve_in(vks_context *c, const struct problem *q, vks_format format)
{
    const struct host_csr *A = q->A;
    struct solved s = {.x = room(A->rows, 8), .history = room(q->options.history_capacity, 8)};
    s.in_pairs = q->p != PRECISION_F32 && !c->device->info.f64;
    vks_solve_options o = q->options;
    vks_precision of_matrix = q->p == PRECISION_MIXED ? VKS_MIXED : public_precision(q->p);
    vks_matrix_options options = {.precision = of_matrix, .storage.format = format};
    vks_matrix *m = NULL;
    if (o.history_capacity)
        o.history = s.history;
    must_work(c, vks_matrix_from_csr(c, A->rows, A->rows, A->row, A->col, A->val, &options, &m));
    vks_vector *b = vector_of(c, q->p, q->b, A->rows), *x = vector_of(c, q->p, q->x0, A->rows);
    must_work(c, (o.method ? vks_solve : vks_cg_solve)(m, b, x, &o, &s.report));
    must_work(c, vks_vector_read(x, 0, A->rows, VKS_F64, s.x));
    guards_check(c->device);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(m);
    check_report(q, &s);
    return s;
}

static inline struct solved solve(vks_context *c, const struct problem *q)
{
    return solve_in(c, q, VKS_FORMAT_AUTO);
}

static inline void must_end(const struct solved *s, vks_reason reason)
{
    cr_expect_eq(s->report.reason, reason, "%s instead of %s (%s), %u iterations, true residual %g",
                 vks_reason_name(s->report.reason), vks_reason_name(reason), s->report.detail,
                 s->report.iterations, s->report.true_residual);
}

/* The two solves must be the same in every bit, unless one used pairs of floats. */
static inline void must_match(const struct solved *a, const struct solved *b, uint32_t n, const char *what)
{
    if (a->in_pairs != b->in_pairs)
        cr_skip_test("%s: one device has no 64-bit floats", what);
    cr_assert_eq(a->report.reason, b->report.reason, "%s: %s and %s", what, vks_reason_name(a->report.reason),
                 vks_reason_name(b->report.reason));
    cr_assert_eq(a->report.iterations, b->report.iterations, "%s: %u and %u iterations", what,
                 a->report.iterations, b->report.iterations);
    cr_assert_eq(a->report.restarts, b->report.restarts, "%s: %u and %u restarts", what, a->report.restarts,
                 b->report.restarts);
    cr_assert_eq(a->report.history_count, b->report.history_count, "%s: history", what);
    must_equal(a->history, b->history, a->report.history_count, what);
    must_equal(a->x, b->x, n, what);
    cr_assert(same_bits(a->report.true_residual, b->report.true_residual), "%s: true residuals %g and %g",
              what, a->report.true_residual, b->report.true_residual);
    cr_assert(same_bits(a->report.residual, b->report.residual), "%s: residuals", what);
    cr_assert_str_eq(a->report.detail, b->report.detail, "%s: details", what);
}

#endif
