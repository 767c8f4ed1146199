/* The little that is done to SPIR-V itself: by the generator, and to code that comes at run time. */
#ifndef VKS_DEVICE_SPIRV_H
#define VKS_DEVICE_SPIRV_H

#include <stdbool.h>
#include <stdint.h>

struct spirv {
    uint32_t *word; /* by malloc */
    uint32_t count;
};

/* Modules in few bytes (spirv_pack.c). */
struct packed {
    const unsigned char *byte;
    uint32_t count;
};

/* The modules, which are not broken, in so many bytes, by malloc. NULL: out of memory. */
unsigned char *spirv_pack(const struct spirv *modules, uint32_t count, uint32_t *bytes);
/* *out is a copy of the module `index`. False: out of memory, or there is none. */
bool spirv_unpack(const struct packed *p, uint32_t index, struct spirv *out);

/* Why these words are no SPIR-V module whose instructions can be walked, or NULL. */
const char *spirv_broken(const struct spirv *s);

/* The same, or why it is not whole. */
const char *spirv_fault(const struct spirv *s);

/* The type, a pointer's, of the next variable in the shared memory of a workgroup, or 0. `*at` is 0 before
 * the first. For a module without fault. */
uint32_t spirv_next_shared(const struct spirv *s, uint32_t *at);

/* Whether the invocations of a workgroup wait for each other in a module without fault. */
bool spirv_has_barrier(const struct spirv *s);

/* What a module without fault has that no pipeline of the library gives it, or NULL: arguments of shaders are
 * push constants alone, and few features are enabled (device/vulkan/features.c). With subgroups there is
 * HALVES of shaders/kernel.glsl, a constant with the id 0. The compiler refuses another one with that id. */
const char *spirv_foreign(const struct spirv *s, bool subgroups);

/* Whether a module without fault computes with 64-bit floats. */
bool spirv_has_f64(const uint32_t *word, uint32_t count);

/* What an invocation of a module without fault needs where all functions are inlined, as drivers do:
 * instructions, and bytes of variables of its own. The largest number stands for all beyond it. */
struct spirv_needs {
    uint64_t instructions, bytes;
    bool makes_addresses; /* of device memory, from numbers or from those of other types */
};
bool spirv_needs(const struct spirv *s, struct spirv_needs *out); /* false: out of memory */

/* *out is a copy of a module without fault in which every floating-point arithmetic instruction is decorated
 * NoContraction: the host and every device then round alike, and `fma` is fused only where it is written. Its
 * casts are split (below), and debug text is left out. False: out of memory. */
bool spirv_finish(const struct spirv *s, struct spirv *out);

/* spirv_addresses.c, for modules without fault; false: out of memory. */

/* Casts an address to the type of another one by way of two words: some drivers cannot do it at once. */
bool spirv_split_casts(struct spirv *s);
/* The casts from address to address. */
bool spirv_count_casts(const struct spirv *s, uint32_t *count);
/* Whether an address is compared with a number. No address is null on a device, so that says nothing. */
bool spirv_compares_address(const struct spirv *s, bool *compares);

#endif
