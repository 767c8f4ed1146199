#include "command/solve/run.h"
#include "command/shared/interrupt.h"
#include "command/solve/columns.h"
#include "command/solve/device.h"
#include "command/solve/known.h"
#include "command/solve/order.h"
#include "command/solve/range.h"
#include "report/clock.h"
#include "solvers/solve/rehearse.h"

#include <math.h>

/* The least seconds of a solve after which copy bandwidth is always measured. After a shorter one it is
 * measured only for --json, since it would take longer than the solve. */
static const double worth_measuring = 0.02;

/* Objects on the device. */
struct objects {
    vks_context *context;
    vks_matrix *A;
    vks_vector *b, *x;
    bool catches; /* signals are caught during the solve and later work on the device */
};

vks_solve_options solve_options(const struct solve_job *job)
{
    const struct solve_settings *set = &job->set;
    bool is_auto = set->method == VKS_METHOD_AUTO; /* --precond or --singular may have decided it */
    return (vks_solve_options){.method = (vks_method)set->method,
                               .precond_options = set->precond.options,
                               .weight = set->weight,
                               .scaling = (vks_scaling)set->scaling,
                               .restart = set->restart,
                               .norm = (vks_norm)set->norm,
                               .rtol = set->rtol,
                               .atol = set->atol,
                               .max_iterations = set->max_iterations,
                               .zero_guess = 1,
                               .iterate_in_f32 = job->in_f32,
                               .singular = set->singular,
                               .any_device = is_auto && set->any_device,
                               .no_direct = is_auto && set->no_direct};
}

static vks_status upload(struct solve_job *job, struct objects *o)
{
    bool reordered = job->order.order != NULL;
    const struct host_csr *a = reordered ? &job->order.a : &job->a;
    uint32_t rows = a->rows, cols = a->cols;
    vks_matrix_options options = {
        .precision = solve_precision(job), .of_values = VKS_F64, .storage = job->set.format.options};
    vks_solve_options later = solve_options(job);
    rehearse_all(o->context, a, &options, &later);
    vks_precision of_vectors = options.precision == VKS_F32 ? VKS_F32 : VKS_F64;
    TRY(vks_matrix_from_csr(o->context, rows, cols, a->row, a->col, a->val, &options, &o->A));
    host_csr_free(&job->order.a);
    job->format =
        options.storage.format == VKS_FORMAT_AUTO ? format_plain(vks_matrix_format(o->A)) : job->set.format;
    snprintf(job->format_reason, sizeof job->format_reason, "%s", vks_matrix_format_reason(o->A));
    job->stored = stored_of(o->A);
    if (reordered && job->stored.lost) {
        job->stored.row = job->order.order[job->stored.row];
        job->stored.col = job->order.order[job->stored.col];
    }
    TRY(vks_vector_create(o->context, rows, of_vectors, &o->b));
    return vks_vector_create(o->context, cols, of_vectors, &o->x);
}

static int show_progress(void *user, const vks_progress *progress)
{
    struct solve_job *job = user;
    if (isnan(progress->residual)) {
        live_stage(&job->live, "set-up  step %u  %.0f s", progress->iteration, progress->seconds);
    } else {
        live_show(&job->live, progress);
        polls_add(&job->polls, progress);
    }
    return interrupted();
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
    o->catches =
        !solves_at_once(options.method); /* a direct solve has no partial x, so Ctrl-C ends the process */
    if (o->catches)
        interrupt_catch();
    TRY(solve_columns(m, job, o->A, o->b, o->x, &options));
    vks_solve_report *r = &job->report;
    if (r->reason != VKS_REASON_CONVERGED &&
        r->initial_residual == 0) /* rejected before b - A x was computed */
        r->initial_residual = r->residual = r->true_residual = NAN;
    if (job->history)
        job->history[0] = r->initial_residual;
    if (r->warning[0])
        solve_warn(job, "%s", r->warning);
    return VKS_OK;
}

static void release(struct objects *o)
{
    vks_vector_destroy(o->x);
    vks_vector_destroy(o->b);
    vks_matrix_destroy(o->A);
    vks_context_destroy(o->context);
    *o = (struct objects){0};
}

/* Frees b and x first, to make room for the arrays of the measurement. */
static void measure_copies(struct solve_job *job, struct objects *o)
{
    vks_vector_destroy(o->x);
    vks_vector_destroy(o->b);
    vks_matrix_destroy(o->A);
    *o = (struct objects){.context = o->context, .catches = o->catches};
    if (vks_context_copy_bandwidth(o->context, &job->copy_bandwidth))
        job->copy_bandwidth = NAN;
}

static vks_status run(struct message *m, struct solve_job *job, struct opening *opening, struct objects *o)
{
    TRY(solve_open_device(m, job, opening, &o->context));
    TRY(solve_check_range(m, job));
    solve_choose_iterations(job);
    TRY(solve_reorder(m, job));
    live_stage(&job->live, "set-up");
    double begun = clock_seconds();
    TRY(upload(job, o));
    job->seconds.setup = clock_seconds() - begun;
    TRY(iterate(m, job, o));
    solve_compare_with_known(job);
    bool asked = job->set.json || (!job->set.quiet && job->seconds.solve >= worth_measuring);
    bool cancelled = job->report.reason == VKS_REASON_CANCELLED || interrupted();
    if (asked && !cancelled)
        measure_copies(job, o);
    return VKS_OK;
}

vks_status solve_on_device(struct message *m, struct solve_job *job, struct opening *opening)
{
    struct objects o = {0};
    job->copy_bandwidth = job->error_vs_known = NAN;
    vks_status status = run(m, job, opening, &o);
    if (status && o.context)
        set_message(m, "%s", vks_context_message(o.context));
    if (o.catches)
        interrupt_release();
    release(&o);
    return status;
}
