#include "command/spmv/runner.h"
#include "report/clock.h"
#include "report/spread.h"
#include "sparse/matrix.h"

#include <math.h>
#include <stdlib.h>

/* Seconds: to warm up clocks and caches; of the longest batch, short enough for displays that share the
 * GPU. */
static const double warm = 0.05, longest = 0.25;

vks_status convert_timed(const vks_matrix *A, vks_format_options o, vks_matrix **B, double *seconds)
{
    vks_status s = vks_matrix_convert(A, &o, B);
    vks_matrix_destroy(*B);
    *B = NULL;
    double begun = clock_seconds();
    IF_OK(s, vks_matrix_convert(A, &o, B));
    *seconds = clock_seconds() - begun;
    return s;
}

static uint64_t copy_bytes(const struct spmv_copy *c)
{
    uint64_t elements = (uint64_t)vks_matrix_rows(c->A) + vks_matrix_cols(c->A);
    return vks_matrix_format_bytes(c->A) + elements * real_bytes(scalar_chosen(vks_matrix_precision(c->A)));
}

uint64_t runner_bytes(const struct spmv_runner *r)
{
    return r->copies ? r->copies * copy_bytes(r->copy) : 0;
}

static void copy_destroy(struct spmv_copy *c)
{
    vks_vector_destroy(c->y);
    vks_vector_destroy(c->x);
    vks_matrix_destroy(c->A);
    *c = (struct spmv_copy){0};
}

/* Adds vectors to a copy whose matrix exists. y is filled with NaN, so that an unwritten element is an
 * error. */
static vks_status add_vectors(const struct spmv_task *t, struct spmv_copy *c)
{
    const struct spmv_reference *ref = t->reference;
    vks_precision precision = vector_precision(t->job->precision);
    TRY(vks_vector_create(t->job->context, ref->cols, precision, &c->x));
    TRY(vks_vector_create(t->job->context, ref->rows, precision, &c->y));
    TRY(vks_vector_write(c->x, 0, ref->cols, VKS_F64, ref->x));
    return vks_vector_fill(c->y, NAN);
}

static vks_status record(struct spmv_runner *r, uint32_t products)
{
    struct rec *rec = &r->rec;
    rec_destroy(rec);
    rec_create(rec, r->copy->A->context->device, matrix_precision(r->copy->A));
    for (uint32_t i = 0; i < products; i++) {
        const struct spmv_copy *c = &r->copy[i % r->copies];
        spmv(rec, c->A, vec_of(c->x), vec_of(c->y));
    }
    r->batch = products;
    free(r->dispatches);
    r->dispatches = malloc((rec->count + (size_t)1) * sizeof *r->dispatches);
    if (!r->dispatches)
        return fail_memory(rec->device->message, "timestamps", rec->count * sizeof *r->dispatches);
    return rec_prepare(rec);
}

/* Runs the recording: `seconds` by the device's clock if it has one, `wall` by the host's. */
static vks_status run_batch(struct spmv_runner *r, double *seconds, double *wall)
{
    struct rec *rec = &r->rec;
    uint64_t ticket;
    double begun = clock_seconds();
    TRY(rec_submit(rec, &ticket));
    TRY(device_wait(rec->device, ticket, DEVICE_WAIT_SECONDS));
    *seconds = *wall = clock_seconds() - begun;
    if (!rec->device->timed)
        return VKS_OK;
    TRY(rec_times(rec, r->dispatches));
    *seconds = 0;
    for (uint32_t i = 0; i < rec->count; i++)
        *seconds += r->dispatches[i];
    return VKS_OK;
}

/* Products of a batch: a tenth of all, unless that would take too long. */
static uint32_t choose_batch(const struct spmv_settings *set, double product)
{
    double batch = ceil(set->products / (double)SPMV_BATCHES);
    double seconds = fmin(longest, set->seconds / SPMV_BATCHES);
    batch = fmin(batch, SPMV_LONGEST_BATCH);
    if (product > 0)
        batch = fmin(batch, floor(seconds / product));
    return batch < 1 ? 1 : (uint32_t)batch;
}

/* Makes enough copies to exceed the caches, if there is room for them and the batch uses them all. Lack of
 * memory is not a failure. */
