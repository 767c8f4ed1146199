/* A solver must remain usable after any operation of the device has failed in its solve. */
#include "tests/support/repeated.h"

/* Values of which many are not representable in f32, with a varying diagonal. */
static void change_values(const struct repeated *r)
{
    OWNED(double) *val = room(r->host.row[N], 8);
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t k = r->host.row[i]; k < r->host.row[i + 1]; k++)
            val[k] = r->host.val[k] + (r->host.col[k] == i ? 0.1 * (1 + i % 3) : 0);
    must_work(r->c, vks_matrix_set_values(r->A, VKS_F64, val));
}

/* Fails the k-th operation of a solve with new values; false if there is no k-th. */
static bool fail_operation(vks_context *c, vks_matrix_options storage, vks_solve_options o, uint32_t k)
{
    struct interposed *i = interposed_of(c->device);
    OWNED_STRUCT(repeated) r = make_repeated_of(c, tridiagonal(N, -1, 2.25, -1), storage, o);
    vks_solve_report reported;
    must_work(c, vks_solver_solve(r.solver, r.b, r.x, &reported));
    change_values(&r);
    i->calls = i->injected = 0;
    i->fail_call = k;
    vks_status s = vks_solver_solve(r.solver, r.b, r.x, &reported);
    i->fail_call = 0;
    bool failed = i->injected > 0;
    if (failed) {
        must_refuse(c, s, i->status, "injected failure");
        cr_expect_eq(reported.reason, VKS_REASON_NOT_RUN);
        must_work(c, vks_vector_fill(r.x, 0));
        reported = solve_twice(&r);
        cr_expect(reported.reason == VKS_REASON_CONVERGED && reported.iterations > 4);
    }
    return failed;
}

static void fail_each_operation(vks_context *c)
{
    static const vks_solve_options cg = {.rtol = 1e-9, ANYWHERE},
                                   blocks = {.precond = VKS_PRECOND_BLOCK_JACOBI},
                                   in_f32 = {.iterate_in_f32 = 1, ANYWHERE},
                                   jacobi = {.method = VKS_METHOD_JACOBI};
    const struct {
        vks_matrix_options storage;
        vks_solve_options options;
    } all[] = {{{0}, cg},
               {{0}, blocks},
               {{0}, in_f32},
               {{0}, jacobi},
               {{.precision = VKS_MIXED}, cg},
               {{.precision = VKS_MIXED}, in_f32},
               {{.storage = {.format = VKS_FORMAT_SELL, .coding = VKS_CODED_ALWAYS, .lean = true}}, cg}};
    for (uint32_t j = 0; j < sizeof all / sizeof all[0]; j++) {
        uint32_t k = 1;
        while (fail_operation(c, all[j].storage, all[j].options, k))
            k++;
        cr_expect_gt(k, 10, "only %u operations can fail", k - 1);
    }
}

TestOnHost(vks_solver_failures, of_each_operation_of_a_solve_leave_a_solver_as_good_as_before)
{
    fail_each_operation(c);
}
