#include "kernel.glsl"
/* By swaps, where the device adds no floats. Traffic: as spmv_csc_atomic. */
#include "sparse/spmv_csc.glsl"
