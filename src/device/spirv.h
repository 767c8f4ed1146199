/* Operations on SPIR-V, used by the generator and on code supplied at run time. */
#ifndef VKS_DEVICE_SPIRV_H
#define VKS_DEVICE_SPIRV_H

#include <stdbool.h>
#include <stdint.h>

struct spirv {
    uint32_t *word; /* by malloc */
    uint32_t count;
};

/* Compressed modules (spirv_pack.c). */
struct packed {
    const unsigned char *byte;
    uint32_t count;
};

/* Compresses the modules, which must not be broken, to *bytes bytes, by malloc. NULL: out of memory. */
unsigned char *spirv_pack(const struct spirv *modules, uint32_t count, uint32_t *bytes);
/* *out is a copy of module `index`. False: out of memory, or no such module. */
bool spirv_unpack(const struct packed *p, uint32_t index, struct spirv *out);

/* The reason why these words are not a SPIR-V module with walkable instructions, or NULL. */
const char *spirv_broken(const struct spirv *s);

/* spirv_broken, or the reason why the module is incomplete. */
const char *spirv_fault(const struct spirv *s);

/* The pointer type of the next variable in workgroup shared memory, or 0. `*at` is 0 before the first one.
 * The module is without fault. */
uint32_t spirv_next_shared(const struct spirv *s, uint32_t *at);

/* Whether the invocations of a workgroup synchronise in a module without fault. */
bool spirv_has_barrier(const struct spirv *s);

/* A feature that a module without fault uses and the library's pipelines do not provide, or NULL. Shader
 * arguments are push constants only, and few features are enabled (device/vulkan/features.c). With subgroups,
 * id 0 is the constant HALVES of shaders/kernel.glsl. The compiler refuses another constant with that id. */
const char *spirv_foreign(const struct spirv *s, bool subgroups);

/* Whether a module without fault computes with 64-bit floats. */
bool spirv_has_f64(const uint32_t *word, uint32_t count);

/* The needs of an invocation of a module without fault with all functions inlined, as drivers do:
 * instructions, and bytes of its own variables. Counts saturate at the largest number. */
struct spirv_needs {
    uint64_t instructions, bytes;
    bool makes_addresses; /* makes addresses of device memory from numbers or addresses of other types */
};
bool spirv_needs(const struct spirv *s, struct spirv_needs *out); /* false: out of memory */

/* *out is a copy of a module without fault in which every floating-point arithmetic instruction is decorated
 * NoContraction. So the host and every device round alike, and only a written `fma` is fused. Casts are split
 * (below), and debug text is removed. False: out of memory. */
bool spirv_finish(const struct spirv *s, struct spirv *out);

/* spirv_addresses.c: for modules without fault; false: out of memory. */

/* Splits casts between address types into casts to and from two words, as some drivers need. */
bool spirv_split_casts(struct spirv *s);
/* Counts the casts from address to address. */
bool spirv_count_casts(const struct spirv *s, uint32_t *count);
/* Whether an address is compared with a number: a meaningless test, since no device address is null. */
bool spirv_compares_address(const struct spirv *s, bool *compares);

#endif
