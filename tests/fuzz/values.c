#include "values.h"

#include <math.h>

const char *values_name(enum values kind)
{
    static const char *const name[] = {"plain", "whole", "wide", "extreme", "tiny", "special"};
    return name[kind];
}

double random_value(struct random *r, enum values kind)
{
    static const double tiny[] = {1e-310, 1e-40, 1e-20, 1};
    static const double special[] = {INFINITY, -INFINITY, NAN, -0.0, 0, 1.7e308, 5e-324};
    switch (kind) {
    case VALUES_WHOLE:
        return (double)((int)random_below(r, 9) - 4);
    case VALUES_WIDE:
        return random_both(r) * pow(10, 12 * random_both(r));
    case VALUES_EXTREME:
        return random_both(r) * pow(10, 300 * random_both(r));
    case VALUES_TINY:
        return random_both(r) * ONE_OF(r, tiny);
    case VALUES_SPECIAL:
        return one_in(r, 8) ? ONE_OF(r, special) : random_both(r);
    default:
        return random_both(r);
    }
}

bool values_rough(enum values kind, vks_precision p)
{
    return kind >= VALUES_EXTREME || (kind == VALUES_WIDE && p == VKS_F32);
}
