/* Public calls for reductions: each is one dispatch. */
#include "primitive/call.h"
#include "report/names.h"

#include <string.h>

static const struct {
    const char *text;
} reductions[] = {
#define X(name, text) {text},
    VKS_REDUCTIONS(X)
#undef X
};

NAME_OF(vks_reduction_text, vks_reduction, reduction, reductions, text)

static vks_status fold(const vks_array *x, bool product, vks_pairing pairing, void *result)
{
    struct primitive_call c;
    uint32_t bytes = vks_type_bytes(x->type);
    vks_status s = primitive_begin(&c, x, bytes, x->n, bytes);
    uintptr_t to = (uintptr_t)c.result.address;
    if (x->type == VKS_TYPE_U32)
        reduce_u32(&c.rec, &c.reduction, array_words(x), (u32s)to, x->n, product, pairing);
    else
        reduce_real(&c.rec, &c.reduction, array_reals(x), (number)to, x->n, product, pairing);
    return primitive_end(&c, s, result, bytes);
}

void value_of_key(vks_type type, const uint32_t key[2], void *value)
{
    uint64_t bits = (uint64_t)key[1] << 32 | key[0], sign = (uint64_t)1 << (8 * vks_type_bytes(type) - 1);
    uint64_t all = sign | (sign - 1);
    if (!value)
        return;
    if (type != VKS_TYPE_U32 && bits == all)
        bits = all & ~sign; /* a quiet NaN */
    else if (type != VKS_TYPE_U32)
        bits = bits & sign ? bits ^ sign : ~bits;
    uint32_t narrow = (uint32_t)bits;
    memcpy(value, vks_type_bytes(type) == 8 ? (const void *)&bits : &narrow, vks_type_bytes(type));
}

static vks_status range_of(const vks_array *x, struct range_words *out)
{
    struct primitive_call c;
    if (!x->n)
        return fail(&x->context->message, VKS_INVALID_ARGUMENT, "no elements have no minimum and no maximum");
    vks_status s = primitive_begin(&c, x, sizeof *out, x->n, RANGE_ITEM_BYTES);
    u32s to = (u32s)(uintptr_t)c.result.address;
    if (x->type == VKS_TYPE_U32)
        min_max_u32(&c.rec, &c.reduction, array_words(x), to, x->n);
    else
        min_max_real(&c.rec, &c.reduction, array_reals(x), to, x->n);
    return primitive_end(&c, s, out, sizeof *out);
}

vks_status vks_min_max(const vks_array *x, void *least, uint32_t *least_at, void *largest,
                       uint32_t *largest_at)
{
    struct range_words found;
    context_begin(x->context);
    TRY(array_check(x, x->context, FLOATS | WORDS, "elements to be compared"));
    TRY(range_of(x, &found));
    value_of_key(x->type, found.low, least);
    value_of_key(x->type, found.high, largest);
    if (least_at)
        *least_at = found.low_at;
    if (largest_at)
        *largest_at = found.high_at;
    return VKS_OK;
}

vks_status vks_reduce(const vks_array *x, vks_reduction reduction, vks_pairing pairing, void *result)
{
    struct message *m = context_begin(x->context);
    TRY(array_check(x, x->context, FLOATS | WORDS, "elements to be reduced"));
    if ((unsigned)pairing >= VKS_PAIRING_COUNT_)
        return fail(m, VKS_INVALID_ARGUMENT, "%d is not a vks_pairing", (int)pairing);
    switch (reduction) {
    case VKS_REDUCE_SUM:
    case VKS_REDUCE_PRODUCT:
        return fold(x, reduction == VKS_REDUCE_PRODUCT, pairing, result);
    case VKS_REDUCE_MIN:
        return vks_min_max(x, result, NULL, NULL, NULL);
    case VKS_REDUCE_MAX:
        return vks_min_max(x, NULL, NULL, result, NULL);
    default:
        return fail(m, VKS_INVALID_ARGUMENT, "%d is not a vks_reduction", (int)reduction);
    }
}
