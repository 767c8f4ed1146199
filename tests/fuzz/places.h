/* Places to compute a system: each must give the same bits. */
#ifndef VKS_TESTS_FUZZ_PLACES_H
#define VKS_TESTS_FUZZ_PLACES_H

#include "system.h"

struct place {
    const char *name;
    uint32_t threads; /* of the host */
    bool vulkan;      /* denormals may be flushed to zero */
    bool kept;        /* solves by a vks_solver, not by vks_solve */
    vks_context *context;
};

struct places {
    int count;
    struct place place[4];
};

/* Opens the host, and lavapipe unless host_only, with the validation layer on request. */
void places_open(struct places *p, bool host_only, bool validate);

/* A message of the validation layer since the last call is a finding. */
void places_check(const struct places *p);

void places_close(struct places *p);

/* A vector of doubles, rounded to p; VKS_MIXED means VKS_F64. */
vks_vector *place_vector(const struct place *p, vks_precision precision, const double *values, uint32_t n);

/* The matrix; NULL with *status if it is refused, which is a finding unless the storage does not suit it. */
vks_matrix *place_matrix(const struct place *p, const struct system *s, const vks_format_options *storage,
                         vks_status *status);

/* The same bits; all NaNs are equal. */
bool same_bits(double a, double b);

#endif
