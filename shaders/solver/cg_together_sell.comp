#pragma use_vulkan_memory_model
#define SUMS 2
#define X_IN nonprivate /* x is p */
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "halves.glsl"
#include "solver/cg.glsl"
#include "solver/together.h"
#include "sparse/sell.glsl"

/* Conjugate gradients, A in SELL of slices of 32 rows in their order, without long rows.
 * Traffic per iteration: the matrix, p read and written, 48 (24 in f32) bytes from each workgroup to each other. */
ARGS {
    control    c;
    cg_numbers w;
    u32s       sync_words; /* RENDEZVOUS_... */
    u32s       slice; /* slices + 1 offsets into val */
    u32s       col;
    u32s       base; /* if columns are compact */
    values     val;
    scalars    x;
    scalars    p;
    scalars    r;
    scalars    d; /* 1 / diagonal */
    reals      history;
    scalars    q; /* for the twin only, like s and stride */
    sums       s;
    uint       n;
    uint       count; /* iterations; 0: only synchronise */
    uint       stride;
};
CONSTANT(1, form); /* FORM_NONE or FORM_EACH */
CONSTANT(2, spread);  /* a workgroup has 1 << spread tiles, 256 >> spread apart */
CONSTANT(3, lanes);   /* per row */
CONSTANT(4, compact); /* whether columns are compact */

scalar_t row_of_product(uint part, uint row)
{
    sell A = sell_32(slice, col, base, val, n, compact);
    return sell_row(A, scalars_in(p), slice_at(A, part), LANE, lanes);
}

#include "solver/cg_together.glsl"
