/* Every allocation of host memory can fail. Each public call is repeated with its first, second, third ...
 * allocation failing, until it succeeds. */
#include "command/models/problem.h"
#include "command/solve/order.h"
#include "small_matrix.h"
#include "tests/support/failing_memory.h"
#include "tests/support/world/world.h"

#if MEMORY_CAN_FAIL
/* Makes the call with its k-th allocation failing; false if it has no k-th. */
static bool call_failing(struct world *w, vks_status (*call)(struct world *), uint32_t k)
{
    arm(k);
    vks_status s = call(w);
    disarm();
    if (!memory.failures) {
        must_work(w->c, s);
        return false;
    }
    cr_assert(s == VKS_OUT_OF_MEMORY || s == VKS_DEVICE_MEMORY, "allocation %u failed, and the call gave %s",
              k, vks_status_name(s));
    cr_assert(strstr(vks_context_message(w->c), "memory"), "\"%s\" does not speak of memory",
              vks_context_message(w->c));
    return true;
}

static vks_context *open_plain(void)
{
    struct message m = {0};
    vks_context *c = NULL;
    struct device_options o = {.largest_array = 4 << 20};
    cr_assert_eq(context_open(&m, "host", &o, &c), VKS_OK, "%s", m.text);
    return c;
}

static void fail_each_allocation(vks_status (*call)(struct world *))
{
    struct world w = make_world(open_plain());
    must_work(w.c, call(&w)); /* threads start here */
    uint32_t k = 1;
    while (call_failing(&w, call, k))
        k++;
    must_work(w.c, call(&w));
    world_free(&w);
    vks_context_destroy(w.c);
}

#define X(call, least)                                                              \
    Test(failures_memory, of_each_allocation_are_reported_and_cleaned_up_by_##call) \
    {                                                                               \
        fail_each_allocation(call);                                                 \
    }
CALLS(X)
#undef X

/* Counts allocations of both kinds while a solver solves, with swapped vectors, and is polled. */
static void solve_counted(vks_context *c, vks_solver *solver, const vks_vector *b, vks_vector *x[2])
{
    struct interposed *i = interposed_of(c->device);
    vks_solve_report reported[3];
    int ended = 0;
    i->allocations = 0;
    arm(0);
    for (int k = 0; k < 2; k++) {
        must_work(c, vks_vector_fill(x[k], k));
        memory.calls = i->allocations = 0;
        must_work(c, vks_solver_solve(solver, b, x[k], &reported[k]));
        cr_expect_eq(memory.calls, 0, "%u allocations by solve %d on %s", memory.calls, k,
                     c->device->info.name);
        cr_expect_eq(i->allocations, 0, "%u arrays for solve %d", i->allocations, k);
    }
    must_work(c, vks_solver_set_limits(solver, 1e-3, 0, 0));
    must_work(c, vks_vector_fill(x[0], 7));
    memory.calls = i->allocations = 0;
    must_work(c, vks_solver_submit(solver, b, x[0]));
    while (!ended)
        must_work(c, vks_solver_poll(solver, &ended, &reported[2]));
    cr_expect_eq(memory.calls + i->allocations, 0, "polled: %u and %u", memory.calls, i->allocations);
    memory.armed = false;
    cr_expect(reported[0].iterations > reported[2].iterations && reported[2].iterations > 4);
}

static void allocate_nothing(vks_context *c)
{
    static const vks_precond_options blocks = {.kind = VKS_PRECOND_BLOCK_JACOBI, .in_f32 = 1},
                                     inner = {.kind = VKS_PRECOND_INNER, .steps = 2},
                                     chebyshev = {.kind = VKS_PRECOND_CHEBYSHEV, .inner = &blocks};
    static const vks_solve_options options[] = {
        {.rtol = 1e-9, ANYWHERE},          {.iterate_in_f32 = 1},         {.method = VKS_METHOD_JACOBI},
        {.method = VKS_METHOD_RICHARDSON}, {.precond = VKS_PRECOND_NONE}, {.precond_options = &inner},
        {.precond_options = &chebyshev},
    };
    OWNED_STRUCT(world) w = make_world(c);
    vks_vector *x[2] = {w.x, NULL};
    must_work(c, vks_vector_create(c, N, VKS_F64, &x[1]));
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        OWNED(vks_solver) *solver;
        must_work(c, vks_solver_create(w.A, &options[k], &solver));
        solve_counted(c, solver, w.b, x);
    }
    vks_vector_destroy(x[1]);
}

