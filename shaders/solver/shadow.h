/* Contents of shadow vectors, shared by kernels (GLSL) and twins (C). */
#ifndef VKS_SOLVER_SHADOW_H
#define VKS_SOLVER_SHADOW_H

/* Rows up to which a shadow vector has numbers instead of signs. Signs need no multiplication, but with few
 * rows, or for residuals with few elements, they are often linearly dependent, or orthogonal to a direction
 * of small whole numbers. So after a breakdown vectors of any length have numbers: the number of the start is
 * then negative. */
#define SHADOW_FEW 64u

#endif
