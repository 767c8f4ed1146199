/* Multigrid with coordinates, for world.h, which includes this when it knows its world. */
#ifndef VKS_TESTS_WORLD_NODES_H
#define VKS_TESTS_WORLD_NODES_H

#include "vksolve/precond.h"

enum { CHAIN_NODES = 257, NODE_REACH = 8, NODE_ENTRIES = CHAIN_NODES * 4 * (2 * NODE_REACH + 1) };

/* Nodes in a row with two unknowns each, and up to 16 neighbours: two levels, the second one of few rows. */
static inline vks_status make_nodes(struct world *w, double *val, vks_matrix **A)
{
    static uint32_t row[2 * CHAIN_NODES + 1], col[NODE_ENTRIES];
    for (uint32_t i = 0, to = 0; i < 2 * CHAIN_NODES; i++) {
        uint32_t node = i / 2, first = node < NODE_REACH ? 0 : node - NODE_REACH;
        for (uint32_t k = 2 * first; k < 2 * CHAIN_NODES && k / 2 <= node + NODE_REACH; k++, to++) {
            col[to] = k;
            val[to] = (k / 2 == node ? 16.5 : -1) * (k % 2 == i % 2 ? 1 : 0.25);
        }
        row[i + 1] = to;
    }
    vks_matrix_options o = {.storage.format = VKS_FORMAT_CSR}; /* auto does without room for another */
    return vks_matrix_from_csr(w->c, 2 * CHAIN_NODES, 2 * CHAIN_NODES, row, col, val, &o, A);
}

/* A solver, which copies the coordinates, new values, and a solve. */
static inline vks_status solve_with_coordinates(struct world *w)
{
    static double val[NODE_ENTRIES], at[2 * CHAIN_NODES];
    vks_precond_options amg = {.kind = VKS_PRECOND_AMG, .amg = {.dimensions = 2, .coordinates = at}};
    vks_solve_options o = {.zero_guess = 1, .precond_options = &amg};
    vks_solve_report r = {.reason = VKS_REASON_CONVERGED};
    vks_matrix *A = NULL;
    vks_vector *b = NULL, *x = NULL;
    vks_solver *v = NULL;
    for (int i = 0; i < CHAIN_NODES; i++)
        at[2 * i] = i;
    vks_status s = make_nodes(w, val, &A);
    if (!s)
        s = vks_vector_create(w->c, 2 * CHAIN_NODES, VKS_F64, &b);
    if (!s)
        s = vks_vector_create(w->c, 2 * CHAIN_NODES, VKS_F64, &x);
    if (!s)
        s = vks_vector_fill(b, 1);
    if (!s)
        s = vks_solver_create(A, &o, &v);
    if (!s)
        s = vks_matrix_set_values(A, VKS_F64, val);
    if (!s)
        s = vks_solver_solve(v, b, x, &r);
    if (!s)
        cr_expect(r.reason == VKS_REASON_CONVERGED && r.hierarchy.levels == 2, "%s, %u levels",
                  vks_reason_name(r.reason), r.hierarchy.levels);
    vks_solver_destroy(v);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);
    return s;
}

#endif
