#include "host/kernel.h"

typedef uint32_t item;

#include "host/primitive/scan.h"

KERNEL(scan_tops_u32)
{
    scan_tops(a->sums, a->segmented ? a->heads : NULL, a->n);
}
