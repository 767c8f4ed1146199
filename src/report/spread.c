#include "report/spread.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct spread spread_of(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    double middle = (values[(count - 1) / 2] + values[count / 2]) / 2;
    return (struct spread){middle, values[0], values[count - 1]};
}
