#include "host/kernel.h"

typedef uint32_t item;

#include "host/primitive/scan.h"

KERNEL(scan_u32)
{
    scan_results(a->x, a->segmented ? a->bits : NULL, a->sums, a->n, a->exclusive, a->y, me);
}
