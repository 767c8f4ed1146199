#include "host/sparse/diagonal.h"

KERNEL(invert_diagonal)
{
    PARALLEL_FOR (i, a->n) {
        a->d[i] = inverted(a->flags, i, a->a[i], a->a[0]);
    }
}
