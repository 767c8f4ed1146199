#include "kernel.glsl"
#define WIDE
#include "primitive/radix_scatter.glsl"
