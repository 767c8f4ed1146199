/* The algebra of scalars in the twins; shaders/algebra.glsl explains the names. */
#ifndef VKS_HOST_ALGEBRA_H
#define VKS_HOST_ALGEBRA_H

#include <math.h>

#define scalar_of(a) (a)
#define mul(a, b) ((a) * (b))
#define divide(a, b) ((a) / (b))
#define fused(a, b, c) FMA(a, b, c)
#define conj(a) (a)
#define real_part(a) (a)
#define magnitude_squared(a) ((a) * (a))
#define magnitude(a) _Generic((a), float : fabsf, default : fabs)(a)
#define finite(a) isfinite(a)

#endif
