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
#include "sparse/csr.glsl"

/* Conjugate gradients, A in CSR with one lane a row, without long rows.
 * Traffic per iteration: the matrix, p read and written, 48 (24 in f32) bytes from each workgroup to each other. */
ARGS {
    control    c;
    cg_numbers w;
    u32s       sync_words; /* RENDEZVOUS_... */
    u32s       row; /* n + 1 offsets into col and val */
    u32s       col;
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
CONSTANT(2, spread); /* a workgroup has 1 << spread tiles, 256 >> spread apart */

scalar_t row_of_product(uint part, uint i)
{
    csr A = csr(offsets_in(row), offsets_in(col), values_in(val), n);
    return row_terms(A, scalars_in(p), row_range(A, i), 0, 1u);
}

#include "solver/cg_together.glsl"
