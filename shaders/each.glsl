/* The vocabulary of a kernel whose text is also its host twin: shaders/vector/axpy.comp is compiled by glslc, and by
 * the C compiler once for each scalar type and instruction set (src/host/each.h). Such a kernel computes elements one
 * by one (FOR_EACH), without sums over them, shared memory or subgroups. Besides the words of kernel.glsl:
 *
 *   INLINE uint f(u32s a, uint i)   begins a function, which takes needed ARGS as parameters: only main sees ARGS
 *   number, control ...             single values are read only; C copies them where main begins, so they must exist
 *   FOR_EACH                        without return and break: in C they would end all elements of a thread
 *   real(x), uint(x), int(x)        conversions
 *   min, max, clamp, abs            of expressions without side effects; abs is of a real
 *   divide(x, y), square_root(x)    of exact.glsl
 *   atomicMin, atomicMax, atomicOr  on an element of u32s
 *
 * Data that main reads before FOR_EACH must exist for n = 0, too. In C stopped() is false: the host does not run a
 * dispatch whose guard is set. */
#ifdef VULKAN
#include "kernel.glsl"
#else
#include "host/each.h"
#endif
