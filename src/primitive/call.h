/* One public call of a primitive: a recording that is run at once, with room for its result and for a
 * reduction. */
#ifndef VKS_PRIMITIVE_CALL_H
#define VKS_PRIMITIVE_CALL_H

#include "primitive/array.h"
#include "primitive/verbs.h"

enum { FLOATS = 1u << VKS_TYPE_F64 | 1u << VKS_TYPE_F32, WORDS = 1u << VKS_TYPE_U32 };

struct primitive_call {
    vks_context *context;
    struct memory result;
    struct reduction reduction;
    struct rec rec;
};

/* The precision of kernels on elements of a type; words do not need 64-bit floats. */
static inline enum precision precision_for(vks_type type)
{
    return type == VKS_TYPE_F64 ? PRECISION_F64 : PRECISION_F32;
}

/* Allocates `result_bytes`, and a reduction of n items of item_bytes (0: none). */
vks_status primitive_begin(struct primitive_call *c, const vks_array *x, uint32_t result_bytes, uint32_t n,
                           uint32_t item_bytes);

/* Runs the recording unless s is a failure, reads the result, and releases everything. */
vks_status primitive_end(struct primitive_call *c, vks_status s, void *result, uint32_t result_bytes);

#endif
