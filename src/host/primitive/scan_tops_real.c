#include "host/kernel.h"

typedef real item;

#include "host/primitive/scan.h"

KERNEL(scan_tops_real)
{
    scan_tops(a->sums, a->segmented ? a->heads : NULL, a->n);
}
