#include "kernel.glsl"
#define ATOMIC_ADD
/* Adds by atomic float additions of the device. Traffic: the entries and x once, y written and added to. */
#include "sparse/spmv_csc.glsl"