static void allocate_nothing_for(vks_context *c, const struct host_csr *host, vks_solve_options o)
{
    double b[N];
    for (int i = 0; i < N; i++)
        b[i] = i * i % 7;
    OWNED(vks_matrix) *A = matrix_from(c, host, NULL);
    OWNED(vks_vector) *right = vector_of(c, PRECISION_F64, b, N), *x0 = vector_of(c, PRECISION_F64, NULL, N),
                      *x1 = vector_of(c, PRECISION_F64, NULL, N);
    OWNED(vks_solver) *solver = NULL;
    must_work(c, vks_solver_create(A, &o, &solver));
    solve_counted(c, solver, right, (vks_vector *[]){x0, x1});
}

/* A chain with free ends. */
static void allocate_nothing_with_a_null_space(vks_context *c)
{
    OWNED_STRUCT(host_csr) host = tridiagonal(N, -1, 2, -1);
    host.val[0] = host.val[host.row[N] - 1] = 1;
    allocate_nothing_for(c, &host, (vks_solve_options){.singular = 1});
}

static void allocate_nothing_without_f64(vks_context *c)
{
    c->device->info.f64 = false;
    OWNED_STRUCT(host_csr) host = tridiagonal(N, -1, 2.1, -1);
    allocate_nothing_for(c, &host, (vks_solve_options){.rtol = 1e-9, ANYWHERE});
}

Test(failures_memory, cannot_happen_in_the_solves_of_a_solver_which_allocate_nothing)
{
    on_both(allocate_nothing);
    on_the_host(allocate_nothing_with_a_null_space);
    on_the_host(allocate_nothing_without_f64);
}

/* A round of calls on vectors, without and with a result. */
static void call_each(const struct world *w, vks_precond *M, double *result)
{
    must_work(w->c, vks_vector_fill(w->x, 1));
    must_work(w->c, vks_vector_copy(w->b, w->x));
    must_work(w->c, vks_vector_axpy(2, w->b, w->x));
    must_work(w->c, vks_spmv(w->A, w->b, w->x));
    must_work(w->c, vks_precond_apply(M, w->b, w->x));
    must_work(w->c, vks_vector_dot(w->b, w->x, result));
    must_work(w->c, vks_vector_norm2(w->x, result));
    must_work(w->c, vks_vector_sum(w->x, result));
}

TestOnBoth(failures_memory, cannot_happen_in_calls_on_vectors_which_allocate_nothing_after_the_first)
{
    struct interposed *i = interposed_of(c->device);
    OWNED_STRUCT(world) w = make_world(c);
    double result[2];
    OWNED(vks_precond) *M = NULL;
    must_work(c, vks_precond_create(w.A, &(vks_precond_options){.kind = VKS_PRECOND_INNER}, &M));
    call_each(&w, M, &result[0]);
    i->allocations = 0;
    arm(0);
    call_each(&w, M, &result[1]);
    cr_expect_eq(memory.calls + i->allocations, 0, "%u allocations and %u arrays on %s", memory.calls,
                 i->allocations, c->device->info.name);
    memory.armed = false;
    cr_expect(same_bits(result[0], result[1]));
}

static bool open_failing(uint32_t k)
{
    char text[200] = "";
    vks_context *c = NULL;
    vks_context_options o = {.device = "host", .message = text, .message_size = sizeof text};
    arm(k);
    vks_status s = vks_context_create(&o, &c);
    bool failed = memory.failures;
    if (failed) {
        cr_expect(s == VKS_OUT_OF_MEMORY || s == VKS_DEVICE_MEMORY, "%s", vks_status_name(s));
        cr_expect(strstr(text, "memory"), "%s", text);
        cr_expect_null(c);
    }
    vks_context_destroy(c);
    disarm();
    return failed;
}

Test(failures_memory, of_each_allocation_are_reported_where_a_context_is_opened)
{
    uint32_t k = 1;
    while (open_failing(k))
        k++;
    cr_expect_geq(k, 3);
}

enum { LONG_CHAIN = 1100 };

