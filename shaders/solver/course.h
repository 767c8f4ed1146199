/* Bounds on the course of a residual, shared by kernels (GLSL) and their twins (C). Both are exact in f32 and f64. */
#ifndef VKS_SOLVER_COURSE_H
#define VKS_SOLVER_COURSE_H

/* The residual has stagnated if r . r does not fall to this share within the patience of the method: then its norm has
 * fallen by less than a tenth. */
#define COURSE_SHARE 0.8125

/* The residual has diverged if r . r grows by this factor, 2^80. MINRES has a bound of its own. */
#define COURSE_GROWTH 1208925819614629174706176.0

#endif
