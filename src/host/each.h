/* The C side of shaders/each.glsl: a kernel that is its own twin needs this and host/words.h. The build
 * defines KERNEL_NAME, KERNEL_ARGS (its struct in kernels.h) and ARGUMENTS (its list in arguments.h).
 *
 * In the body an array is a struct, as in x.at[i], and a single value is a copy, as in alpha.value. They are
 * parameters of a function, so that the compiler need not reread them after a store to an element. */
#ifndef VKS_HOST_EACH_H
#define VKS_HOST_EACH_H

#define ONE_BODY /* for device/kernel_types.h */
#include "host/kernel.h"

#include "arguments.h"

#include <string.h>

#define ARGS struct as_in_the_shader
#define CONSTANT(id, name) enum { constant_##name = id }
#define DEFINE_NO_ADDRESS

#define UNUSED __attribute__((unused))
#define ADDRESS_PARAMETER(type, name) , UNUSED const type name
#define VALUE_PARAMETER(type, name) , UNUSED const struct type name
#define ADDRESS_ARGUMENT(type, name) , a->name
#define VALUE_ARGUMENT(type, name) , *a->name
#define BODY static void body(UNUSED struct member *me ARGUMENTS(ADDRESS_PARAMETER, VALUE_PARAMETER))

/* void main() { ... } */
#define main()                                                  \
    TWIN(KERNEL_NAME)(const void *args, struct member *me);     \
    BODY;                                                       \
    void TWIN(KERNEL_NAME)(const void *args, struct member *me) \
    {                                                           \
        const KERNEL_ARGS *a = args;                            \
        body(me ARGUMENTS(ADDRESS_ARGUMENT, VALUE_ARGUMENT));   \
    }                                                           \
    BODY

#define FOR_EACH(i, n) PARALLEL_FOR (i, n)
#define stopped(guard) false /* the host does not run stopped kernels */
#define is_there(address) IS_THERE_##address
#define IS_THERE_uvec2(array) ((array).at != NULL)

#ifdef __clang__
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define int(x) ((int)(x))
#define double(x) ((double)(x))

#define min(x, y) ((y) < (x) ? (y) : (x))
#define max(x, y) ((x) < (y) ? (y) : (x))
#define clamp(x, least, most) min(max(x, least), most)
#define abs(x) ((real)fabs(x))

#define atomicMin(word, v) take_least(&(word), v)
#define atomicMax(word, v) take_most(&(word), v)
#define atomicOr(word, v) add_bits(&(word), v)

/* The atomic operation is a separate statement on a pointer and a value, because gcc 12 with UBSan drops it
 * in larger expressions. */
static inline void add_bits(uint *word, uint bits)
{
    __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}

static inline uint groups_of(uint n, uint size)
{
    return n / size + (n % size != 0);
}

typedef struct {
    uint x, y;
} uvec2;
#define uvec2(x, y) ((uvec2){x, y})

static inline float uintBitsToFloat(uint word)
{
    float v;
    memcpy(&v, &word, sizeof v);
    return v;
}

static inline double packDouble2x32(uvec2 words)
{
    uint64_t word = (uint64_t)words.y << 32 | words.x;
    double v;
    memcpy(&v, &word, sizeof v);
    return v;
}

/* fused.glsl */
#define reciprocal(x) (1 / (x))

#endif
