#version 460
#include "kernel.glsl"

#define item uint
#define quad uvec4
ADDRESS(8) buffer parts;

#include "primitive/scan_tops.glsl"
