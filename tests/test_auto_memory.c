/* The automatic choice where memory runs out: what is told, and that a call may be repeated. */
#include "cli/generate_matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/solve.h"

/* With the first values natural blocks are attempted, with the second ones the diagonal. */
Test(auto_memory, an_update_may_be_repeated_after_a_failure)
{
    struct host_csr nodes;
    cr_assert_eq(generate_matrix(NULL, "elasticity3d", 8, &nodes), VKS_OK);
    double *second = room(nodes.row[nodes.rows], sizeof *second);
    for (uint32_t i = 0; i < nodes.rows; i++)
        for (uint32_t k = nodes.row[i]; k < nodes.row[i + 1]; k++)
            second[k] = nodes.col[k] == i ? 200 : -1;
    bool more = true;
    for (uint32_t call = 1; more; call++) {
        vks_context *c = open_host();
        vks_matrix *A = put_on(c, &nodes, PRECISION_F64, VKS_FORMAT_AUTO);
        vks_solver *solver;
        must_work(c, vks_solver_create(A, &(vks_solve_options){.zero_guess = 1}, &solver));
        must_work(c, vks_matrix_set_values(A, VKS_F64, second));
        struct interposed *i = interposed_of(c->device);
        i->calls = i->injected = 0;
        i->fail_call = call;
        (void)vks_solver_update(solver); /* some failures are none: another attempt takes its turn */
        more = i->injected > 0;
        i->fail_call = 0;
        must_work(c, vks_solver_update(solver));
        vks_solver_destroy(solver);
        vks_matrix_destroy(A);
        close_context(c);
        cr_assert_lt(call, 200);
    }
    free(second);
    host_csr_free(&nodes);
}

/* The rows are more than those for which nothing is summed. */
Test(auto_memory, tells_that_entries_could_not_be_summed)
{
    struct host_csr grid;
    cr_assert_eq(generate_matrix(NULL, "poisson2d", 34, &grid), VKS_OK);
    vks_context *c = open_host();
    vks_matrix *A = put_on(c, &grid, PRECISION_F64, VKS_FORMAT_AUTO);
    double *ones = random_vector(PRECISION_F64, grid.rows, 2, 5);
    vks_vector *b = put_vector(c, ones, grid.rows, PRECISION_F64),
               *x = put_vector(c, ones, grid.rows, PRECISION_F64);
    struct interposed *i = interposed_of(c->device);
    uint32_t told = 0;
    for (uint32_t call = 1; call < 40; call++) {
        vks_solve_report r;
        i->calls = i->injected = 0;
        i->fail_call = call;
        vks_status status = vks_solve(A, b, x, &(vks_solve_options){.zero_guess = 1}, &r);
        i->fail_call = 0;
        if (status)
            continue;
        cr_expect_null(strstr(r.choice, "no entries beside"), "call %u: %s", call, r.choice);
        told += strstr(r.choice, "found no memory") != NULL;
    }
    cr_expect_gt(told, 0);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);
    free(ones);
    host_csr_free(&grid);
    close_context(c);
}
