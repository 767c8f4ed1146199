/* Vectors, element by element. */
#ifndef VKS_TESTS_VECTORS_H
#define VKS_TESTS_VECTORS_H

#include "tests/support/context.h"
#include "tests/support/oracle.h"
#include "vector/vector.h"

static inline void must_hold(const vks_vector *v, const double *want, const char *what)
{
    uint32_t n = vks_vector_length(v);
    OWNED(double) *got = room(n, 8);
    must_work(v->context, vks_vector_read(v, 0, n, VKS_F64, got));
    must_equal(got, want, n, what);
    guards_check(v->context->device);
}

#endif
