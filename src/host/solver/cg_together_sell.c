#include "host/solver/cg_together.h"

void TWIN(spmv_sell_dot)(const void *args, struct member *me);

KERNEL(cg_together_sell)
{
    const struct spmv_sell_dot_args product = {.slice = a->slice,
                                               .col = a->col,
                                               .base = a->base,
                                               .val = a->val,
                                               .x = a->p,
                                               .own = a->p,
                                               .y = a->q,
                                               .s = a->s,
                                               .n = a->n,
                                               .lanes = a->lanes};
    const struct iterations all = ITERATIONS(a, TWIN(spmv_sell_dot), &product);
    iterate(&all, me);
}
