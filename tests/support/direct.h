/* Random nonsymmetric systems for the direct solution by UMFPACK. */
#ifndef VKS_TESTS_DIRECT_H
#define VKS_TESTS_DIRECT_H

#include "direct/umfpack.h"
#include "small_matrix.h"
#include "tests/support/solve.h"

static const vks_solve_options direct = {.method = VKS_METHOD_DIRECT};

static inline void need_library(void)
{
    struct message m;
    struct umfpack u;
    if (umfpack_open(&m, &u))
        cr_skip_test("UMFPACK is not installed");
}

static inline double random_value(void)
{
    return (below(2000001) - 1e6) / 1e6;
}

/* Values of both signs at random places, and on the diagonal. Every seventh row has no diagonal entry; its
 * neighbour has it instead, so that elimination without pivoting fails. Values are representable in f32. */
static inline struct host_csr random_matrix(uint32_t n)
{
    enum { EACH = 5 };
    size_t count = 0;
    OWNED(uint32_t) *row = room((size_t)n * EACH, 4), *col = room((size_t)n * EACH, 4);
    OWNED(double) *val = room((size_t)n * EACH, 8);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < EACH; k++) {
            row[count] = i;
            col[count] = k ? below(n) : i / 2 * 2 == i && i + 1 < n ? i + 1 : i - i % 2;
            val[count++] = (float)(k ? random_value() : 3);
        }
    struct host_csr a = assemble(n, count, row, col, val);
    for (size_t k = 0; k < host_csr_entries(&a); k++)
        a.val[k] = (float)a.val[k];
    return a;
}

static inline double *random_values(uint32_t n)
{
    double *b = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        b[i] = (float)random_value();
    return b;
}

#endif
