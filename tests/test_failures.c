/* Every operation of a device can fail. Each public call is repeated with its first, second, third ...
 * operation failing, until it succeeds: every failure must give the status and message of that operation,
 * leave no array behind, and leave the objects usable. ASan finds leaks of host memory. */
#include "tests/support/world/world.h"

/* Makes the call with its k-th operation failing; false if it has no k-th. */
static bool call_failing(struct world *w, vks_status (*call)(struct world *), uint32_t k)
{
    struct interposed *i = interposed_of(w->c->device);
    uint32_t live = i->live, references = w->c->references;
    char part[64];
    snprintf(part, sizeof part, "injected failure of call %u ", k);
    i->calls = i->injected = 0;
    i->fail_call = k;
    vks_status s = call(w);
    i->fail_call = 0;
    cr_assert_eq(i->live, live, "%u arrays were left behind after %s", i->live - live, part);
    cr_assert_eq(w->c->references, references, "references to the context differ after %s", part);
    if (i->injected)
        must_refuse(w->c, s, i->status, part);
    else
        must_work(w->c, s);
    return i->injected;
}

static void fail_each_operation(const char *device, vks_status (*call)(struct world *), uint32_t least)
{
    struct world w = make_world(open_context(device, (struct device_options){.largest_array = 4 << 20}));
    uint32_t k = 1;
    must_work(w.c, call(&w)); /* allocates what the context keeps for calls (device/call.h) */
    while (call_failing(&w, call, k))
        k++;
    cr_expect_gt(k, least, "only %u operations can fail", k - 1);
    must_work(w.c, call(&w)); /* once more, after all these failures */
    world_free(&w);
    close_context(w.c);
}

#define X(call, least)                                                      \
    Test(failures, of_each_operation_are_reported_and_cleaned_up_by_##call) \
    {                                                                       \
        fail_each_operation("host", call, least);                           \
    }
CALLS(X)
#undef X

/* By a text if it can be compiled; else by the matrix. */
static vks_status multiply_by_text(struct world *w)
{
    vks_operator d = {.glsl = "real row(uint i) { return x.at[i]; }"};
    OWNED(vks_matrix) *A = NULL;
    vks_status s = vks_operator_create(w->c, N, &d, &A);
    if (s == VKS_UNSUPPORTED)
        return multiply(w);
    if (!s)
        s = vks_spmv(A, w->b, w->x);
    return s;
}

Test(failures, on_lavapipe_are_reported_and_cleaned_up_by_the_product_and_the_solve)
{
    fail_each_operation(gpu_name(), multiply, 3);
    fail_each_operation(gpu_name(), solve_with_jacobi, 35);
    fail_each_operation(gpu_name(), solve_with_partners, 60);
    fail_each_operation(gpu_name(), multiply_by_text, 3);
}
