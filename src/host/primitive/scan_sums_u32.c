#include "host/kernel.h"

typedef uint32_t item;

#include "host/primitive/scan.h"

KERNEL(scan_sums_u32)
{
    scan_sums(a->x, a->segmented ? a->bits : NULL, a->n, a->sums, a->heads, me);
}
