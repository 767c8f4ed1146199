/* The choice of a format. It depends on statistics alone, so it can be computed for an absent device. */
#ifndef VKS_SPARSE_CHOOSE_H
#define VKS_SPARSE_CHOOSE_H

#include "sparse/cost.h"

struct choice {
    vks_format format;
    uint32_t block_size; /* chosen for BSR, else as requested */
    char reason[128];
};

/* The statistics needed to choose a format for A: KNOW_... */
unsigned choice_wants(const struct csr *A, bool host);
void choose_format(const struct question *q, struct choice *c);

#endif
