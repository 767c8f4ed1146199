/* The little that the generator does to SPIR-V itself. */
#ifndef GENERATE_SPIRV_H
#define GENERATE_SPIRV_H

#include <stdint.h>

struct spirv {
    uint32_t *word;
    uint32_t count;
};

/* Why these words are no SPIR-V module whose instructions can be walked, or NULL. */
const char *spirv_fault(const struct spirv *s);

/* The type, a pointer's, of the next variable in the shared memory of a workgroup, or 0. `*at` is 0 before
 * the first. For a module without fault. */
uint32_t spirv_next_shared(const struct spirv *s, uint32_t *at);

/* A copy of a module without fault in which every floating-point arithmetic instruction is decorated
 * NoContraction: the host and every device then round alike, and `fma` is fused only where it is written.
 * Debug text is left out. */
struct spirv spirv_finish(const struct spirv *s);

#endif
