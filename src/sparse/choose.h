/* The choice of a format, from statistics alone: so it can be computed for a device that is not there. */
#ifndef VKS_SPARSE_CHOOSE_H
#define VKS_SPARSE_CHOOSE_H

#include "sparse/cost.h"

struct choice {
    vks_format format;
    uint32_t block_size; /* of BSR, else what was asked for */
    char reason[128];
};

/* The statistics that the choice for A needs: KNOW_... */
unsigned choice_wants(const struct csr *A, bool host);
void choose_format(const struct question *q, struct choice *c);

#endif
