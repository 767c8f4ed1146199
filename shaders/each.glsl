/* The vocabulary of a kernel whose text is also its host twin: shaders/vector/axpy.comp is compiled by glslc, and by the
 * C compiler once for each scalar type and instruction set. It suits a kernel that computes elements one by one
 * (FOR_EACH), without sums over them, shared memory or subgroups. Its file is GLSL within what is also C:
 *
 *   INLINE uint f(u32s a, uint i)  a function. Only main sees ARGS
 *   number, control ...            addresses of one value are read only, once, where main begins
 *   real(x), uint(x), int(x)       conversions; C needs one where the type of a constant matters, too
 *   atomicOr, atomicMin, atomicMax on an element of u32s
 *
 * In C stopped() is false, as the host does not run a dispatch whose guard is set. Nothing of ARGS is read in C before a
 * loop of no elements, except values behind numbers. docs/internals/kernels.md has an example. */
#ifdef VULKAN
#include "kernel.glsl"
#else
#include "host/each.h"
#endif
