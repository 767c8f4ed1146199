#include "multigrid/sweep.h"

/* Factors of elements before they are multiplied, and of their product: a power of two near the root of the pivot,
 * which avoids unnecessary overflow, and the reciprocal of the pivot over its square. */
struct sweep {
    bool dropped;
    real inverse, scale, rest;
};

sweep sweep_of(real pivot, real inverse)
{
    int half_exponent = (int(exponent_of(pivot)) - int(BIAS)) / 2;
    real unit = power_of_two(half_exponent);
    return sweep(inverse == real(0), inverse, power_of_two(-half_exponent), (inverse * unit) * unit);
}

/* The element v outside the row and column of the pivot; c: in its row and the pivot's column; b: in its column and
 * the pivot's row. */
real swept(sweep s, real v, real c, real b)
{
    return s.dropped ? v : v - ((c * s.scale) * (b * s.scale)) * s.rest;
}

/* Elements in the row of the pivot, and in its column. Both are zero if the pivot is dropped. */
real swept_row(sweep s, real b)
{
    return s.dropped ? real(0) : b * s.inverse;
}

real swept_column(sweep s, real c)
{
    return s.dropped ? real(0) : -(c * s.inverse);
}
