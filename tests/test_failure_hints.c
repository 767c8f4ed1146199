/* Failure hints for a failed or slow solve, with failures during the search for them: the result of the solve
 * must not change, and nothing may leak. test_cli_amg.c tests the texts of the hints. */
#include "small_matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/solve.h"

struct hinted {
    struct host_csr A;
    vks_reason reason;
    const char *part; /* of the warning */
};

/* Makes each of the last calls of the device fail, which are those of the search for hints. */
static void fail_last_calls(vks_context *c, struct hinted q)
{
    enum { LAST = 25 };
    const vks_solve_options o = {.method = VKS_METHOD_CG, .precond = VKS_PRECOND_AMG, .zero_guess = 1};
    double *values = random_vector(PRECISION_F64, q.A.rows, 2, 5);
    vks_matrix *A = put_on(c, &q.A, PRECISION_F64, VKS_FORMAT_CSR);
    vks_vector *b = put_vector(c, values, q.A.rows, PRECISION_F64),
               *x = put_vector(c, values, q.A.rows, PRECISION_F64);
    struct interposed *i = interposed_of(c->device);
    vks_solve_report r;
    i->calls = 0;
    must_work(c, vks_solve(A, b, x, &o, &r));
    cr_expect(r.reason == q.reason && strstr(r.warning, q.part), "%s: %s", vks_reason_name(r.reason),
              r.warning);
    uint32_t calls = i->calls, without = 0;
    uint64_t bytes = c->device->bytes;
    for (uint32_t call = calls - LAST; call <= calls; call++) {
        i->calls = i->injected = 0;
        i->fail_call = call;
        vks_status status = vks_solve(A, b, x, &o, &r);
        i->fail_call = 0;
        cr_expect_eq(c->device->bytes, bytes, "call %u of %u leaks", call, calls);
        cr_expect(status || r.reason == q.reason, "call %u: %s", call, vks_reason_name(r.reason));
        cr_expect(status || !vks_context_message(c)[0], "call %u: %s", call, vks_context_message(c));
        without += !status && !strstr(r.warning, q.part);
    }
    cr_expect_gt(without, 3, "%u of %u calls", without, calls);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);
    free(values);
    host_csr_free(&q.A);
}

/* A chain with 1 at both ends of the diagonal: its rows sum to zero, or nearly so. */
static struct host_csr free_chain(uint32_t n)
{
    struct host_csr A = tridiagonal(n, -1, 2, -1);
    A.val[0] = A.val[A.row[n] - 1] = 1 + 1e-12;
    return A;
}

TestOnHost(failure_hints, do_no_harm_where_they_fail)
{
    struct host_csr nodes = model("elasticity3d", 8);
    fail_last_calls(c, (struct hinted){nodes, VKS_REASON_CONVERGED, "3 unknowns at each node"});
    fail_last_calls(c, (struct hinted){free_chain(700), VKS_REASON_STAGNATED, "rows of A sum to zero"});
}
