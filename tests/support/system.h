/* A matrix on a device, with b and x. */
#ifndef VKS_TESTS_SYSTEM_H
#define VKS_TESTS_SYSTEM_H

#include "tests/support/device_matrix.h"

struct system {
    vks_context *c;
    struct host_csr host;
    vks_matrix *A;
    vks_vector *b, *x;
};

/* In f64, with values of b that are representable in f32. Takes ownership of the host's matrix. */
static inline struct system system_of(vks_context *c, struct host_csr host)
{
    struct system s = {.c = c, .host = host};
    OWNED(double) *b = random_vector(PRECISION_F32, host.rows, 2, 5);
    s.A = put_on(c, &s.host, PRECISION_F64, VKS_FORMAT_AUTO);
    s.b = put_vector(c, b, host.rows, PRECISION_F64);
    s.x = put_vector(c, b, host.rows, PRECISION_F64);
    return s;
}

/* Does not destroy the context. */
static inline void system_free(struct system *s)
{
    vks_vector_destroy(s->x);
    vks_vector_destroy(s->b);
    vks_matrix_destroy(s->A);
    host_csr_free(&s->host);
}

#endif
