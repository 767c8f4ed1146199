#include "direct/direct.h"
#include "report/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REFINEMENTS = 10 };

/* An x with this or a larger residual is hardly better than x = 0, whose residual is 1. Elimination with
 * pivoting leaves such a residual only if A is singular up to rounding. */
#define USELESS 0.1

/* Half a unit in the last place of 1. */
#define NEARLY_SINGULAR 0x1p-53

/* Refinement of x: work vectors and norms. */
struct refinement {
    double *r, *correction, *next;
    double norm_of_b, norm; /* of b and of b - A x */
};

/* The 2-norm, safe against overflow of the squares; NaN or infinity if v contains one. */
static double norm_of(const double *v, uint32_t n)
{
    double largest = 0, sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!isfinite(v[i]))
            return fabs(v[i]);
        largest = fmax(largest, fabs(v[i]));
    }
    if (largest == 0)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (v[i] / largest) * (v[i] / largest);
    return largest * sqrt(sum);
}

/* r = b - A x; returns its norm. */
static double residual(const struct host_csr *a, const double *b, const double *x, double *r)
{
    for (uint32_t i = 0; i < a->rows; i++) {
        double sum = 0;
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
            sum += a->val[k] * x[a->col[k]];
        r[i] = b[i] - sum;
    }
    return norm_of(r, a->rows);
}

/* Finds a NaN or an infinity, which UMFPACK would not report. */
static void find_not_finite(const struct host_csr *a, struct direct_report *out)
{
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
            if (!isfinite(a->val[k])) {
                snprintf(out->detail, sizeof out->detail, "the entry in row %u, column %u is not finite",
                         i + 1, a->col[k] + 1);
                out->reason = VKS_REASON_NOT_FINITE;
                out->row = i;
                return;
            }
}

static bool is_finite(const double *b, uint32_t n, struct direct_report *out)
{
    for (uint32_t i = 0; i < n; i++)
        if (!isfinite(b[i])) {
            snprintf(out->detail, sizeof out->detail, "row %u of the right-hand side is not finite", i + 1);
            out->reason = VKS_REASON_NOT_FINITE;
            out->row = i;
            return false;
        }
    return true;
}

/* One step of refinement. *halved: it at least halved the residual. Keeps the better x. */
static vks_status refine(struct message *m, struct direct *d, const double *b, double *x,
                         struct refinement *s, struct direct_report *out, bool *halved)
{
    const struct host_csr *a = d->a;
    TRY(lu_apply(m, &d->lu, s->r, s->correction));
    for (uint32_t i = 0; i < a->rows; i++)
        s->next[i] = x[i] + s->correction[i];
    double next = residual(a, b, s->next, s->r);
    *halved = next <= s->norm / 2;
    if (next < s->norm) {
        memcpy(x, s->next, a->rows * sizeof *x);
        s->norm = next;
        out->refinements++;
    }
    return VKS_OK;
}

static void describe_zero_pivots(const struct direct_report *r, char *text, size_t size)
{
    snprintf(text, size,
             "the matrix is singular, or its scale is beyond double precision: UMFPACK found %u zero pivot%s",
             r->zero_pivots, r->zero_pivots > 1 ? "s" : "");
}

/* Reports why x is not accepted as a solution. */
static void refuse(const struct refinement *s, struct direct_report *out)
{
    bool overflows = !isfinite(s->norm) && out->reciprocal_condition >= NEARLY_SINGULAR;
    out->reason = overflows ? VKS_REASON_NOT_FINITE : VKS_REASON_SINGULAR;
    if (overflows)
        snprintf(out->detail, sizeof out->detail, "the solution overflows");
    else if (out->zero_pivots)
        describe_zero_pivots(out, out->detail, sizeof out->detail);
    else
        snprintf(out->detail, sizeof out->detail,
                 "the matrix is singular to working precision: the residual of x is %.2g", out->residual);
}

/* Whether x solves A x = b with each row divided by its largest entry, as rows may differ in scale. */
static bool solves_scaled_rows(const struct host_csr *a, const double *b, const double *x, double *r)
{
    double of_r = 0, of_b = 0;
    residual(a, b, x, r);
    for (uint32_t i = 0; i < a->rows; i++) {
        double most = 0;
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
            most = fmax(most, fabs(a->val[k]));
        if (most == 0)
            return false;
        of_r = hypot(of_r, r[i] / most);
        of_b = hypot(of_b, b[i] / most);
    }
    return of_r < USELESS * of_b;
}

