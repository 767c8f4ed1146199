#include "honest.h"
#include "findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static long double dot_of(const long double *a, const long double *b, uint32_t n)
{
    long double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Removes the part in the null space from b. The vectors are orthogonal: their nonzeros do not overlap. */
static void project(const struct system *s, long double *b)
{
    uint32_t n = s->rows, count = s->null_count ? s->null_count : 1;
    long double *v = room_for(n, sizeof *v);
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t i = 0; i < n; i++)
            v[i] = s->null_count ? s->null_vector[k][i] : 1;
        long double part = dot_of(b, v, n) / dot_of(v, v, n);
        for (uint32_t i = 0; i < n; i++)
            b[i] -= part * v[i];
    }
    free(v);
}

struct residual residual_of(const struct system *s, const double *x, bool fixed_point, bool singular)
{
    uint32_t n = s->rows;
    long double *b = room_for(n, sizeof *b), whole = 0, sum = 0, bound = 0;
    for (uint32_t i = 0; i < n; i++)
        b[i] = s->b[i];
    whole = sqrtl(dot_of(b, b, n));
    if (singular)
        project(s, b);
    for (uint32_t i = 0; i < n; i++) {
        long double r = b[i], magnitude = fabs(s->b[i]);
        for (uint32_t k = s->row[i]; k < s->row[i + 1]; k++) {
            long double term = (long double)s->val[k] * x[s->col[k]];
            r += fixed_point ? term : -term;
            magnitude += fabsl(term);
        }
        if (fixed_point) {
            r -= x[i];
            magnitude += fabs(x[i]);
        }
        sum += r * r;
        long double rounding = magnitude * (s->row[i + 1] - s->row[i] + 4) * 0x1p-52L;
        bound += rounding * rounding;
    }
    struct residual result = {sqrtl(sum), sqrtl(dot_of(b, b, n)), sqrtl(bound)};
    if (singular) /* b without its part in the null space is rounded in the precision of b */
        result.bound += whole * (s->precision == VKS_F32 ? 0x1p-20L : 0x1p-48L);
    free(b);
    return result;
}

/* Whether A has an entry in this column: no product reads x in others. */
static bool has_entry(const struct system *s, uint32_t column)
{
    for (uint32_t k = 0; k < s->row[s->rows]; k++)
        if (s->col[k] == column)
            return true;
    return false;
}

static void check_converged(const struct system *s, const double *x, const vks_solve_options *o,
                            const vks_solve_report *report, const struct residual *r, const char *where)
{
    long double rtol = o->rtol > 0 ? o->rtol : s->precision == VKS_F32 ? 1e-5L : 1e-8L;
    long double target = fmaxl(rtol * r->of_b, o->atol);
    bool by_other = strstr(report->warning, "rows of A differ") != NULL; /* the scaled norm */
    if (!by_other && !(r->norm <= 1.05L * target + r->bound))
        finding("false CONVERGED on %s: %s, rtol %Lg, atol %g: the residual is %Lg of %Lg allowed, ||b|| "
                "%Lg; the report says %g%s",
                where, s->kind, rtol, o->atol, r->norm, target, r->of_b, report->true_residual,
                o->singular ? "; singular" : "");
    for (uint32_t i = 0; i < s->rows; i++)
        if (!isfinite(x[i]) && has_entry(s, i)) {
            finding("CONVERGED on %s, and x[%u] is %g", where, i, x[i]);
            return;
        }
}

void check_report(const struct system *s, const double *x, const vks_solve_options *o, bool fixed_point,
                  const vks_solve_report *report, const char *where)
{
    static const long double small = 1e-140L, large = 1e140L;
    struct residual r = residual_of(s, x, fixed_point, o->singular);
    if (report->reason == VKS_REASON_CONVERGED)
        check_converged(s, x, o, report, &r, where);
    bool ran = report->reason >= VKS_REASON_CONVERGED && report->reason <= VKS_REASON_CANCELLED;
    if (!ran || s->rough || !isfinite(report->true_residual) || !isfinite((double)r.norm))
        return;
    if (r.of_b > small && r.of_b < large && r.norm < large &&
        !(fabsl(report->true_residual * r.of_b - r.norm) <= 1.1L * r.bound + 1e-10L * r.norm))
        finding("%s on %s: true_residual is %g, and should be %Lg, rounding %Lg%s",
                vks_reason_name(report->reason), where, report->true_residual, r.norm / r.of_b,
                r.bound / r.of_b, o->singular ? "; singular" : "");
}
