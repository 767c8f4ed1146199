#include "host/solver/cg_together.h"

void TWIN(spmv_coded_dot)(const void *args, struct member *me);

KERNEL(cg_together_coded)
{
    const struct spmv_coded_dot_args product = {.slice = a->slice,
                                                .code = a->code,
                                                .apart = a->apart,
                                                .value = a->value,
                                                .x = a->p,
                                                .own = a->p,
                                                .y = a->q,
                                                .s = a->s,
                                                .n = a->n,
                                                .units = a->units,
                                                .wide = a->wide,
                                                .lanes = a->lanes};
    const struct iterations all = ITERATIONS(a, TWIN(spmv_coded_dot), &product);
    iterate(&all, me);
}
