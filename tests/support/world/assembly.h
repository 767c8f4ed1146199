/* The calls of assembly and transposition, for world.h. */
#ifndef VKS_TESTS_WORLD_ASSEMBLY_H
#define VKS_TESTS_WORLD_ASSEMBLY_H

#include "sparse/assembly.h"
#include "vksolve/algebra.h"

static inline void make_assembly(struct world *w)
{
    uint32_t indices[N];
    for (uint32_t i = 0; i < N; i++)
        indices[i] = i;
    must_work(w->c, vks_array_create(w->c, N, VKS_TYPE_U32, &w->diagonal));
    must_work(w->c, vks_array_write(w->diagonal, 0, N, indices));
    must_work(w->c, vks_assembly_create(w->c, N, N, w->diagonal, w->diagonal, &w->assembly));
    must_work(w->c, vks_assembly_matrix(w->assembly, vks_vector_array(w->b), VKS_FORMAT_SELL, &w->assembled));
}

static inline vks_status destroy_assembly(vks_status s, vks_assembly *a)
{
    cr_expect_eq(s != VKS_OK, a == NULL, "an assembly that was not made");
    vks_assembly_destroy(a);
    return s;
}

static inline vks_status create_assembly(struct world *w)
{
    vks_assembly *a = w->assembly;
    vks_status s = vks_assembly_create(w->c, N, N, w->diagonal, w->diagonal, &a);
    return destroy_assembly(s, a);
}

/* All triplets in one row, which does not change what is allocated. */
static inline vks_status create_long_assembly(struct world *w)
{
    vks_assembly *a = w->assembly;
    vks_status s = assembly_create(w->c, N, N, w->payload, w->payload, ASSEMBLY_SEGMENTS, &a);
    return destroy_assembly(s, a);
}

static inline vks_status create_assembly_by_radix(struct world *w)
{
    vks_assembly *a = w->assembly;
    vks_status s = assembly_create(w->c, N, N, w->payload, w->payload, ASSEMBLY_RADIX, &a);
    return destroy_assembly(s, a);
}

static inline vks_status matrix_from_assembly(struct world *w)
{
    vks_matrix *m = w->A;
    vks_status s = vks_assembly_matrix(w->assembly, vks_vector_array(w->b), VKS_FORMAT_SELL, &m);
    return destroy_made(s, m);
}

CALL_OF(update_by_assembly, vks_assembly_update(w->assembly, vks_vector_array(w->b), w->assembled))

static inline vks_status transpose(struct world *w)
{
    vks_matrix *m = w->A;
    vks_status s = vks_matrix_transpose(w->A, VKS_FORMAT_SELL, &m);
    return destroy_made(s, m);
}

/* X(call, the least number of operations that it needs) */
#define ASSEMBLY_CALLS(X)           \
    X(create_assembly, 22)          \
    X(create_long_assembly, 25)     \
    X(create_assembly_by_radix, 25) \
    X(matrix_from_assembly, 13)     \
    X(update_by_assembly, 6)        \
    X(transpose, 15)

#endif
