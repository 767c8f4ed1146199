#version 460
#pragma use_vulkan_memory_model
#define SUMS 2
#define X_IN nonprivate /* it is p */
#include "kernel.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "halves.glsl"
#include "solver/cg.glsl"
#include "solver/together.h"
#include "sparse/sell.glsl"

/* Conjugate gradients, A in SELL of slices of 32 rows in their order, without long rows.
 * Traffic of an iteration: the matrix, p read and written, and 48 (24 in f32) bytes that each workgroup tells each other. */
ARGS {
    control    c;
    cg_numbers w;
    u32s       met; /* MEETING_... */
    u32s       slice; /* slices + 1 offsets into val */
    u32s       col;
    u32s       base; /* null: columns are not compact */
    values     val;
    reals      x;
    reals      p;
    reals      r;
    reals      d; /* 1 / diagonal, where FORM_JACOBI is set */
    reals      history;
    reals      q; /* for the twin alone, as s and stride */
    sums       s;
    uint       n;
    uint       count; /* iterations; 0: only meet */
    uint       form;  /* FORM_... */
    uint       stride;
};

real row_of_product(uint part, uint row)
{
    sell A = sell_32(slice, col, base, val, n);
    return sell_row(A, reals_in(p), slice_at(A, part), LANE, form >> FORM_LANES & 15u);
}

#include "solver/cg_together.glsl"
