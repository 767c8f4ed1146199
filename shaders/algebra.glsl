#ifdef VULKAN /* in C: host/algebra.h */
/* The algebra of elements (kernel.glsl): for real ones, the algebra of reals. host/algebra.h has the same names.
 *
 * Sums, differences, signs, products of a real and an element, and comparisons for equality are written with operators.
 * mul() is the product of two elements. divide() and finite() of exact.glsl and fused() of fused.glsl also take
 * elements. A dot product x . y is the sum of mul(conj(x), y): so r . r has no imaginary part, and real_part() takes it
 * out of sums of elements.
 *
 * Kernels that end with the text of a program (operator/row.glsl) omit these macros, which would change it. */
#define scalar_of(a) (a)              /* of a real */
#define mul(a, b) ((a) * (b))
#define mul_add(a, b, c) fma(a, b, c) /* a b + c rounded once, on a device that fuses */
#define conj(a) (a)
#define real_part(a) (a)
#define magnitude(a) abs(a)
#define magnitude_squared(a) ((a) * (a))
#endif