/* The solve reports the failure, or continues without multigrid. *did counts the latter. */
static bool choose_failing(vks_context *c, vks_matrix *A, vks_vector *const v[2], uint32_t k, uint32_t *did)
{
    vks_solve_report r;
    arm(k);
    vks_status s = vks_solve(A, v[0], v[1], &(vks_solve_options){.zero_guess = 1, ANYWHERE}, &r);
    disarm();
    if (s) {
        cr_assert((s == VKS_OUT_OF_MEMORY || s == VKS_DEVICE_MEMORY) &&
                      strstr(vks_context_message(c), "memory"),
                  "failure %u: %s", k, vks_status_name(s));
        return true;
    }
    cr_assert_eq(r.reason, VKS_REASON_CONVERGED, "failure %u: %s", k, r.detail);
    cr_assert_eq(r.precond, memory.failures ? VKS_PRECOND_JACOBI : VKS_PRECOND_AMG, "failure %u", k);
    *did += memory.failures != 0;
    return memory.failures != 0;
}

Test(failures_memory, of_each_allocation_are_reported_or_survived_by_a_solve_that_chooses)
{
    OWNED_STRUCT(host_csr) host = tridiagonal(LONG_CHAIN, -1, 2.0001, -1);
    OWNED_BY(context_end) vks_context *c = open_plain();
    vks_vector *v[2];
    OWNED(vks_matrix) *A = matrix_from(c, &host, NULL);
    for (int i = 0; i < 2; i++) {
        must_work(c, vks_vector_create(c, LONG_CHAIN, VKS_F64, &v[i]));
        must_work(c, vks_vector_fill(v[i], 1));
    }
    uint32_t k = 1, did = 0;
    choose_failing(c, A, v, 0, &did); /* threads start here */
    while (choose_failing(c, A, v, k, &did))
        k++;
    cr_expect(did > 50 && k > did + 50, "%u of %u failures were survived", did, k - 1);
    vks_vector_destroy(v[0]);
    vks_vector_destroy(v[1]);
}

/* A path, whose order may stay the same. */
static bool reorder_failing(uint32_t k)
{
    const uint32_t row[] = {0, 1, 3, 4}, col[] = {1, 0, 2, 1};
    uint32_t order[3] = {9, 9, 9};
    arm(k);
    vks_status s = vks_reorder_rcm(3, row, col, order);
    bool failed = memory.failures;
    disarm();
    cr_expect_eq(s, failed ? VKS_OUT_OF_MEMORY : VKS_OK, "%s", vks_status_name(s));
    cr_expect_eq(order[0] == 9, failed);
    return failed;
}

Test(failures_memory, of_each_allocation_are_reported_and_cleaned_up_by_reorder)
{
    uint32_t k = 1;
    while (reorder_failing(k))
        k++;
    cr_expect_eq(k, 9);
}

/* The steps of the command for --reorder. */
static bool reorder_solve_failing(uint32_t k)
{
    uint32_t row[] = {0, 1, 3, 4}, col[] = {1, 0, 2, 1};
    double val[] = {1, 2, 3, 4}, b[] = {1, 2, 3};
    struct solve_job job = {.set.reorder = 1, .a = {3, 3, row, col, val}, .b = b};
    struct message m = {0};
    arm(k);
    vks_status s = solve_reorder(&m, &job);
    bool failed = memory.failures;
    solve_order_free(&job.order);
    disarm();
    cr_expect_eq(s, failed ? VKS_OUT_OF_MEMORY : VKS_OK, "%s", vks_status_name(s));
    cr_expect(!failed || strstr(m.text, "memory"), "\"%s\" does not speak of memory", m.text);
    return failed;
}

Test(failures_memory, of_each_allocation_are_reported_and_cleaned_up_by_a_reordered_solve)
{
    reorder_solve_failing(0); /* threads start here */
    uint32_t k = 1;
    while (reorder_solve_failing(k))
        k++;
    cr_expect_geq(k, 17);
}

static bool powerlaw_failing(uint32_t k)
{
    struct host_csr a;
    struct message m = {0};
    arm(k);
    vks_status s = problem_load(&m, "powerlawspd:16:2", &a);
    bool failed = memory.failures;
    cr_expect_eq(s, failed ? VKS_OUT_OF_MEMORY : VKS_OK, "%s", vks_status_name(s));
    cr_expect(!failed || (strstr(m.text, "memory") && !a.row && !a.col && !a.val), "%s", m.text);
    host_csr_free(&a);
    disarm();
    return failed;
}

Test(failures_memory, of_each_allocation_are_reported_and_cleaned_up_by_a_power_law)
{
    powerlaw_failing(0); /* threads start here */
    uint32_t k = 1;
    while (powerlaw_failing(k))
        k++;
    cr_expect_geq(k, 7);
}

#else
Test(failures_memory, cannot_be_injected_here_without_glibc_or_under_a_sanitizer)
{
    cr_skip_test("the allocator is not ours to replace");
}
#endif
