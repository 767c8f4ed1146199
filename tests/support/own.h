/* Variables that are released where their block ends, the last one first:
 *
 *     OWNED(vks_matrix) *A = NULL;
 *     OWNED_STRUCT(host_csr) host = random_spd(PRECISION_F64, 100, 1);
 *     OWNED_BY(rec_destroy) struct rec r = {0};
 *
 * A failed assertion leaves the block without a release. */
#ifndef VKS_TESTS_OWN_H
#define VKS_TESTS_OWN_H

#include "team/team.h"
#include "vksolve/vksolve.h"

#include <stdlib.h>

#define OWNED_BY(release) __attribute__((cleanup(release)))

/* A struct NAME is released by NAME_free. */
#define OWNED_STRUCT(name) OWNED_BY(name##_free) struct name

/* `end` calls `release` for a variable that points to the type. */
#define END_BY(end, type, release)          \
    static inline void end(type **variable) \
    {                                       \
        release(*variable);                 \
    }

#define OWNABLE(type, release) END_BY(end_##type, type, release)
#define OWNED(type) OWNED_BY(end_##type) type

OWNABLE(char, free)
OWNABLE(double, free)
OWNABLE(float, free)
OWNABLE(uint32_t, free)
OWNABLE(uint64_t, free)
OWNABLE(uint8_t, free)
OWNABLE(void, free)
OWNABLE(vks_array, vks_array_destroy)
OWNABLE(vks_assembly, vks_assembly_destroy)
OWNABLE(vks_batch, vks_batch_destroy)
OWNABLE(vks_dense, vks_dense_destroy)
OWNABLE(vks_matrix, vks_matrix_destroy)
OWNABLE(vks_precond, vks_precond_destroy)
OWNABLE(vks_solver, vks_solver_destroy)
OWNABLE(vks_transfer, vks_transfer_destroy)
OWNABLE(vks_vector, vks_vector_destroy)
END_BY(context_end, vks_context, vks_context_destroy) /* OWNED(vks_context) also checks what is left */
END_BY(team_end, struct team, team_destroy)

#endif
