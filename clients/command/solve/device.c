#include "command/shared/device.h"
#include "command/shared/files.h"
#include "command/shared/interrupt.h"
#include "command/shared/words.h"
#include "command/solve/device_choice.h"
#include "command/solve/job.h"
#include "device/context.h"
#include "report/clock.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds of a solve, below which a report does without the share of the copy bandwidth: to measure that
 * would take longer than the solve. */
static const double worth_measuring = 0.02;

/* What lives on the device. */
struct objects {
    vks_context *context;
    vks_matrix *A;
    vks_vector *b, *x;
    bool catches; /* the solve and what follows it on the device catch signals */
};

static bool is_auto(const struct solve_job *job)
{
    return !job->set.device || !strcmp(device_word(job->set.device), "auto");
}

static const char *device_reason(const struct solve_job *job)
{
    uint32_t count = 0;
    if (!is_auto(job))
        return "as asked";
    if (job->device.kind == VKS_DEVICE_DISCRETE)
        return "the first discrete GPU";
    if (job->device.kind == VKS_DEVICE_INTEGRATED)
        return "the first integrated GPU";
    vks_device_list(NULL, 0, &count);
    return count ? "no GPU among the Vulkan devices" : "there is no Vulkan device";
}

/* Opens the host and keeps it where no GPU would be faster: small systems are not worth looking for one. */
static vks_status open_if_small(struct message *m, struct solve_job *job, const vks_context_options *options,
                                struct objects *o)
{
    vks_status status = device_open(m, "host", options, &o->context, &job->device);
    if (status)
        return status;
    if (job->set.method == VKS_METHOD_DIRECT) {
        snprintf(job->device_reason, sizeof job->device_reason, "UMFPACK works on the host");
        return VKS_OK;
    }
    struct solve_size size = {.rows = job->a.rows,
                              .entries = host_csr_entries(&job->a),
                              .precision = solve_precision(job),
                              .eliminates = job->set.method == VKS_METHOD_GAUSS_JORDAN};
    struct solve_costs costs = solve_expect(&size, o->context->device->info.threads);
    if (costs.host <= costs.gpu) {
        snprintf(job->device_reason, sizeof job->device_reason, "%s takes about %s here, %s on a GPU",
                 size.eliminates ? "elimination" : "an iteration", words_seconds(costs.host).text,
                 words_seconds(costs.gpu).text);
        return VKS_OK;
    }
    vks_context_destroy(o->context);
    o->context = NULL;
    return VKS_OK;
}

static vks_status open_device(struct message *m, struct solve_job *job, struct objects *o)
{
    double begun = clock_seconds();
    vks_context_options options = {.validate = job->set.validate};
    bool to_validate = is_auto(job) && job->set.validate; /* there is nothing to validate on the host */
    vks_status status = is_auto(job) && !to_validate ? open_if_small(m, job, &options, o) : VKS_OK;
    if (!status && !o->context) {
        status = device_open(m, to_validate ? "gpu" : job->set.device, &options, &o->context, &job->device);
        snprintf(job->device_reason, sizeof job->device_reason, "%s", status ? "" : device_reason(job));
    }
    job->seconds.open = clock_seconds() - begun;
    if (status)
        return status;
    if (job->set.rtol == 0)
        job->set.rtol = solve_precision(job) == VKS_F32 ? 1e-5 : 1e-8;
    return solve_refines(job) ? VKS_OK : device_check_precision(m, &job->device, job->set.precision);
}

static bool too_large(double v)
{
    return isfinite(v) && fabs(v) > FLT_MAX;
}

static bool vanishes(double v)
{
    return v != 0 && (float)v == 0;
}

/* "entry (3, 4), 1e+60, is beyond the range of f32", of the first such in row i; "": there is none. */
static struct message beyond_range(const struct host_csr *a, uint32_t i)
{
    struct message w = {0};
    for (uint32_t k = a->row[i]; !w.text[0] && k < a->row[i + 1]; k++)
        if (too_large(a->val[k]) || (a->col[k] == i && vanishes(a->val[k])))
            snprintf(w.text, sizeof w.text, "entry (%u, %u), %.6g, is beyond the range of f32", i + 1,
                     a->col[k] + 1, a->val[k]);
    return w;
}

/* With --precision mixed iterations are in f32, if that can hold A; on a device without f64 always, and the
 * upload tells what cannot be held. */
static void choose_iterations(struct solve_job *job)
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

/* What f32 cannot hold would only be called not finite, or zero. */
static vks_status check_range(struct message *m, const struct solve_job *job)
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

