#include "direct/direct.h"
#include "direct/umfpack.h"
#include "report/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REFINEMENTS = 10 };

/* An x whose residual is larger is hardly better than x = 0, whose residual is 1. Elimination with pivoting
 * leaves such a residual only where A is singular but for rounding. */
#define USELESS 0.1

/* Half a unit in the last place of 1. */
#define NEARLY_SINGULAR 0x1p-53

/* A in CSR is A^T in CSC: UMFPACK gets that, and solves the transposed system of its factors. */
struct factors {
    struct umfpack library;
    uint32_t n;
    int64_t *start, *index;
    const double *val;
    void *numeric;
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
};

/* x, and what makes it better. */
struct refinement {
    double *r, *correction, *next;
    double norm_of_b, norm; /* of b, of b - A x */
};

/* The 2-norm, safe against overflow of the squares; NaN or infinity where v holds one. */
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

/* r = b - A x, and its norm. */
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

/* UMFPACK would not name a NaN or an infinity. */
static bool all_finite(const struct host_csr *a, const double *b, struct direct_report *out)
{
    for (uint32_t i = 0; i < a->rows; i++) {
        bool finite = isfinite(b[i]);
        if (!finite)
            snprintf(out->detail, sizeof out->detail, "row %u of the right-hand side is not finite", i + 1);
        for (uint32_t k = a->row[i]; finite && k < a->row[i + 1]; k++)
            if (!isfinite(a->val[k])) {
                finite = false;
                snprintf(out->detail, sizeof out->detail, "the entry in row %u, column %u is not finite",
                         i + 1, a->col[k] + 1);
            }
        if (!finite) {
            out->reason = VKS_REASON_NOT_FINITE;
            out->row = i;
            return false;
        }
    }
    return true;
}

/* Widens the indices of A. */
static vks_status widen(struct message *m, const struct host_csr *a, struct factors *f)
{
    size_t n = a->rows, entries = host_csr_entries(a);
    f->start = malloc((n + 1) * sizeof *f->start);
    f->index = malloc((entries + 1) * sizeof *f->index);
    if (!f->start || !f->index)
        return fail_memory(m, "UMFPACK's copy of the structure of A", (n + entries) * sizeof *f->index);
    for (size_t i = 0; i <= n; i++)
        f->start[i] = a->row[i];
    for (size_t k = 0; k < entries; k++)
        f->index[k] = a->col[k];
    f->val = a->val;
    f->n = a->rows;
    return VKS_OK;
}

/* VKS_OK also where A is singular. */
static vks_status judge(struct message *m, const char *step, int code)
{
    if (code == UMFPACK_OK || code == UMFPACK_WARNING_SINGULAR)
        return VKS_OK;
    if (code == UMFPACK_ERROR_OUT_OF_MEMORY)
        return fail(m, VKS_OUT_OF_MEMORY, "out of host memory: UMFPACK has no room for its %s", step);
    return fail(m, VKS_LIMIT, "UMFPACK's %s failed with code %d", step, code);
}

static vks_status factor(struct message *m, const struct host_csr *a, struct factors *f,
                         struct direct_report *out)
{
    void *symbolic = NULL;
    TRY(widen(m, a, f));
    f->library.defaults(f->control);
    f->control[UMFPACK_IRSTEP] = 0; /* refinement is done here */
    TRY(judge(
        m, "analysis",
        f->library.symbolic(a->rows, a->rows, f->start, f->index, f->val, &symbolic, f->control, f->info)));
    int code = f->library.numeric(f->start, f->index, f->val, symbolic, &f->numeric, f->control, f->info);
    f->library.free_symbolic(&symbolic);
    TRY(judge(m, "factors", code));
    out->reciprocal_condition = f->info[UMFPACK_RCOND];
    out->fill =
        (f->info[UMFPACK_LNZ] + f->info[UMFPACK_UNZ]) / (double)(host_csr_entries(a) + !a->row[a->rows]);
    out->zero_pivots = code == UMFPACK_WARNING_SINGULAR ? a->rows - (uint32_t)f->info[UMFPACK_UDIAG_NZ] : 0;
    return VKS_OK;
}

/* x = A^-1 b. UMFPACK divides by zero pivots, too: such unknowns may have any value where b suits A. */
static vks_status substitute(struct message *m, struct factors *f, const double *b, double *x)
{
    int code = f->library.solve(UMFPACK_TRANSPOSED, f->start, f->index, f->val, x, b, f->numeric, f->control,
                                f->info);
    for (uint32_t i = 0; code == UMFPACK_WARNING_SINGULAR && i < f->n; i++)
        if (!isfinite(x[i]))
            x[i] = 0;
    return judge(m, "solution", code);
}

