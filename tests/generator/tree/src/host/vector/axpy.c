#include "kernels.h"
#include "launch.h"

unsigned TWIN(axpy)(const struct axpy_args *a);

unsigned TWIN(axpy)(const struct axpy_args *a)
{
    return a->n;
}
