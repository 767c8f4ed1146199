#include "host/sparse/csr.h"
#include "shaders/sparse/coo.h"

/* Computes the rows that begin in entries first .. end - 1. */
static inline __attribute__((always_inline)) void share_lanes(const struct spmv_coo_args *a, uint32_t first,
                                                              uint32_t end, uint32_t lanes)
{
    uint32_t k = first;
    while (k && k < end && a->row[k] == a->row[k - 1])
        k++;
    while (k < end) {
        uint32_t begin = k, row = a->row[k];
        while (k < a->entries && a->row[k] == row)
            k++;
        a->y[row] = row_sum(a->col, a->val, a->x, begin, k, lanes);
    }
}

static void share_product(const struct spmv_coo_args *a, uint32_t first, uint32_t end)
{
    switch (a->lanes) {
    case 1:
        share_lanes(a, first, end, 1);
        break;
    case 2:
        share_lanes(a, first, end, 2);
        break;
    case 4:
        share_lanes(a, first, end, 4);
        break;
    case 8:
        share_lanes(a, first, end, 8);
        break;
    case 16:
        share_lanes(a, first, end, 16);
        break;
    default:
        share_lanes(a, first, end, 32);
    }
}

KERNEL(spmv_coo)
{
    uint32_t shares = a->entries / COO_SHARE + (a->entries % COO_SHARE != 0);
    FOR_TILES (s, shares) {
        uint32_t first = COO_SHARE * s, rest = a->entries - first;
        share_product(a, first, first + (rest < COO_SHARE ? rest : COO_SHARE));
    }
}
