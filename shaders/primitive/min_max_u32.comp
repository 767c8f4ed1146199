#include "kernel.glsl"
#define KEYS_OF_U32
#include "primitive/key.glsl"

/* The least and the largest element of x and their positions: min_max.glsl */
FORWARD coherent buffer partials;
FORWARD coherent buffer tickets;
ARGS {
    u32s     x;
    partials s;
    tickets  t;
    u32s     result; /* six words */
    uint     n;
};

#include "primitive/min_max.glsl"
