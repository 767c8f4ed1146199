#include "primitive/sort.h"
#include "abi/abi.h"
#include "primitive/array.h"
#include "report/names.h"
#include "vksolve/sort.h"

static const struct {
    const char *name, *text;
} methods[] = {{"auto", "what suits the array"},
#define X(NAME, name, text) {#name, text},
               VKS_SORT_METHODS(X)
#undef X
};

NAME_OF(vks_sort_method_name, vks_sort_method, method, methods, name)
NAME_OF(vks_sort_method_text, vks_sort_method, method, methods, text)

static bool has_floats(const vks_array *keys)
{
    return keys->type == VKS_TYPE_F32 || keys->type == VKS_TYPE_F64;
}

static uint32_t bits_of(const vks_array *keys)
{
    return 8 * vks_type_bytes(keys->type);
}

static struct sorted sorted_of(const vks_array *keys, const vks_array *payload)
{
    return (struct sorted){.keys = array_words(keys),
                           .payload = payload ? array_words(payload) : NULL,
                           .n = keys->n,
                           .words = bits_of(keys) / 32,
                           .floats = has_floats(keys)};
}

static vks_status check_arrays(const vks_array *keys, const vks_array *payload)
{
    struct message *m = context_begin(keys->context);
    TRY(array_check(keys, keys->context, (1u << VKS_TYPE_COUNT_) - 1, "the keys"));
    if (!payload)
        return VKS_OK;
    TRY(array_check(payload, keys->context, 1u << VKS_TYPE_U32, "the payload"));
    TRY(array_check_length(payload, keys->n, "the payload"));
    if (payload == keys)
        return fail(m, VKS_INVALID_ARGUMENT, "the keys and the payload are one array");
    return VKS_OK;
}

/* Fills in the defaults. */
static vks_status settle(const vks_array *keys, const vks_array *payload, vks_sort_options *o)
{
    struct message *m = &keys->context->message;
    uint32_t all = bits_of(keys);
    if ((unsigned)o->method >= VKS_SORT_METHOD_COUNT_)
        return fail(m, VKS_INVALID_ARGUMENT, "%d is not a vks_sort_method", (int)o->method);
    if (o->bits > all)
        return fail(m, VKS_INVALID_ARGUMENT, "the lowest %u bits of keys of %u", o->bits, all);
    if (o->bits && o->bits < all && (has_floats(keys) || o->method == VKS_SORT_BITONIC))
        return fail(m, VKS_INVALID_ARGUMENT,
                    "the lowest %u bits: only the radix sort of integers can do that", o->bits);
    bool whole = !o->bits || o->bits == all;
    if (!o->method)
        o->method = whole && !payload && keys->n <= BITONIC_CHUNK ? VKS_SORT_BITONIC : VKS_SORT_RADIX;
    o->bits = whole ? all : o->bits;
    return VKS_OK;
}

static vks_status sort_whole(uint32_t header, const vks_array *keys, const vks_array *payload,
                             const vks_sort_options *options)
{
    vks_sort_options o = vks_sort_options_in(header, options);
    struct device *d = keys->context->device;
    vks_status s = context_begin_as(keys->context, header);
    IF_OK(s, check_arrays(keys, payload));
    IF_OK(s, settle(keys, payload, &o));
    if (s || keys->n < 2)
        return s;
    struct sorted a = sorted_of(keys, payload);
    struct room w = {.device = d};
    struct rec r =
        rec_once(d, PRECISION_F32); /* the kernels use only words: a device without f64 can also sort U64 */
    if (o.method == VKS_SORT_BITONIC) {
        bitonic_sort(&r, &a);
    } else {
        struct radix second = room_radix(&w, &a, RADIX_MOST_BLOCKS);
        radix_sort(&r, &second, &a, o.bits);
    }
    s = rec_run_once(&r, w.status);
    room_close(&w);
    return s;
}

vks_status vks_sort_as(uint32_t header, vks_array *keys, const vks_sort_options *options)
{
    return sort_whole(header, keys, NULL, options);
}

vks_status vks_sort_pairs_as(uint32_t header, vks_array *keys, vks_array *payload,
                             const vks_sort_options *options)
{
    return sort_whole(header, keys, payload, options);
}

static vks_status check_segments(const vks_array *keys, const vks_array *payload, const vks_array *offsets)
{
    TRY(check_arrays(keys, payload));
    TRY(array_check(offsets, keys->context, 1u << VKS_TYPE_U32, "the offsets"));
    if (offsets == keys || offsets == payload)
        return fail(&keys->context->message, VKS_INVALID_ARGUMENT,
                    "the offsets and what they part are one array");
    return VKS_OK;
}

/* Sorts the segments listed by bitonic_segments. */
static vks_status sort_listed(struct rec *r, const struct sorted *a, u32s offsets, const struct chunks *w)
{
    uint32_t tally[3] = {0}; /* see bitonic_segments.comp */
    vks_status s = device_read(r->device, &w->tally, 0, tally, sizeof tally);
    if (!s && tally[2] != UINT32_MAX)
        s = fail(r->device->message, VKS_INVALID_ARGUMENT,
                 "the offsets of segment %u descend or leave the array of %u", tally[2], a->n);
    if (s || !tally[0])
        return s;
    rec_clear(r);
    bitonic_listed(r, a, offsets, w, tally[0], tally[1]);
    return rec_run(r);
}

vks_status vks_sort_segments(vks_array *keys, vks_array *payload, const vks_array *offsets)
{
    vks_status s = check_segments(keys, payload, offsets);
    if (s || offsets->n < 2)
        return s;
    struct device *d = keys->context->device;
    struct sorted a = sorted_of(keys, payload);
    struct room room = {.device = d};
    struct rec r = rec_once(d, PRECISION_F32);
    struct chunks w = room_chunks(&room, a.n);
    bitonic_segments(&r, &a, array_words(offsets), offsets->n - 1, &w);
    s = room.status;
    IF_OK(s, rec_run(&r));
    IF_OK(s, sort_listed(&r, &a, array_words(offsets), &w));
    rec_destroy(&r);
    room_close(&room);
    return s;
}
