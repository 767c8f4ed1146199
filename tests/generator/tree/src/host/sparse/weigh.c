#include "kernels.h"
#include "launch.h"

unsigned TWIN(weigh)(const struct weigh_args *a);

unsigned TWIN(weigh)(const struct weigh_args *a)
{
    return a->n;
}
