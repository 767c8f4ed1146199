#include "host/sparse/bsr.h"

KERNEL(bsr_to_csr)
{
    struct bsr A = BSR_OF(a);
    PARALLEL_FOR (i, a->n) {
        struct bsr_row p = row_at(&A, i);
        struct bsr_walk w = {0};
        uint32_t to = a->row[i];
        for (uint32_t k = 0; k < p.length; k++) {
            a->to_col[to + k] =
                A.mask ? next_column(&A, &p, &w) : A.first[p.block + GROUP * (k / A.size)] + k % A.size;
            a->to_val[to + k] = A.val[p.val + (size_t)GROUP * k];
        }
    }
}