static vks_status upload(struct solve_job *job, struct objects *o)
{
    bool reordered = job->order.order != NULL;
    const struct host_csr *a = reordered ? &job->order.a : &job->a;
    uint32_t rows = a->rows, cols = a->cols;
    vks_matrix_options options = {
        .precision = solve_precision(job), .of_values = VKS_F64, .storage = job->format.options};
    vks_precision of_vectors = options.precision == VKS_F32 ? VKS_F32 : VKS_F64;
    vks_status status = vks_matrix_from_csr(o->context, rows, cols, a->row, a->col, a->val, &options, &o->A);
    host_csr_free(&job->order.a);
    if (!status) {
        if (options.storage.format == VKS_FORMAT_AUTO)
            job->format = format_plain(vks_matrix_format(o->A));
        snprintf(job->format_reason, sizeof job->format_reason, "%s", vks_matrix_format_reason(o->A));
        job->stored = stored_of(o->A);
        if (reordered && job->stored.lost) {
            job->stored.row = job->order.order[job->stored.row];
            job->stored.col = job->order.order[job->stored.col];
        }
        status = vks_vector_create(o->context, rows, of_vectors, &o->b);
    }
    return status ? status : vks_vector_create(o->context, cols, of_vectors, &o->x);
}

static int show_progress(void *user, const vks_progress *progress)
{
    struct solve_job *job = user;
    if (isnan(progress->residual)) {
        live_stage(&job->live, "set-up  step %u  %.0f s", progress->iteration, progress->seconds);
    } else {
        live_show(&job->live, progress);
        looks_add(&job->looks, progress);
    }
    return interrupted();
}

vks_solve_options solve_options(const struct solve_job *job)
{
    const struct solve_settings *set = &job->set;
    return (vks_solve_options){.method = (vks_method)set->method,
                               .precond_options = job->precond.options,
                               .weight = set->weight,
                               .scaling = (vks_scaling)set->scaling,
                               .restart = set->restart,
                               .rtol = set->rtol,
                               .atol = set->atol,
                               .max_iterations = set->max_iterations,
                               .zero_guess = 1,
                               .iterate_in_f32 = job->in_f32,
                               .singular = set->singular};
}

static vks_status iterate(struct message *m, struct solve_job *job, struct objects *o)
{
    vks_solve_options options = solve_options(job);
    options.order = job->order.order;
    options.progress = show_progress;
    options.user = job;
    options.history = job->history ? job->history + 1 : NULL;
    options.history_capacity = job->history ? SOLVE_HISTORY : 0;
    options.cycles = job->cycles;
    options.cycle_capacity = SOLVE_CYCLES;
    o->catches = !solves_at_once(options.method); /* else there is no x so far: Ctrl-C ends all */
    if (o->catches)
        interrupt_catch();
    vks_status status = solve_columns(m, job, o->A, o->b, o->x, &options);
    vks_solve_report *r = &job->report;
    if (r->reason != VKS_REASON_CONVERGED &&
        r->initial_residual == 0) /* refused before b - A x was computed */
        r->initial_residual = r->residual = r->true_residual = NAN;
    if (job->history)
        job->history[0] = r->initial_residual;
    if (r->warning[0])
        solve_warn(job, "%s", r->warning);
    return status;
}

static void compare_with_known(struct solve_job *job)
{
    if (job->set.rhs)
        return;
    job->error_vs_known = 0;
    for (uint32_t i = 0; i < job->a.cols; i++) {
        double error = fabs(job->x[i] - solve_known(job, i));
        if (!(error <= job->error_vs_known)) /* a NaN stays */
            job->error_vs_known = error;
    }
}

static void release(struct objects *o)
{
    vks_vector_destroy(o->x);
    vks_vector_destroy(o->b);
    vks_matrix_destroy(o->A);
    vks_context_destroy(o->context);
    *o = (struct objects){0};
}

/* Makes room for the arrays of the measurement first. */
static void measure_copies(struct solve_job *job, struct objects *o)
{
    vks_vector_destroy(o->x);
    vks_vector_destroy(o->b);
    vks_matrix_destroy(o->A);
    *o = (struct objects){.context = o->context, .catches = o->catches};
    if (vks_context_copy_bandwidth(o->context, &job->copy_bandwidth))
        job->copy_bandwidth = NAN;
}

vks_status solve_on_device(struct message *m, struct solve_job *job)
{
    struct objects o = {0};
    job->copy_bandwidth = job->error_vs_known = NAN;
    vks_status status = open_device(m, job, &o);
    if (!status)
        status = check_range(m, job);
    if (!status)
        choose_iterations(job);
    if (!status)
        status = solve_reorder(m, job);
    double begun = clock_seconds();
    live_stage(&job->live, "set-up");
    if (!status)
        status = upload(job, &o);
    double uploaded = clock_seconds() - begun;
    if (!status)
        status = iterate(m, job, &o);
    job->seconds.setup += uploaded;
    if (!status)
        compare_with_known(job);
    if (status && o.context)
        tell(m, "%s", vks_context_message(o.context));
    bool asked = job->set.json || (!job->set.quiet && job->seconds.solve >= worth_measuring);
    if (!status && asked && job->report.reason != VKS_REASON_CANCELLED &&
        !interrupted()) /* who cancels does not want to wait */
        measure_copies(job, &o);
    if (o.catches)
        interrupt_release();
    release(&o);
    return status;
}
