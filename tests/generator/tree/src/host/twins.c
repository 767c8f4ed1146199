#include "kernels.h"
#include "launch.h"

unsigned TWIN(axpy)(const struct axpy_args *a);
unsigned TWIN(twins)(void);

unsigned TWIN(twins)(void)
{
    return TWIN(axpy)(&(struct axpy_args){.n = REAL});
}