static void add_copies(const struct spmv_task *t, struct spmv_runner *r)
{
    uint64_t bytes = copy_bytes(r->copy), wanted = bytes ? (SPMV_COLD_BYTES + bytes - 1) / bytes : 1;
    uint64_t most = r->batch < SPMV_MOST_COPIES ? r->batch : SPMV_MOST_COPIES;
    vks_format_options o = r->row->format.options;
    o.lean = true;
    while (r->copies < most && r->copies < wanted && (r->copies + (uint64_t)1) * bytes <= t->room) {
        struct spmv_copy *c = &r->copy[r->copies];
        vks_status s = vks_matrix_convert(t->A, &o, &c->A);
        IF_OK(s, add_vectors(t, c));
        if (s) {
            copy_destroy(c);
            return;
        }
        r->copies++;
    }
}

/* Repeats one product until the device is warm, and chooses the batch from its time. */
static vks_status try_product(const struct spmv_task *t, struct spmv_runner *r)
{
    double begun = clock_seconds(), seconds, wall, least = INFINITY;
    TRY(record(r, 1));
    for (int runs = 0; runs < 3 || clock_seconds() - begun < warm; runs++) {
        TRY(run_batch(r, &seconds, &wall));
        least = fmin(least, seconds);
    }
    r->batch = choose_batch(&t->job->set, least);
    return VKS_OK;
}

vks_status runner_begin(const struct spmv_task *t, struct spmv_runner *r)
{
    uint32_t products = t->job->set.products;
    double seconds, wall;
    r->seconds = malloc(products * sizeof *r->seconds);
    r->wall = malloc(products * sizeof *r->wall);
    if (!r->seconds || !r->wall)
        return fail_memory(&t->job->context->message, "the times of products", 2 * 8 * (uint64_t)products);
    vks_format_options o = r->row->format.options;
    o.lean = true;
    r->copies = 1;
    TRY(convert_timed(t->A, o, &r->copy->A, &r->row->figures.setup_seconds));
    TRY(add_vectors(t, r->copy));
    TRY(try_product(t, r));
    add_copies(t, r);
    context_begin(t->job->context); /* forgets the message of a copy that failed */
    TRY(record(r, r->batch));
    return run_batch(r, &seconds, &wall);
}

bool runner_is_done(const struct spmv_task *t, const struct spmv_runner *r)
{
    return r->products >= t->job->set.products || r->spent >= t->job->set.seconds;
}

vks_status runner_run(struct spmv_runner *r)
{
    double seconds, wall;
    TRY(run_batch(r, &seconds, &wall));
    r->seconds[r->batches] = seconds / r->batch;
    r->wall[r->batches++] = wall / r->batch;
    r->products += r->batch;
    r->spent += wall;
    return VKS_OK;
}

static vks_status find_error(const struct spmv_task *t, struct spmv_runner *r, double *error)
{
    uint32_t n = t->reference->rows;
    double *y = malloc(((size_t)n + 1) * sizeof *y);
    vks_status s = y ? VKS_OK : fail_memory(&t->job->context->message, "the result", n * sizeof *y);
    *error = 0;
    for (uint32_t i = 0; i < r->copies && !s; i++) {
        s = vks_vector_read(r->copy[i].y, 0, n, VKS_F64, y);
        if (!s)
            *error = fmax(*error, spmv_error(t->reference, y));
    }
    free(y);
    return s;
}

vks_status runner_evaluate(const struct spmv_task *t, struct spmv_runner *r)
{
    struct spmv_figures *f = &r->row->figures;
    struct spread spread = spread_of(r->seconds, (int)r->batches);
    f->products = r->products;
    f->batches = r->batches;
    f->seconds = spread.median;
    f->seconds_least = spread.least;
    f->seconds_most = spread.most;
    f->wall_seconds = spread_of(r->wall, (int)r->batches).median;
    f->gflops = 2e-9 * vks_matrix_entries(t->A) / f->seconds;
    f->bytes = (double)r->rec.bytes / r->batch;
    f->bandwidth = f->bytes / f->seconds;
    f->bandwidth_share = f->bandwidth / t->job->copy_bandwidth;
    f->memory_bytes = (double)vks_matrix_format_bytes(r->copy->A);
    f->copies = r->copies;
    f->copies_bytes = (double)runner_bytes(r);
    return find_error(t, r, &f->error);
}

void runner_end(struct spmv_runner *r)
{
    rec_destroy(&r->rec);
    for (uint32_t i = 0; i < SPMV_MOST_COPIES; i++)
        copy_destroy(&r->copy[i]);
    free(r->dispatches);
    free(r->seconds);
    free(r->wall);
    *r = (struct spmv_runner){0};
}
