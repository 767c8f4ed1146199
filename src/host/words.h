/* Words of shaders, for text that is GLSL and C (INLINE in shaders/kernel.glsl). */
#ifndef VKS_HOST_WORDS_H
#define VKS_HOST_WORDS_H

#include "host/algebra.h"

#include <stdint.h>

typedef uint32_t uint;

#define INLINE static inline
#define STRUCT(name)          \
    typedef struct name name; \
    struct name

/* ADDRESS(8) buffer numbers { real rho; }; becomes the struct to which a twin's argument points. */
#define ADDRESS(bytes)
#define buffer struct

#define real(x) ((real)(x))
#define scalar_t(x) ((scalar_t)(x))
#define uint(x) ((uint)(x))

#if REAL == 64
#define ROOT sqrt
#define FMA fma /* the C library's, slow but correct, if the instruction set has none */
#else
#define ROOT sqrtf
#define FMA fmaf
#endif
#define square_root(x) ROOT(x)

#endif
