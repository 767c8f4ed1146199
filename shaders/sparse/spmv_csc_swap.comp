#include "kernel.glsl"
/* Adds by swaps, for devices without atomic float additions. Traffic: as spmv_csc_atomic. */
#include "sparse/spmv_csc.glsl"
