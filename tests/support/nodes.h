/* Elasticity with the coordinates of its nodes, and the options of multigrid for it. */
#ifndef VKS_TESTS_NODES_H
#define VKS_TESTS_NODES_H

#include "command/models/generate_matrix.h"
#include "solvers/multigrid/modes.h"
#include "tests/support/precond.h"
#include "vksolve/precond.h"

struct body {
    struct host_csr A;
    struct coordinates at;
    double *b;
};

/* A body with values that f32 holds. */
static inline struct body make_body(uint32_t size)
{
    struct message m = {0};
    struct body y;
    cr_assert_eq(generate_matrix(&m, "elasticity3d", size, &y.A), VKS_OK, "%s", m.text);
    cr_assert_eq(generate_coordinates(&m, size, &y.at), VKS_OK, "%s", m.text);
    for (size_t k = 0; k < host_csr_entries(&y.A); k++)
        y.A.val[k] = (float)y.A.val[k];
    y.b = room(y.A.rows, 8);
    for (uint32_t i = 0; i < y.A.rows; i++)
        y.b[i] = 1;
    return y;
}

static inline void body_free(struct body *y)
{
    coordinates_free(&y->at);
    host_csr_free(&y->A);
    free(y->b);
}

static inline vks_precond_options of_coordinates(const struct coordinates *at)
{
    return (vks_precond_options){.kind = VKS_PRECOND_AMG,
                                 .amg = {.dimensions = at->dim, .coordinates = at->value}};
}

static inline vks_precond_options of_block(uint32_t size)
{
    return (vks_precond_options){.kind = VKS_PRECOND_AMG, .amg = {.block = size}};
}

static inline vks_precond_options of_vectors(uint32_t block, uint32_t count, const double *vectors)
{
    return (vks_precond_options){.kind = VKS_PRECOND_AMG,
                                 .amg = {.block = block, .vectors = count, .near_null = vectors}};
}

/* The rigid body modes of a body, one vector after the other. */
static inline double *rigid_vectors(vks_context *c, enum precision p, const struct coordinates *at)
{
    OWNED_BY(room_close) struct room w;
    struct modes B;
    room_open(&w, c->device);
    must_work(c, modes_rigid(&w, p, at->value, at->nodes, at->dim, &B));
    double *rows = room((size_t)B.rows * B.columns, 8), *vectors = room((size_t)B.rows * B.columns, 8);
    must_work(c, download_values(c->device, &B.value, public_precision(p), 0, (uint64_t)B.rows * B.columns,
                                 VKS_F64, rows));
    for (size_t i = 0; i < B.rows; i++)
        for (size_t k = 0; k < B.columns; k++)
            vectors[k * B.rows + i] = rows[i * B.columns + k];
    free(rows);
    return vectors;
}

/* By conjugate gradients from zero; in f32 only as far as elasticity can be solved in it. */
static inline struct solved solve_body(vks_context *c, enum precision p, const struct body *y,
                                       const vks_precond_options *o)
{
    vks_solve_options options = {
        .precond_options = o, .zero_guess = 1, .rtol = p == PRECISION_F32 ? 5e-5 : 1e-8};
    struct problem q = {.A = &y->A, .b = y->b, .p = p, .options = options};
    struct solved s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.precond, VKS_PRECOND_AMG);
    return s;
}

/* Both have the same rows and entries on each level. */
static inline void must_have_levels_of(const vks_hierarchy *a, const vks_hierarchy *b, const char *what)
{
    cr_assert_eq(a->levels, b->levels, "%s: %u and %u levels", what, a->levels, b->levels);
    for (uint32_t i = 0; i < a->levels; i++)
        cr_assert(a->level[i].rows == b->level[i].rows && a->level[i].entries == b->level[i].entries,
                  "%s: level %u has %u rows and %u entries, and %u and %u", what, i + 1, a->level[i].rows,
                  a->level[i].entries, b->level[i].rows, b->level[i].entries);
    cr_assert(same_bits(a->operator_complexity, b->operator_complexity), "%s: complexities", what);
}

#endif
