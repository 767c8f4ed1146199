#include "host/kernel.h"

typedef real item;

#include "host/primitive/scan.h"

KERNEL(scan_sums_real)
{
    scan_sums(a->x, a->segmented ? a->bits : NULL, a->n, a->sums, a->heads, me);
}
