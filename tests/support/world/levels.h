/* Solves with levels of multigrid. world.h includes this after defining its world. */
#ifndef VKS_TESTS_WORLD_LEVELS_H
#define VKS_TESTS_WORLD_LEVELS_H

#include "vksolve/precond.h"

enum { CHAIN = 513, REACH = 8 };

/* Chains: for diffusion, for a flow, and with some zeros on the diagonal. */
enum levels_of { LEVELS_SYMMETRIC, LEVELS_OF_FLOW, LEVELS_OF_SADDLE };

static inline double chain_entry(enum levels_of of, uint32_t i, uint32_t k)
{
    if (k == i)
        return of == LEVELS_OF_SADDLE && i % 5 == 4 ? 0 : 16.5;
    return of == LEVELS_OF_FLOW && k < i ? -1.5 : of == LEVELS_OF_FLOW ? -0.5 : -1;
}

/* A chain whose rows have up to 16 neighbours: two levels of multigrid, the second one with few rows. */
static inline vks_status make_chain(struct world *w, enum levels_of of, vks_matrix **A)
{
    static uint32_t row[CHAIN + 1], col[CHAIN * (2 * REACH + 1)];
    static double val[CHAIN * (2 * REACH + 1)];
    uint32_t at = 0;
    for (uint32_t i = 0; i < CHAIN; i++) {
        for (uint32_t k = i < REACH ? 0 : i - REACH; k < CHAIN && k <= i + REACH; k++) {
            col[at] = k;
            val[at++] = chain_entry(of, i, k);
        }
        row[i + 1] = at;
    }
    return vks_matrix_from_csr(w->c, CHAIN, CHAIN, row, col, val, NULL, A);
}

/* Solves twice, the second time with a refreshed preconditioner. */
static inline vks_status solve_with_levels(struct world *w, enum levels_of of, const vks_precond_options *o)
{
    static const vks_method methods[] = {VKS_METHOD_CG, VKS_METHOD_IDR, VKS_METHOD_MINRES};
    OWNED(vks_matrix) *A = NULL;
    OWNED(vks_vector) *b = NULL, *x = NULL;
    OWNED(vks_precond) *M = NULL;
    vks_solve_report r = {.reason = VKS_REASON_CONVERGED};
    vks_status s = make_chain(w, of, &A);
    if (!s)
        s = vks_vector_create(w->c, CHAIN, VKS_F64, &b);
    if (!s)
        s = vks_vector_create(w->c, CHAIN, VKS_F64, &x);
    if (!s)
        s = vks_vector_fill(b, 1);
    if (!s)
        s = vks_precond_create(A, o, &M);
    vks_solve_options by = {.method = methods[of], .shared_precond = M, .zero_guess = 1};
    by.max_iterations = of == LEVELS_OF_SADDLE ? 1 : 0; /* else it takes hundreds */
    for (int turn = 0; turn < 2 && !s; turn++) {
        s = vks_solve(A, b, x, &by, &r);
        if (!s)
            s = vks_precond_update(M);
    }
    if (!s)
        cr_expect_eq(r.reason, by.max_iterations ? VKS_REASON_ITERATION_LIMIT : VKS_REASON_CONVERGED);
    return s;
}

CALL_OF(solve_with_unsymmetric_levels,
        solve_with_levels(w, LEVELS_OF_FLOW,
                          &(vks_precond_options){.kind = VKS_PRECOND_AMG, .amg.refresh = VKS_AMG_KEEP}))
CALL_OF(solve_with_saddle,
        solve_with_levels(w, LEVELS_OF_SADDLE, &(vks_precond_options){.kind = VKS_PRECOND_SADDLE}))

/* With coordinates. */
enum { CHAIN_NODES = 257, NODE_REACH = 8, NODE_ENTRIES = CHAIN_NODES * 4 * (2 * NODE_REACH + 1) };

/* A chain of nodes with two unknowns each, and up to 16 neighbours: two levels, the second with few rows. */
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
    vks_matrix_options o = {.storage.format = VKS_FORMAT_CSR}; /* auto falls back without room for another */
    return vks_matrix_from_csr(w->c, 2 * CHAIN_NODES, 2 * CHAIN_NODES, row, col, val, &o, A);
}

/* Makes a solver, which copies the coordinates; sets new values, and solves. */
static inline vks_status solve_with_coordinates(struct world *w)
{
    static double val[NODE_ENTRIES], at[2 * CHAIN_NODES];
    vks_precond_options amg = {.kind = VKS_PRECOND_AMG, .amg = {.dimensions = 2, .coordinates = at}};
    vks_solve_options o = {.zero_guess = 1, .precond_options = &amg};
    vks_solve_report r = {.reason = VKS_REASON_CONVERGED};
    OWNED(vks_matrix) *A = NULL;
    OWNED(vks_vector) *b = NULL, *x = NULL;
    OWNED(vks_solver) *v = NULL;
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
    return s;
}

#endif
