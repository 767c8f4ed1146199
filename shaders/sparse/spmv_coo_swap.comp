#include "kernel.glsl"
/* Adds by swaps, for devices without atomic float additions. Traffic: as spmv_coo_atomic. */
#include "sparse/spmv_coo.glsl"
