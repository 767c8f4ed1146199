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

/* Conjugate gradients, A in SELL of slices of 32 rows whose entries are codes, without long rows.
 * Traffic per iteration: the matrix, p read and written, 48 (24 in f32) bytes from each workgroup to each other. */
ARGS {
    control    c;
    cg_numbers w;
    u32s       sync_words; /* RENDEZVOUS_... */
    u32s       slice; /* slices + 1 offsets, as if entries were stored one by one */
    u32s       code;
    u32s       apart; /* of each kind, and of code 0 */
    values     value;
    scalars    x;
    scalars    p;
    scalars    r;
    scalars    d; /* 1 / diagonal */
    reals      history;
    scalars    q; /* for the twin only, like s and stride */
    sums       s;
    uint       n;
    uint       count; /* iterations; 0: only synchronise */
    uint       units; /* of four entries, per row in every slice; 0: see `slice` */
    uint       stride;
};
CONSTANT(1, form); /* FORM_NONE or FORM_EACH */
CONSTANT(2, spread); /* a workgroup has 1 << spread tiles, 256 >> spread apart */
CONSTANT(3, lanes);  /* per row */
CONSTANT(4, wide);   /* whether codes have 16 bits, else 8 */
CONSTANT(5, few);    /* `units` if they are few, else 0 */

/* Only if the loop is not unrolled: on an H200, elasticity3d 16 in f32 then takes 15.3 us an iteration instead of 16.7;
 * but poisson3d 64, which is unrolled, would take 15.6 instead of 14.7. */
#define READS_FOR_NONE (few == 0)
#include "sparse/coded.glsl"

scalar_t row_of_product(uint part, uint row)
{
    coded A = coded_of(slice, code, apart, value, n, few != 0 ? few : units, wide);
    return part < A.slices ? coded_row(A, scalars_in(p), coded_slice_at(A, part), row, lanes, few) : scalar_t(0);
}

#include "solver/cg_together.glsl"
