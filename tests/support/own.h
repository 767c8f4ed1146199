/* Variables that are released where their block ends, the last one first:
 *
 *     OWNED(vks_matrix) *A = NULL;
 *     OWNED_STRUCT(host_csr) host = random_spd(PRECISION_F64, 100, 1);
 *
 * A failed assertion leaves the block without a release. */
#ifndef VKS_TESTS_OWN_H
#define VKS_TESTS_OWN_H

#include "vksolve/vksolve.h"

#include <stdlib.h>

/* What such a pointer refers to is released by `release`. */
#define OWNABLE(type, release)                    \
    static inline void release_##type(type **own) \
    {                                             \
        release(*own);                            \
    }
#define OWNED(type) __attribute__((cleanup(release_##type))) type

/* A struct NAME is released by NAME_free. */
#define OWNED_STRUCT(name) __attribute__((cleanup(name##_free))) struct name

OWNABLE(char, free)
OWNABLE(double, free)
OWNABLE(float, free)
OWNABLE(uint32_t, free)
OWNABLE(uint64_t, free)
OWNABLE(uint8_t, free)
OWNABLE(void, free)
OWNABLE(vks_array, vks_array_destroy)
OWNABLE(vks_assembly, vks_assembly_destroy)
OWNABLE(vks_dense, vks_dense_destroy)
OWNABLE(vks_matrix, vks_matrix_destroy)
OWNABLE(vks_precond, vks_precond_destroy)
OWNABLE(vks_solver, vks_solver_destroy)
OWNABLE(vks_transfer, vks_transfer_destroy)
OWNABLE(vks_vector, vks_vector_destroy)

#endif
