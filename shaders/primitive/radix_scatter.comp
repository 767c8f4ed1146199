#version 460
#include "kernel.glsl"
#include "primitive/radix_scatter.glsl"
