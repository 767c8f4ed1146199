/* The scalars of IDR(4) and its shadow vectors. Letters as in van Gijzen and Sonneveld (2011). They never leave the
 * device.
 *
 * A shadow vector consists of signs +1 and -1 from a hash, or of numbers (shadow.h): it is neither stored nor read.
 *
 * As in cg.glsl, every workgroup of a kernel itself computes the sums that the previous kernel left. So no workgroup
 * may read what another one of the same dispatch writes:
 *   idr_direction  reads omega, m, least and the step's part of f; writes c, ended and the f of a new cycle
 *   idr_step k     reads f[k] and the columns of m before k; writes column k of m, the f after k, and least
 *   idr_minimum    reads nothing; writes c
 *   idr_end        reads its sums; writes omega
 * The first workgroup writes. */
#include "solver/control.glsl"
#include "solver/idr.h"

ADDRESS(REAL_BYTES) buffer idr_numbers {
    uint fresh; /* 1: a product has been done since r . r was tested */
    uint unused;
    real start;     /* the number of this start, from 1, which selects the shadow vectors; negative: see shadow.h */
    real fault;     /* IDR_... */
    scalar_t omega;
    real ended;     /* r . r at the last end of a cycle */
    real least;     /* the least `ended`, that of the best x; 0 before the first */
    real marked;    /* r . r from which stagnation is counted; 0 before the first */
    real since;     /* products since then */
    scalar_t pivot; /* m[k][k], or t . r */
    real square;    /* reference of the pivot: the square of the new column of G, or t . t */
    scalar_t f[4];
    scalar_t c[4];
    scalar_t m[16]; /* column k: m[4 k + i], i >= k */
};

#include "solver/shadow.glsl"

#ifdef VULKAN
/* Directions of a cycle of n rows: no more are independent. */
uint idr_directions(uint n)
{
    return min(n, IDR_S);
}

uint shadow_key(idr_numbers w)
{
    return hash(uint(abs(w.start)));
}
#endif

/* One bit for each shadow vector, set if its element i is -1. */
INLINE uint shadow_bits(uint i, uint key)
{
    return hash(i ^ key) >> 8;
}

/* Element i of shadow vector k, times v. */
INLINE scalar_t shadowed(uint bits, uint k, bool has_numbers, scalar_t v)
{
    bool is_negative = (bits >> k & 1u) != 0u;
    if (has_numbers)
        return shadow_number(bits ^ k << 24, is_negative) * v;
    return is_negative ? -v : v;
}
