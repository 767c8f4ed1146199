/* Public calls for histograms. */
#include "primitive/call.h"
#include "primitive/histogram_verbs.h"

#include <string.h>

/* The time is proportional to values times bins: beyond these limits a dispatch would run too long. */
enum { MOST_WEIGHTED_BINS = 65536 };
static const uint64_t most_steps = (uint64_t)1 << 36;

/* Checks that the bins are a separate array: they are cleared before values are read. */
static vks_status check_apart(const vks_array *bins, const vks_array *other)
{
    if (!other || bins->memory.address != other->memory.address)
        return VKS_OK;
    return fail(&bins->context->message, VKS_INVALID_ARGUMENT, "the bins are also the array that is counted");
}

/* Counts the first n values, or lengths; `weights` may be NULL. */
static vks_status count_words(const vks_array *values, const vks_array *weights, uint32_t n, uint32_t kind,
                              vks_array *bins, void *outside)
{
    struct primitive_call c;
    uint32_t beyond = 0;
    vks_status s = primitive_begin(&c, values, 4, 0, 0);
    histogram(&c.rec, array_words(values), array_words(weights ? weights : values), array_words(bins),
              (u32s)(uintptr_t)c.result.address, n, bins->n, kind);
    s = primitive_end(&c, s, &beyond, 4);
    if (!s && outside)
        memcpy(outside, &beyond, 4);
    return s;
}

static vks_status add_floats(const vks_array *values, const vks_array *weights, vks_array *bins,
                             void *outside)
{
    struct message *m = &values->context->message;
    struct device *d = values->context->device;
    struct primitive_call c;
    struct memory space = {0};
    uint32_t bytes = vks_type_bytes(weights->type);
    double beyond = 0;
    if (bins->n > MOST_WEIGHTED_BINS)
        return fail(m, VKS_LIMIT, "%u bins with floats as weights; the most is %d", bins->n,
                    MOST_WEIGHTED_BINS);
    if ((uint64_t)values->n * bins->n > most_steps)
        return fail(m, VKS_LIMIT, "%u values into %u bins with floats as weights; the product may be %llu",
                    values->n, bins->n, (unsigned long long)most_steps);
    vks_status s = primitive_begin(&c, weights, bytes, 0, 0);
    uint64_t sums = histogram_pieces(values->n) * ((uint64_t)bins->n + 1);
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, sums * bytes, "sums of bins", &space));
    histogram_real(&c.rec, array_words(values), array_reals(weights), (reals)(uintptr_t)space.address,
                   array_reals(bins), (number)(uintptr_t)c.result.address, values->n, bins->n);
    s = primitive_end(&c, s, &beyond, bytes);
    device_release(d, &space);
    if (!s && outside)
        memcpy(outside, &beyond, bytes);
    return s;
}

vks_status vks_histogram(const vks_array *values, const vks_array *weights, vks_array *bins, void *outside)
{
    vks_context *c = values->context;
    context_begin(c);
    TRY(array_check(values, c, WORDS, "values to be counted"));
    if (weights) {
        TRY(array_check(weights, c, FLOATS | WORDS, "weights"));
        TRY(array_check_length(weights, values->n, "weights"));
    }
    TRY(array_check(bins, c, 1u << (weights ? weights->type : VKS_TYPE_U32), "bins"));
    TRY(check_apart(bins, values));
    TRY(check_apart(bins, weights));
    if (weights && weights->type != VKS_TYPE_U32)
        return add_floats(values, weights, bins, outside);
    return count_words(values, weights, values->n, weights ? WEIGHTS : ONES, bins, outside);
}

vks_status vks_histogram_lengths(const vks_array *offsets, vks_array *bins, uint32_t *outside)
{
    vks_context *c = offsets->context;
    context_begin(c);
    TRY(array_check(offsets, c, WORDS, "offsets"));
    TRY(array_check(bins, c, WORDS, "bins"));
    TRY(check_apart(bins, offsets));
    uint32_t n = offsets->n ? offsets->n - 1 : 0;
    return count_words(offsets, NULL, n, LENGTHS, bins, outside);
}