/* One step of refinement. *halved: it made the residual half as large; otherwise the best x is kept. */
static vks_status refine(struct message *m, const struct host_csr *a, struct factors *f, const double *b,
                         double *x, struct refinement *s, struct direct_report *out, bool *halved)
{
    TRY(substitute(m, f, s->r, s->correction));
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

static void tell_zero_pivots(const struct direct_report *r, char *text, size_t size)
{
    snprintf(text, size,
             "the matrix is singular, or its scale is beyond double precision: UMFPACK found %u zero pivot%s",
             r->zero_pivots, r->zero_pivots > 1 ? "s" : "");
}

/* What makes a doubtful x no solution. */
static void refuse(const struct refinement *s, struct direct_report *out)
{
    bool overflows = !isfinite(s->norm) && out->reciprocal_condition >= NEARLY_SINGULAR;
    out->reason = overflows ? VKS_REASON_NOT_FINITE : VKS_REASON_SINGULAR;
    if (overflows)
        snprintf(out->detail, sizeof out->detail, "the solution overflows");
    else if (out->zero_pivots)
        tell_zero_pivots(out, out->detail, sizeof out->detail);
    else
        snprintf(out->detail, sizeof out->detail,
                 "the matrix is singular to working precision: the residual of x is %.2g", out->residual);
}

/* Says what became of x. A singular A, too, has solutions where b suits it. */
static void conclude(const struct refinement *s, struct direct_report *out)
{
    out->residual = s->norm == 0 ? 0 : s->norm / s->norm_of_b;
    out->reason = VKS_REASON_CONVERGED;
    if (!(out->residual < USELESS))
        refuse(s, out);
    else if (out->zero_pivots)
        tell_zero_pivots(out, out->warning, sizeof out->warning);
    else if (out->reciprocal_condition < NEARLY_SINGULAR)
        snprintf(out->warning, sizeof out->warning,
                 "UMFPACK's least pivot is %.2g of the largest: the matrix is nearly singular, or its rows "
                 "differ in scale",
                 out->reciprocal_condition);
}

static vks_status solve(struct message *m, const struct host_csr *a, struct factors *f, const double *b,
                        double *x, struct direct_report *out)
{
    size_t n = a->rows;
    double *room = malloc((3 * n + 1) * sizeof *room);
    if (!room)
        return fail_memory(m, "the refinement of x", 3 * n * sizeof *room);
    struct refinement s = {room, room + n, room + 2 * n, norm_of(b, a->rows), 0};
    vks_status status = substitute(m, f, b, x);
    if (!status)
        s.norm = residual(a, b, x, s.r);
    bool halved = isfinite(s.norm) && s.norm > 0;
    for (int k = 0; k < MOST_REFINEMENTS && !status && halved && s.norm > 0; k++)
        status = refine(m, a, f, b, x, &s, out, &halved);
    if (!status)
        conclude(&s, out);
    free(room);
    return status;
}

static vks_status run(struct message *m, const struct host_csr *a, struct factors *f, const double *b,
                      double *x, struct direct_report *out)
{
    double begun = clock_seconds();
    vks_status status = factor(m, a, f, out);
    double factored = clock_seconds();
    if (!status)
        status = solve(m, a, f, b, x, out);
    out->seconds_factors = factored - begun;
    out->seconds_solve = clock_seconds() - factored;
    if (f->numeric)
        f->library.free_numeric(&f->numeric);
    free(f->start);
    free(f->index);
    return status;
}

vks_status direct_solve(struct message *m, const struct host_csr *a, const double *b, double *x,
                        struct direct_report *out)
{
    struct factors f = {0};
    *out =
        (struct direct_report){.row = UINT32_MAX, .residual = NAN, .reciprocal_condition = NAN, .fill = NAN};
    if (!umfpack_open(&f.library))
        return fail(m, VKS_UNSUPPORTED, UMFPACK_MISSING);
    if (a->rows == 0) { /* UMFPACK wants one row at least */
        out->reason = VKS_REASON_CONVERGED;
        out->residual = 0;
        return VKS_OK;
    }
    return all_finite(a, b, out) ? run(m, a, &f, b, x, out) : VKS_OK;
}
