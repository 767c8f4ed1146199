#include "kernel.glsl"
#include "dense/gemm.h"

/* Smaller tiles, for matrices with few large ones. */
#define TILE GEMM_SMALL_TILE
#define DEPTH 16u
#include "dense/gemm.glsl"
