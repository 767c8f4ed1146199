#include "kernel.glsl"

#define item uint
#define quad uvec4
TO_COME buffer parts;

#include "primitive/scan_tops.glsl"
