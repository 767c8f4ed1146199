#include "kernel.glsl"
#define ATOMIC_ADD
/* By the device's additions. Traffic: the entries and x once, y written and added to. */
#include "sparse/spmv_coo.glsl"
