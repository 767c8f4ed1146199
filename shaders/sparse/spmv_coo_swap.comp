#include "kernel.glsl"
/* By swaps, where the device adds no floats. Traffic: as spmv_coo_atomic. */
#include "sparse/spmv_coo.glsl"