/* Reports the outcome for x. A singular A also has solutions if b is consistent. */
static void conclude(const struct direct *d, const double *b, const double *x, const struct refinement *s,
                     struct direct_report *out)
{
    out->residual = s->norm == 0 ? 0 : s->norm / s->norm_of_b;
    out->reason = VKS_REASON_CONVERGED;
    if (!(out->residual < USELESS) && !solves_scaled_rows(d->a, b, x, s->r))
        refuse(s, out);
    else if (out->zero_pivots)
        describe_zero_pivots(out, out->warning, sizeof out->warning);
    else if (out->reciprocal_condition < NEARLY_SINGULAR)
        snprintf(out->warning, sizeof out->warning,
                 "UMFPACK's least pivot is %.2g of the largest: the matrix is nearly singular, or its rows "
                 "differ in scale",
                 out->reciprocal_condition);
}

static vks_status solve(struct message *m, struct direct *d, const double *b, double *x,
                        struct direct_report *out)
{
    const struct host_csr *a = d->a;
    size_t n = a->rows;
    double *room = malloc((3 * n + 1) * sizeof *room);
    if (!room)
        return fail_memory(m, "the refinement of x", 3 * n * sizeof *room);
    struct refinement s = {room, room + n, room + 2 * n, norm_of(b, a->rows), 0};
    vks_status status = lu_apply(m, &d->lu, b, x);
    if (!status)
        s.norm = residual(a, b, x, s.r);
    bool halved = isfinite(s.norm) && s.norm > 0;
    for (int k = 0; k < MOST_REFINEMENTS && !status && halved && s.norm > 0; k++)
        status = refine(m, d, b, x, &s, out, &halved);
    if (!status)
        conclude(d, b, x, &s, out);
    free(room);
    return status;
}

static const struct direct_report no_report = {.reason = VKS_REASON_NOT_RUN,
                                               .row = UINT32_MAX,
                                               .residual = NAN,
                                               .reciprocal_condition = NAN,
                                               .fill = NAN};

/* UMFPACK requires at least one row. */
vks_status direct_open(struct message *m, const struct host_csr *a, struct direct *d)
{
    *d = (struct direct){.a = a, .of_factors = no_report};
    return a->rows ? lu_analyse(m, a, &d->lu) : VKS_OK;
}

vks_status direct_factor(struct message *m, struct direct *d)
{
    struct direct_report *out = &d->of_factors;
    const struct lu *f = &d->lu;
    double begun = clock_seconds();
    *out = no_report;
    find_not_finite(d->a, out);
    if (out->reason != VKS_REASON_NOT_RUN || !d->a->rows)
        return VKS_OK;
    TRY(lu_make(m, d->a, &d->lu));
    out->reciprocal_condition = f->reciprocal_condition;
    out->fill = f->entries / (double)(host_csr_entries(d->a) + !host_csr_entries(d->a));
    out->zero_pivots = f->zero_pivots;
    out->seconds_factors = clock_seconds() - begun;
    return VKS_OK;
}

vks_status direct_apply(struct message *m, struct direct *d, const double *b, double *x,
                        struct direct_report *out)
{
    double begun = clock_seconds();
    vks_status status = VKS_OK;
    *out = d->of_factors;
    if (!d->a->rows) {
        out->reason = VKS_REASON_CONVERGED;
        out->residual = 0;
    } else if (out->reason == VKS_REASON_NOT_RUN && is_finite(b, d->a->rows, out)) {
        status = solve(m, d, b, x, out);
    }
    out->seconds_solve = clock_seconds() - begun;
    return status;
}

void direct_close(struct direct *d)
{
    lu_free(&d->lu);
    *d = (struct direct){0};
}

vks_status direct_solve(struct message *m, const struct host_csr *a, const double *b, double *x,
                        struct direct_report *out)
{
    struct direct d;
    double begun = clock_seconds();
    vks_status status = direct_open(m, a, &d);
    double analysed = clock_seconds();
    *out = d.of_factors;
    IF_OK(status, direct_factor(m, &d));
    IF_OK(status, direct_apply(m, &d, b, x, out));
    out->seconds_factors += analysed - begun;
    direct_close(&d);
    return status;
}
