#include "host/exponents.h"

static real power_of_two(int e)
{
    struct parts p = {.exponent = e};
    return joined(&p);
}

KERNEL(powers_of_two)
{
    PARALLEL_FOR (i, a->n) {
        int e = (int)a->exponent[a->place ? a->place[i] : i];
        a->power[i] = power_of_two(e);
        if (a->inverse)
            a->inverse[i] = power_of_two(-e);
    }
}
