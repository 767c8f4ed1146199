#include "host/kernel.h"

typedef real item;

#include "host/primitive/scan.h"

KERNEL(scan_real)
{
    scan_results(a->x, a->segmented ? a->bits : NULL, a->sums, a->n, a->exclusive, a->y, me);
}
