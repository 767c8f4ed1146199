#include "kernel.glsl"
#include "dense/gemm.h"

#define TILE GEMM_TILE
#if REAL == 64
#define DEPTH 8u
#else
#define DEPTH 16u
#endif
#include "dense/gemm.glsl"
