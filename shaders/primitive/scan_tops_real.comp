#include "kernel.glsl"

#define item real
#if REAL == 64
#define quad dvec4
#define DOUBLES
#else
#define quad vec4
#endif
FORWARD buffer parts;

#include "primitive/scan_tops.glsl"
