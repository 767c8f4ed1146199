/* The calls of vksolve/batch.h that make a batch, and its facts. */
#include "abi/abi.h"
#include "solvers/batch/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(VKS_LARGEST_BATCH_SYSTEM == BATCH_ROWS && VKS_LARGEST_BATCH_ELIMINATION == BATCH_DENSE,
               "as documented");

static vks_status check_choice(struct message *m, vks_batch_options *o)
{
    bool direct = o->method == VKS_METHOD_GAUSS_JORDAN;
    if (o->method == VKS_METHOD_AUTO)
        o->method = VKS_METHOD_CG;
    if (o->precond == VKS_PRECOND_AUTO)
        o->precond = direct ? VKS_PRECOND_NONE : VKS_PRECOND_JACOBI;
    if (o->method != VKS_METHOD_CG && o->method != VKS_METHOD_BICGSTAB && !direct)
        return fail(m, VKS_UNSUPPORTED, "batches have no method %s", vks_method_name(o->method));
    if (o->precond != VKS_PRECOND_NONE && (direct || o->precond != VKS_PRECOND_JACOBI))
        return fail(m, VKS_UNSUPPORTED, "batches have no preconditioner %s%s", vks_precond_name(o->precond),
                    direct ? " with elimination" : "");
    return VKS_OK;
}

static vks_status check_options(vks_context *context, vks_precision of_values, vks_batch_options *o)
{
    struct message *m = &context->message;
    TRY(context_check_arithmetic(context, o->precision));
    TRY(context_check_values(context, of_values));
    TRY(check_choice(m, o));
    if (!(o->rtol >= 0 && isfinite(o->rtol) && o->atol >= 0 && isfinite(o->atol)))
        return fail(m, VKS_INVALID_ARGUMENT, "rtol %g and atol %g must be finite and not negative", o->rtol,
                    o->atol);
    if (o->rtol == 0)
        o->rtol = scalar_types[scalar_chosen(o->precision)].rtol;
    return VKS_OK;
}

static vks_status choose_method(vks_batch *q, const struct batch_patterns *patterns)
{
    q->method = q->options.method == VKS_METHOD_CG         ? BATCH_BY_CG
                : q->options.method == VKS_METHOD_BICGSTAB ? BATCH_BY_BICGSTAB
                : q->is_tridiagonal                        ? BATCH_BY_REDUCTION
                                                           : BATCH_BY_ELIMINATION;
    for (uint32_t s = 0; s < q->systems && q->method == BATCH_BY_ELIMINATION; s++)
        if (batch_pattern(patterns, s)->n > BATCH_DENSE)
            return fail(
                &q->context->message, VKS_LIMIT,
                "system %u, from 0, has %u rows, and not all systems are tridiagonal; elimination takes "
                "at most %u rows",
                s, batch_pattern(patterns, s)->n, BATCH_DENSE);
    if (q->method == BATCH_BY_ELIMINATION && q->dense_elements > VKS_LARGEST_INDEX)
        return fail(&q->context->message, VKS_LIMIT, "dense matrices of %llu elements; the most is %u",
                    (unsigned long long)q->dense_elements, VKS_LARGEST_INDEX);
    return VKS_OK;
}

/* Device memory apart from patterns. */
static void take_room(vks_batch *q)
{
    struct room *w = &q->room;
    const uint64_t systems = q->systems, bytes = real_bytes(q->precision);
    q->val = room_memory(w, MEMORY_DEVICE, q->slots * bytes, "values of systems");
    q->word = room_memory(w, MEMORY_DEVICE, 4 * systems * BATCH_WORDS, "states of systems");
    q->number = room_memory(w, MEMORY_DEVICE, bytes * systems * BATCH_NUMBERS, "states of systems");
    q->tolerance = room_memory(w, MEMORY_DEVICE, 2 * bytes, "tolerances");
    q->running = room_memory(w, MEMORY_DEVICE, 4, "a count of systems");
    q->box = room_memory(w, MEMORY_SHARED, 8, "a count of systems");
    struct vec *vectors[] = {&q->y, &q->r, &q->d, &q->p, &q->shadow};
    const size_t count = q->method == BATCH_BY_BICGSTAB ? 5 : q->method == BATCH_BY_CG ? 4 : 3;
    for (size_t k = 0; k < count; k++)
        *vectors[k] = room_vec(w, q->rows, q->precision, "a vector of a batch");
    if (q->method == BATCH_BY_ELIMINATION)
        q->dense = room_memory(w, MEMORY_DEVICE, q->dense_elements * bytes, "dense matrices of systems");
}

