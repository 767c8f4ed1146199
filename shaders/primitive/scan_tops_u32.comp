#include "kernel.glsl"

#define item uint
#define quad uvec4
FORWARD buffer parts;

#include "primitive/scan_tops.glsl"
