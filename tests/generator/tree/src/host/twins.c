#include "kernels.h"
#include "launch.h"

#define X(name) unsigned TWIN(name)(const struct name##_args *a);
#ifndef STORED /* if values are stored narrower, only the twins of kernels that use them are built */
KERNELS_OF_REALS(X)
#endif
KERNELS_OF_VALUES(X)
#undef X
unsigned TWIN(twins)(void);

unsigned TWIN(twins)(void)
{
#ifdef STORED
#define X(name) +TWIN(name)(&(struct name##_args){.n = 100 * REAL + STORED})
    return 0 KERNELS_OF_VALUES(X);
#else
    return TWIN(axpy)(&(struct axpy_args){.n = REAL}) + TWIN(weigh)(&(struct weigh_args){.n = 0});
#endif
}
