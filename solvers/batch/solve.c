/* The solve of a batch: rounds of iterations, each followed by true residuals, until no system goes on. */
#include "abi/abi.h"
#include "solvers/batch/verbs.h"
#include "solvers/state.h"

#include <math.h>
#include <string.h>

/* Turns of all loops after which a software device silently ends the loops of an invocation (docs/gpu.md),
 * with a margin; and those of an iteration apart from its rows. */
enum { SOFTWARE_TURNS = 60000, TURNS_OF_SUMS = 80, TURNS_OF_A_ROW = 10 };
/* Bytes of matrices that a dispatch should read at most: the work of some 0.1 s on a slow GPU. */
static const uint64_t dispatch_bytes = UINT64_C(1) << 33;
enum { FEWEST_TURNS = 8, MOST_TURNS = 4096 };

/* Iterations of one dispatch. No result depends on them. */
static uint32_t turns_of(const vks_batch *q)
{
    uint64_t bytes = 1, longest = 1, products = batch_methods[q->method].products;
    for (uint32_t c = 0; c < BATCH_CLASSES; c++) {
        uint64_t turns = ((uint64_t)q->class[c].width + TURNS_OF_A_ROW) << q->class[c].spread;
        bytes += products * q->class[c].slots * (real_bytes(q->precision) + sizeof(uint32_t));
        longest = turns > longest ? turns : longest;
    }
    switch (q->context->device->info.kind) {
    case DEVICE_HOST:
        return UINT32_MAX;
    case DEVICE_SOFTWARE:
        return (uint32_t)(SOFTWARE_TURNS / (products * (longest + TURNS_OF_SUMS)));
    default:
        return (uint32_t)fmax(FEWEST_TURNS, fmin(MOST_TURNS, (double)(dispatch_bytes / bytes)));
    }
}

static vks_status check_vector(const vks_batch *q, const vks_vector *v, const char *name)
{
    struct message *m = &q->context->message;
    if (v->context != q->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the batch and %s belong to different contexts", name);
    if (v->precision != q->options.precision)
        return fail(m, VKS_INVALID_ARGUMENT, "the batch and %s differ in precision", name);
    if (v->n != q->rows)
        return fail(m, VKS_INVALID_ARGUMENT, "the systems have %u rows, and %s has %u elements", q->rows,
                    name, v->n);
    return VKS_OK;
}

/* Records true residuals, and the number of systems that go on. */
static void record_residuals(struct rec *r, const struct batch_solve *s)
{
    copy_words(r, words_of(&s->q->box), s->running, 1);
    batch_residual(r, s);
    copy_words(r, s->running, words_in(&s->q->box, 1), 1);
}

static void record_round(struct rec *r, const struct batch_solve *s)
{
    batch_iterate(r, s);
    record_residuals(r, s);
}

/* Runs the recording; *running is the number of systems that go on. */
static vks_status run_round(struct rec *r, const vks_batch *q, uint32_t *running)
{
    uint32_t *box = q->box.mapped;
    box[0] = 0;
    box[1] = UINT32_MAX;
    vks_status s = rec_run(r);
    *running = s ? 0 : box[1];
    return s == VKS_OK && *running > q->systems
               ? fail(&q->context->message, VKS_DEVICE_LOST, "%s did not execute a batch",
                      q->context->device->info.name)
               : s;
}

static vks_status solve(const struct batch_solve *s)
{
    uint32_t running = 0;
    struct rec r = rec_once(s->q->context->device, s->q->precision);
    batch_start(&r, s);
    record_residuals(&r, s);
    record_round(&r, s);
    vks_status status = run_round(&r, s->q, &running);
    if (running) {
        rec_clear(&r);
        record_round(&r, s);
    }
    while (!status && running)
        status = run_round(&r, s->q, &running);
    rec_destroy(&r);
    return status;
}

static vks_reason reason_of(uint32_t state)
{
    switch (state) {
    case STATE_MET:
        return VKS_REASON_CONVERGED;
    case UNFIT_NOT_POSITIVE:
        return VKS_REASON_NOT_POSITIVE_DEFINITE;
    case UNFIT_ZERO_DIAGONAL:
        return VKS_REASON_ZERO_DIAGONAL;
    case UNFIT_SINGULAR:
        return VKS_REASON_SINGULAR;
    default:
        return reason_of_state(state);
    }
}

static double relative(double norm, double b)
{
    return norm == 0 && b == 0 ? 0 : norm / b;
}

static vks_batch_report report_of(const vks_batch *q, const uint32_t *word, const double *number)
{
    uint32_t cycles = word[WORD_CYCLE];
    double b = number[NUMBER_B], recurrence = sqrt(number[NUMBER_RR]) * number[NUMBER_SCALE];
    bool iterated = word[WORD_ITERATION] > 0 && q->method <= BATCH_BY_BICGSTAB,
         fits = word[WORD_STATE] == STATE_MET;
    return (vks_batch_report){.reason = reason_of(word[WORD_STATE]),
                              .iterations = word[WORD_ITERATION],
                              .restarts = cycles > 1 ? cycles - 1 : 0,
                              .row = fits ? UINT32_MAX : word[WORD_ROW],
                              .residual = iterated ? relative(recurrence, b) : NAN,
                              .true_residual = relative(number[NUMBER_BEST], b)};
}

static vks_status read_reports(const vks_batch *q, uint32_t header, vks_batch_report *report)
{
    struct device *d = q->context->device;
    struct room work = {.device = d};
    const uint64_t words = (uint64_t)q->systems * BATCH_WORDS, numbers = (uint64_t)q->systems * BATCH_NUMBERS;
    uint32_t *word = room_host(&work, 4 * words, "reports of systems");
    double *number = room_host(&work, 8 * numbers, "reports of systems");
    vks_status s = work.status;
    IF_OK(s, device_read(d, &q->word, 0, word, 4 * words));
    IF_OK(s, download_values(d, &q->number, q->options.precision, 0, numbers, VKS_F64, number));
    for (uint32_t k = 0; !s && k < q->systems; k++) {
        vks_batch_report one =
            report_of(q, word + (size_t)k * BATCH_WORDS, number + (size_t)k * BATCH_NUMBERS);
        vks_batch_report_out(header, &one, vks_batch_report_at(header, report, q->system_of[k]));
    }
    room_close(&work);
    return s;
}

static void report_not_run(const vks_batch *q, uint32_t header, vks_batch_report *report)
{
    static const vks_batch_report none = {
        .reason = VKS_REASON_NOT_RUN, .row = UINT32_MAX, .residual = NAN, .true_residual = NAN};
    for (uint32_t s = 0; s < q->systems; s++)
        vks_batch_report_out(header, &none, vks_batch_report_at(header, report, s));
}

vks_status vks_batch_solve_as(uint32_t header, vks_batch *q, const vks_vector *b, vks_vector *x,
                              vks_batch_report *report)
{
    TRY(context_begin_as(q->context, header));
    report_not_run(q, header, report);
    TRY(check_vector(q, b, "b"));
    TRY(check_vector(q, x, "x"));
    if (b == x)
        return fail(&q->context->message, VKS_INVALID_ARGUMENT, "x is the same vector as b");
    const struct batch_solve s = {
        .q = q, .b = vec_of(b), .x = vec_of(x), .running = words_of(&q->running), .turns = turns_of(q)};
    TRY(solve(&s));
    return report ? read_reports(q, header, report) : VKS_OK;
}
