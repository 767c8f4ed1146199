#include "host/exponents.h"

KERNEL(scaled_values)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t from = a->place ? a->place[i] : i;
        const real *val = a->val + a->row[from];
        for (uint32_t e = a->to_row[i]; e < a->to_row[i + 1]; e++) {
            real v = val[e - a->to_row[i]];
            struct parts p = parts_of(v);
            p.exponent += (int)a->left[from] + (int)a->right[a->to_col[e]];
            a->to_val[e] = p.counts ? joined(&p) : v;
        }
    }
}
