#include "host/kernel.h"

typedef real item;

#include "host/primitive/scan.h"

/* Does all three steps in one kernel. The workspace p, sized for the shader, is more than large enough. */
KERNEL(scan_once_real)
{
    item *sums = (item *)a->p;
    scan_sums(a->x, NULL, a->n, sums, NULL, me);
    if (LEADS)
        scan_tops(sums, NULL, scan_tiles(a->n));
    scan_results(a->x, NULL, sums, a->n, a->exclusive, a->y, me);
}
