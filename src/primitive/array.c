#include "primitive/array.h"
#include "device/call.h"
#include "primitive/verbs.h"
#include "report/names.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t bytes;
    const char *text;
} types[] = {
#define X(name, bytes, text) [VKS_TYPE_##name] = {#name, bytes, text},
    VKS_TYPES(X)
#undef X
};

_Static_assert((int)VKS_TYPE_F64 == (int)VKS_F64 && (int)VKS_TYPE_F32 == (int)VKS_F32, "as documented");

static bool is_type(vks_type type)
{
    return (unsigned)type < VKS_TYPE_COUNT_;
}

NAME_OF(vks_type_name, vks_type, type, types, name)

uint32_t vks_type_bytes(vks_type type)
{
    return is_type(type) ? types[type].bytes : 0;
}

static vks_status check_new(vks_context *c, uint32_t n, vks_type type)
{
    struct message *m = context_begin(c);
    if (!is_type(type))
        return fail(m, VKS_INVALID_ARGUMENT, "%d is not a vks_type", (int)type);
    if (type == VKS_TYPE_F64 && !c->device->info.f64)
        return fail(m, VKS_UNSUPPORTED, "%s has no 64-bit floats; use VKS_TYPE_F32", c->device->info.name);
    if (n > VKS_LARGEST_INDEX)
        return fail(m, VKS_LIMIT, "an array of %u elements; the most is %u", n, VKS_LARGEST_INDEX);
    return VKS_OK;
}

/* Sets every element to the words low, high; to low if an element is one word. */
static vks_status fill_with(vks_array *a, uint32_t low, uint32_t high)
{
    bool wide = types[a->type].bytes == 8;
    struct call *c = call_begin(a->context, PRECISION_F32);
    fill_words(&c->rec, array_words(a), low, wide ? high : low, a->n, wide ? 2 : 1);
    return call_end(c);
}

vks_status array_fill(vks_array *a, const void *value)
{
    uint32_t words[2] = {0};
    memcpy(words, value, types[a->type].bytes);
    return fill_with(a, words[0], words[1]);
}

/* Rejects a vector stored as pairs of floats because the device lacks 64-bit floats. */
static vks_status check_floats(const vks_array *a)
{
    const struct device *d = a->context->device;
    if (a->type != VKS_TYPE_F64 || d->info.f64)
        return VKS_OK;
    return fail(&a->context->message, VKS_UNSUPPORTED,
                "%s has no 64-bit floats: a vector of them cannot be an array there", d->info.name);
}

vks_status vks_array_create(vks_context *context, uint32_t n, vks_type type, vks_array **array)
{
    *array = NULL;
    TRY(check_new(context, n, type));
    vks_array *a = calloc(1, sizeof *a);
    if (!a)
        return fail_memory(&context->message, "an array", sizeof *a);
    *a = (vks_array){.context = context, .type = type, .n = n};
    vks_status s = device_allocate(context->device, MEMORY_DEVICE, (uint64_t)n * types[type].bytes,
                                   "an array", &a->memory);
    IF_OK(s, fill_with(a, 0, 0));
    if (s) {
        device_release(context->device, &a->memory);
        free(a);
        return s;
    }
    context_retain(context);
    *array = a;
    return VKS_OK;
}

void vks_array_destroy(vks_array *array)
{
    if (!array || array->borrowed)
        return;
    device_release(array->context->device, &array->memory);
    context_release(array->context);
    free(array);
}

uint32_t vks_array_length(const vks_array *array)
{
    return array->n;
}

vks_type vks_array_type(const vks_array *array)
{
    return array->type;
}

static vks_status check_range(const vks_array *a, uint32_t first, uint32_t count)
{
    context_begin(a->context);
    TRY(check_floats(a));
    return context_check_range(a->context, first, count, "an array", a->n);
}

vks_status vks_array_write(vks_array *array, uint32_t first, uint32_t count, const void *values)
{
    uint64_t bytes = types[array->type].bytes;
    TRY(check_range(array, first, count));
    return device_write(array->context->device, &array->memory, first * bytes, values, count * bytes);
}

vks_status vks_array_read(const vks_array *array, uint32_t first, uint32_t count, void *values)
{
    uint64_t bytes = types[array->type].bytes;
    TRY(check_range(array, first, count));
    return device_read(array->context->device, &array->memory, first * bytes, values, count * bytes);
}

vks_status vks_array_fill(vks_array *array, const void *value)
{
    context_begin(array->context);
    TRY(check_floats(array));
    return array_fill(array, value);
}

vks_status array_check(const vks_array *a, vks_context *context, uint32_t allowed, const char *what)
{
    struct message *m = &context->message;
    if (a->context != context)
        return fail(m, VKS_INVALID_ARGUMENT, "%s: of a different context", what);
    vks_status s = check_floats(a);
    if (s)
        return s;
    if (allowed >> a->type & 1)
        return VKS_OK;
    return fail(m, VKS_INVALID_ARGUMENT, "%s cannot be %s (%s)", what, types[a->type].text,
                types[a->type].name);
}

vks_status array_check_length(const vks_array *a, uint32_t n, const char *what)
{
    if (a->n == n)
        return VKS_OK;
    return fail(&a->context->message, VKS_INVALID_ARGUMENT, "%s: %u elements instead of %u", what, a->n, n);
}