static vks_status fill(vks_batch *q, const struct batch_patterns *patterns)
{
    const double tolerance[] = {q->options.rtol, q->options.atol};
    TRY(batch_measure(q, patterns));
    TRY(choose_method(q, patterns));
    TRY(batch_lay_out(q, patterns));
    if (q->options.max_iterations == 0)
        q->options.max_iterations = 10 * (q->largest > 100 ? q->largest : 100);
    take_room(q);
    TRY(q->room.status);
    return upload_values(q->context->device, &q->tolerance, q->options.precision, 0, 2, VKS_F64, tolerance);
}

/* Makes a batch without values. */
static vks_status make(vks_context *context, const struct batch_patterns *patterns,
                       const vks_batch_options *o, vks_batch **batch)
{
    if (patterns->systems < 1)
        return fail(&context->message, VKS_INVALID_ARGUMENT, "a batch of no systems");
    vks_batch *q = calloc(1, sizeof *q);
    if (!q)
        return fail_memory(&context->message, "a batch", sizeof *q);
    q->context = context;
    q->options = *o;
    q->precision = precision_of(o->precision);
    room_open(&q->room, context->device);
    context_retain(context);
    vks_status s = fill(q, patterns);
    if (s)
        vks_batch_destroy(q);
    else
        *batch = q;
    return s;
}

static vks_status give_values(vks_status s, vks_batch **batch, vks_precision of_values, const void *values)
{
    IF_OK(s, batch_take_values(*batch, of_values, values));
    if (s) {
        vks_batch_destroy(*batch);
        *batch = NULL;
    }
    return s;
}

vks_status vks_batch_create_as(uint32_t header, vks_context *context, uint32_t systems, uint32_t n,
                               const uint32_t *row, const uint32_t *col, vks_precision of_values,
                               const void *values, const vks_batch_options *options, vks_batch **batch)
{
    *batch = NULL;
    TRY(context_begin_as(context, header));
    vks_batch_options o = vks_batch_options_in(header, options);
    TRY(check_options(context, of_values, &o));
    const vks_batch_system shared = {n, row, col, values};
    const struct batch_patterns patterns = {.systems = systems, .shared = &shared};
    return give_values(make(context, &patterns, &o, batch), batch, of_values, values);
}

/* Copies the values of all systems into one array. */
static void join_values(const vks_batch_system *system, uint32_t systems, uint32_t bytes, char *to)
{
    for (uint32_t s = 0; s < systems; s++) {
        size_t length = (size_t)system[s].row[system[s].n] * bytes;
        if (length)
            memcpy(to, system[s].values, length);
        to += length;
    }
}

vks_status vks_batch_create_of_as(uint32_t header, vks_context *context, uint32_t systems,
                                  const vks_batch_system *system, vks_precision of_values,
                                  const vks_batch_options *options, vks_batch **batch)
{
    *batch = NULL;
    TRY(context_begin_as(context, header));
    vks_batch_options o = vks_batch_options_in(header, options);
    TRY(check_options(context, of_values, &o));
    if (!system)
        return fail(&context->message, VKS_INVALID_ARGUMENT, "the systems are NULL");
    const struct batch_patterns patterns = {.systems = systems, .own = system};
    TRY(make(context, &patterns, &o, batch));
    const uint32_t bytes = real_bytes(precision_of(of_values));
    struct room work = {.device = context->device};
    char *values = room_host(&work, (uint64_t)(*batch)->entries * bytes, "values of systems");
    if (values)
        join_values(system, systems, bytes, values);
    vks_status s = give_values(work.status, batch, of_values, values);
    room_close(&work);
    return s;
}

void vks_batch_destroy(vks_batch *q)
{
    if (!q)
        return;
    room_close(&q->room);
    context_release(q->context);
    free(q);
}

uint32_t vks_batch_systems(const vks_batch *q)
{
    return q->systems;
}

uint32_t vks_batch_rows(const vks_batch *q)
{
    return q->rows;
}

uint32_t vks_batch_entries(const vks_batch *q)
{
    return q->entries;
}
