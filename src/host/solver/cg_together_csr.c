#include "host/solver/cg_together.h"

void TWIN(spmv_csr_dot)(const void *args, struct member *me);

KERNEL(cg_together_csr)
{
    const struct spmv_csr_dot_args product = {
        .row = a->row, .col = a->col, .val = a->val, .x = a->p, .own = a->p, .y = a->q, .s = a->s, .n = a->n};
    const struct iterations all = ITERATIONS(a, TWIN(spmv_csr_dot), &product);
    iterate(&all, me);
}
