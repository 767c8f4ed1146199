/* The solve by a method that needs no iterations of the driver. */
#ifndef VKS_SOLVERS_WHOLE_H
#define VKS_SOLVERS_WHOLE_H

#include "solvers/solve.h"

vks_status solve_whole(struct solve *s);

#endif
