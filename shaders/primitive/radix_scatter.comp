#include "kernel.glsl"
#include "primitive/radix_scatter.glsl"
