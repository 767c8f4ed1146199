#include "command/solve/range.h"

#include <float.h>
#include <math.h>

static bool too_large(double v)
{
    return isfinite(v) && fabs(v) > FLT_MAX;
}

static bool vanishes(double v)
{
    return v != 0 && (float)v == 0;
}

/* "entry (3, 4), 1e+60, is beyond the range of f32" for the first such entry of row i; "" if there is
 * none. */
static struct message beyond_range(const struct host_csr *a, uint32_t i)
{
    struct message w = {0};
    for (uint32_t k = a->row[i]; !w.text[0] && k < a->row[i + 1]; k++)
        if (too_large(a->val[k]) || (a->col[k] == i && vanishes(a->val[k])))
            snprintf(w.text, sizeof w.text, "entry (%u, %u), %.6g, is beyond the range of f32", i + 1,
                     a->col[k] + 1, a->val[k]);
    return w;
}

void solve_choose_iterations(struct solve_job *job)
{
    struct message why = {0};
    job->in_f32 = !job->device.f64 && solve_precision(job) != VKS_F32;
    if (job->in_f32 || solve_precision(job) != VKS_MIXED || !solve_refines(job))
        return;
    for (uint32_t i = 0; i < job->a.rows && !why.text[0]; i++)
        why = beyond_range(&job->a, i);
    job->in_f32 = !why.text[0];
    if (!job->in_f32)
        solve_warn(job, "the iterations are in f64: %s", why.text);
}

static vks_status check_column(struct message *m, uint32_t rows, const double *b)
{
    const char *far = "row %u of the right-hand side, %.6g, is beyond the range of f32; use --precision f64";
    uint32_t vanishing = UINT32_MAX, left = 0;
    for (uint32_t i = 0; i < rows; i++) {
        if (too_large(b[i]))
            return fail(m, VKS_INVALID_ARGUMENT, far, i + 1, b[i]);
        if (vanishes(b[i]) && vanishing == UINT32_MAX)
            vanishing = i;
        left += b[i] != 0 && !vanishes(b[i]);
    }
    if (left == 0 && vanishing != UINT32_MAX) /* b would be zero, and x with it */
        return fail(m, VKS_INVALID_ARGUMENT, far, vanishing + 1, b[vanishing]);
    return VKS_OK;
}

vks_status solve_check_range(struct message *m, const struct solve_job *job)
{
    size_t rows = job->a.rows;
    vks_status s = VKS_OK;
    if (solve_precision(job) != VKS_F32)
        return VKS_OK;
    for (uint32_t i = 0; i < rows && !s; i++) {
        struct message why = beyond_range(&job->a, i);
        if (why.text[0])
            s = fail(m, VKS_INVALID_ARGUMENT, "%s; use --precision f64", why.text);
    }
    for (uint32_t k = 0; k < job->columns && !s; k++)
        s = check_column(m, job->a.rows, job->b + k * rows);
    return s;
}
