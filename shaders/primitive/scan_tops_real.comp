#include "kernel.glsl"

#define item real
#if REAL == 64
#define quad dvec4
#define DOUBLES
#else
#define quad vec4
#endif
TO_COME buffer parts;

#include "primitive/scan_tops.glsl"
