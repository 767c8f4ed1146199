#include "command/spmv/measure.h"
#include "command/spmv/runner.h"
#include "device/context.h"

#include <math.h>
#include <stdlib.h>

/* Assumed if the memory of a device is unknown. */
#define ASSUMED_MEMORY ((uint64_t)4 << 30)

static uint64_t memory_of(const struct spmv_job *job)
{
    return job->device.memory ? job->device.memory : ASSUMED_MEMORY;
}

static vks_status upload(const struct spmv_job *job, const struct host_csr *a, vks_matrix **A)
{
    vks_matrix_options o = {
        .precision = job->precision, .of_values = VKS_F64, .storage.format = VKS_FORMAT_CSR};
    return vks_matrix_from_csr(job->context, a->rows, a->cols, a->row, a->col, a->val, &o, A);
}

static void ask_auto(const vks_matrix *A, struct spmv_matrix *out)
{
    vks_matrix *B = NULL;
    out->chosen_seconds = NAN;
    if (!convert_timed(A, (vks_format_options){0}, &B, &out->chosen_seconds)) {
        out->chosen = vks_matrix_format(B);
        snprintf(out->reason, sizeof out->reason, "%s", vks_matrix_format_reason(B));
    }
    vks_matrix_destroy(B);
}

static void list_formats(const struct spmv_job *job, struct spmv_matrix *out)
{
    for (int i = 0; i < job->format_count; i++) {
        struct spmv_row *row = &out->row[out->count++];
        row->format = job->formats[i];
#define X(name) row->figures.name = NAN;
        SPMV_FIGURES(X)
#undef X
    }
}

static void refuse(const struct spmv_task *t, struct spmv_runner *r, vks_status s)
{
    struct spmv_row *row = r->row;
    const char *why = vks_context_message(t->job->context);
    row->status = s;
    set_message(&row->refused, "%s", why[0] ? why : vks_status_text(s));
    context_begin(t->job->context); /* else the next message would be dropped */
#define X(name) row->figures.name = NAN;
    SPMV_FIGURES(X)
#undef X
    runner_end(r);
}

/* Sets up as many formats from *next on as memory allows, at least one. Returns the number of runners. The
 * row of a format that fails says why. */
static int begin_wave(const struct spmv_task *t, struct spmv_matrix *out, int *next, struct spmv_runner *list)
{
    int count = 0;
    uint64_t used = 0;
    for (; *next < out->count && (!count || used < memory_of(t->job) / 2); ++*next) {
        struct spmv_runner *r = &list[count];
        *r = (struct spmv_runner){.row = &out->row[*next]};
        vks_status s = runner_begin(t, r);
        if (s == VKS_DEVICE_MEMORY && count) { /* there may be room when the others are gone */
            runner_end(r);
            break;
        }
        if (s) {
            refuse(t, r, s);
            continue;
        }
        used += runner_bytes(r);
        count++;
    }
    return count;
}

/* Runs the runners in turn, so that other load on the machine affects all alike. */
static void run_wave(const struct spmv_task *t, struct spmv_runner *list, int count)
{
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < count; i++) {
            struct spmv_runner *r = &list[i];
            if (!r->row || (r->batches && runner_is_done(t, r)))
                continue;
            vks_status s = runner_run(r);
            if (s)
                refuse(t, r, s);
            more = true;
        }
    }
}

static void evaluate_wave(const struct spmv_task *t, struct spmv_runner *list, int count)
{
    for (int i = 0; i < count; i++) {
        struct spmv_runner *r = &list[i];
        vks_status s = r->row ? runner_evaluate(t, r) : VKS_OK; /* a runner without a row was rejected */
        if (s)
            refuse(t, r, s);
        runner_end(r);
    }
}

/* k = 1 / (time x memory) relative to the k of CSR; NaN for a format without memory. */
static void compare(struct spmv_matrix *out)
{
    double csr = NAN;
    for (int i = 0; i < out->count; i++)
        if (out->row[i].format.options.format == VKS_FORMAT_CSR)
            csr = out->row[i].figures.seconds * out->row[i].figures.memory_bytes;
    for (int i = 0; i < out->count; i++) {
        struct spmv_figures *f = &out->row[i].figures;
        f->efficiency = f->memory_bytes > 0 ? csr / (f->seconds * f->memory_bytes) : NAN;
    }
}

static vks_status measure_formats(const struct spmv_task *t, struct spmv_matrix *out)
{
    struct spmv_runner *list = calloc((size_t)out->count, sizeof *list);
    if (!list)
        return fail_memory(&t->job->context->message, "the formats", (size_t)out->count * sizeof *list);
    for (int next = 0; next < out->count;) {
        int count = begin_wave(t, out, &next, list);
        run_wave(t, list, count);
        evaluate_wave(t, list, count);
    }
    free(list);
    compare(out);
    return VKS_OK;
}

vks_status spmv_measure(const struct spmv_job *job, const struct host_csr *a, struct spmv_matrix *out)
{
    struct spmv_reference reference = {0};
    vks_matrix *A = NULL;
    context_begin(job->context);
    list_formats(job, out);
    vks_status s = spmv_reference(&job->context->message, a, &reference);
    IF_OK(s, upload(job, a, &A));
    if (!s) {
        out->stored = stored_of(A);
        struct spmv_task t = {job, A, &reference, memory_of(job) / 4 / (uint64_t)out->count};
        ask_auto(A, out);
        s = measure_formats(&t, out);
    }
    vks_matrix_destroy(A);
    spmv_reference_free(&reference);
    return s;
}
