#include "host/dense/pivot.h"

KERNEL(pivot_begin)
{
    struct candidate best = no_candidate();
    for (uint32_t i = 0; i < a->n; i++) {
        const scalar_t *row = a->A + (size_t)i * a->ld;
        struct candidate c = {magnitude_of(*row), i};
        memcpy(a->panel + (size_t)i * PIVOT_WIDTH, row, a->width * sizeof *row);
        if (a->step[i] == PIVOT_NONE && better(c, best))
            best = c;
    }
    leave_best(a->list, a->candidates, best);
}
