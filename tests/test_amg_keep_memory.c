/* The memory of multigrid that keeps its levels: new values take none, it is counted in advance, and its
 * initial allocation may fail. */
#include "tests/support/failing_memory.h"
#include "tests/support/series.h"

/* Systems, and multigrid for them. */
struct way {
    const char *name;
    enum precision p;
    vks_precond_options M;
    bool elastic;
};

static const struct way ways[] = {
    {"amg", PRECISION_F64, {.kind = VKS_PRECOND_AMG}, false},
    {"amg/f32", PRECISION_F64, {.kind = VKS_PRECOND_AMG, .in_f32 = 1}, false},
    {"f32", PRECISION_F32, {.kind = VKS_PRECOND_AMG}, false},
    {"mixed", PRECISION_MIXED, {.kind = VKS_PRECOND_AMG, .in_f32 = 1}, false},
    {"nodes", PRECISION_F64, {.kind = VKS_PRECOND_AMG, .in_f32 = 1, .amg = {.block = 3}}, true},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* Rows and columns are scaled slightly, so that no device finds few kinds of entries: a matrix of codes would
 * rebuild them for new values. */
static struct host_csr system_of(const struct way *w)
{
    struct host_csr A;
    if (w->elastic)
        cr_assert_eq(generate_matrix(NULL, "elasticity3d", 7, &A), VKS_OK);
    else
        A = grid_csr(cube(10, 30));
    OWNED(double) *scale = random_vector(PRECISION_F64, A.rows, 2, 3);
    for (uint32_t i = 0; i < A.rows; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            A.val[k] = (float)(A.val[k] * ((10 + scale[i]) * (10 + scale[A.col[k]])));
    return A;
}

static vks_precond_options keeping(const struct way *w)
{
    vks_precond_options M = w->M;
    M.amg.refresh = VKS_AMG_KEEP;
    return M;
}

static void solve_again(struct series *s)
{
    vks_solve_report r;
    must_work(s->c, vks_solver_solve(s->solver, s->right, s->x, &r));
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s: %s", vks_reason_name(r.reason), r.detail);
}

/* False if the solve for new values makes no k-th call of the device. Otherwise that call fails, and the next
 * solve must not. */
static bool solve_failing(struct series *s, const struct host_csr *A, uint32_t k)
{
    struct interposed *i = interposed_of(s->c->device);
    vks_solve_report r;
    must_work(s->c, vks_matrix_set_values(s->A, VKS_F64, A->val));
    i->calls = i->injected = 0;
    i->fail_call = k;
    vks_status status = vks_solver_solve(s->solver, s->right, s->x, &r);
    i->fail_call = 0;
    cr_expect_eq(status, i->injected ? i->status : VKS_OK, "call %u: %s", k, vks_status_name(status));
    cr_expect_null(s->c->device->scratch);
    solve_again(s);
    return i->injected;
}

TestOnHost(amg_keep_memory, is_whole_after_any_call_of_the_device_failed)
{
    OWNED_STRUCT(host_csr) A = system_of(&ways[1]);
    vks_precond_options M = keeping(&ways[1]);
    OWNED_STRUCT(series) s = begin_series(c, &A, ways[1].p, &M);
    uint32_t k = 1;
    while (solve_failing(&s, &A, k))
        k += k < 20 ? 1 : 7;
    cr_expect_gt(k, 50, "only %u calls can fail", k - 1);
}

#if MEMORY_CAN_FAIL
TestOnBoth(amg_keep_memory, new_values_allocate_nothing)
{
    struct interposed *i = interposed_of(c->device);
    bool all = c->device->info.kind == DEVICE_HOST; /* pipelines of a GPU take long to make */
    for (int w = all ? 0 : 1; w < WAYS; w += all ? 1 : 3) {
        OWNED_STRUCT(host_csr) A = system_of(&ways[w]);
        vks_precond_options M = keeping(&ways[w]);
        OWNED_STRUCT(series) s = begin_series(c, &A, ways[w].p, &M);
        arm(0);
        for (int k = 0; k < 2; k++) {
            for (size_t e = 0; e < host_csr_entries(&A); e++)
                A.val[e] *= 2;
            must_work(c, vks_matrix_set_values(s.A, VKS_F64, A.val));
            memory.calls = i->allocations = 0;
            solve_again(&s);
            cr_expect_eq(memory.calls + i->allocations, 0, "%s, step %d: %u allocations and %u arrays on %s",
                         ways[w].name, k, memory.calls, i->allocations, c->device->info.name);
        }
        memory.armed = false;
    }
}

/* False if there is no k-th allocation. */
static bool create_failing(struct series *s, const vks_solve_options *o, uint32_t k)
{
    vks_solver *solver = NULL;
    uint64_t before = s->c->device->bytes;
    arm(k);
    vks_status status = vks_solver_create(s->A, o, &solver);
    bool failed = memory.failures > 0;
    if (failed)
        cr_assert(status == VKS_OUT_OF_MEMORY || status == VKS_DEVICE_MEMORY,
                  "allocation %u failed, and the call gave %s", k, vks_status_name(status));
    else
        must_work(s->c, status);
    vks_solver_destroy(solver);
    disarm();
    cr_assert_eq(s->c->device->bytes, before, "arrays stay after allocation %u", k);
    return failed;
}

Test(amg_keep_memory, may_be_missing_when_a_solver_is_made)
{
    struct message m = {0};
    OWNED_BY(context_end) vks_context *c = NULL;
    cr_assert_eq(context_open(&m, "host", &(struct device_options){.largest_array = 4 << 20}, &c), VKS_OK);
    OWNED_STRUCT(host_csr) A = grid_csr(cube(9, 30));
    vks_precond_options M = keeping(&ways[1]);
    OWNED_STRUCT(series) s = begin_series(c, &A, ways[1].p, &M); /* threads start here */
    uint32_t k = 1;
    while (create_failing(&s, &(vks_solve_options){.precond_options = &M}, k))
        k++;
    cr_expect_gt(k, 100, "only %u allocations can fail", k - 1);
    solve_again(&s);
}

#endif
