#include "kernels.h"
#include "launch.h"

unsigned TWIN(spread)(const struct spread_args *a);

unsigned TWIN(spread)(const struct spread_args *a)
{
    return a->n;
}
