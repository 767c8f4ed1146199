/* Rounding of x' A x if A x = 0, relative to x' D x, for kernels and their twins; D is the diagonal of A. In
 * measurements, sweeps leave up to 4 ulps (2^-52, in f32 2^-23), mostly less than a quarter; products of
 * levels leave more, as their rows are longer.
 *
 * In f64 the limit is 1,024 ulps. It is above the squared rounding of f32, so that the null space does not
 * dominate a cycle in f32. In f32 a shift of A by some ulps of its diagonal must remain visible. So the limit
 * is one ulp above zero, where keeping a rounding error does little harm, and 64 ulps below. */
#define ZERO_ABOVE_F64 2.2737367544323206e-13
#define ZERO_BELOW_F64 2.2737367544323206e-13
#define ZERO_ABOVE_F32 1.1920928955078125e-7
#define ZERO_BELOW_F32 7.62939453125e-6
