#include "device/search.h"
#include "host/kernel.h"
#include "shaders/fsai/fsai.h"

KERNEL(fsai_weights)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t last = a->row[i + (size_t)1], k = first_not_below(a->col, a->row[i], last, i);
        real d = k < last && a->col[k] == i ? a->val[k] : 0, large = a->most[i], magnitude = d < 0 ? -d : d;
        real least = (real)FSAI_WEAK_DIAGONAL * large, whole = a->positive ? d : large;
        if (whole == 0)
            take_least(&a->flags[0], i);
        if (whole < 0)
            take_least(&a->flags[1], i);
        a->size[i] = whole;
        a->weight[i] =
            a->positive ? 1 / (real)ROOT(magnitude) : large / (magnitude > least ? magnitude : least);
    }
}
