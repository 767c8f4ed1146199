#include "multigrid/rounding.h"

#if REAL == 64
#define ZERO_ABOVE real(ZERO_ABOVE_F64)
#define ZERO_BELOW real(ZERO_BELOW_F64)
#else
#define ZERO_ABOVE ZERO_ABOVE_F32
#define ZERO_BELOW ZERO_BELOW_F32
#endif

/* Whether a = x' A x is zero up to rounding; size = x' D x. */
bool is_rounding(real a, real size)
{
    return a <= ZERO_ABOVE * size && a >= -(ZERO_BELOW * size);
}
