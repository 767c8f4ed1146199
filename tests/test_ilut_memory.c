/* Failing allocations of ilut, in blocks and uncut: each is reported, nothing leaks, and the next call
 * works. */
#include "small_matrix.h"
#include "tests/support/failing_memory.h"
#include "tests/support/precond.h"

#if MEMORY_CAN_FAIL
enum { ROWS = 1100 };

/* Makes a preconditioner, applies it, and updates its values, while allocation k fails; 0: none. Returns
 * whether one failed. */
static bool survive(vks_context *c, vks_matrix *A, vks_vector *const v[2], const vks_precond_options *o,
                    uint32_t k)
{
    vks_precond *M = NULL;
    arm(k);
    vks_status s = vks_precond_create(A, o, &M);
    if (!s)
        s = vks_precond_apply(M, v[0], v[1]);
    if (!s)
        s = vks_precond_update(M);
    vks_precond_destroy(M);
    if (k)
        disarm();
    memory.armed = false;
    if (s)
        cr_assert((s == VKS_OUT_OF_MEMORY || s == VKS_DEVICE_MEMORY) &&
                      strstr(vks_context_message(c), "memory"),
                  "failure %u: %s", k, vks_status_name(s));
    cr_assert_eq(s != VKS_OK, memory.failures != 0, "failure %u", k);
    return memory.failures != 0;
}

static void survive_all(const vks_precond_options *o)
{
    struct device_options one = {.threads = 1};
    struct message m = {0};
    OWNED_BY(context_end) vks_context *c = NULL;
    OWNED_STRUCT(host_csr) host = tridiagonal(ROWS, -1, 4, -2);
    vks_vector *v[2];
    cr_assert_eq(context_open(&m, "host", &one, &c), VKS_OK);
    OWNED(vks_matrix) *A = matrix_from(c, &host, NULL);
    for (int i = 0; i < 2; i++) {
        must_work(c, vks_vector_create(c, ROWS, VKS_F64, &v[i]));
        must_work(c, vks_vector_fill(v[i], 1));
    }
    uint32_t k = 1;
    cr_assert(!survive(c, A, v, o, 0)); /* allocates what the context keeps for calls */
    while (survive(c, A, v, o, k))
        k++;
    cr_expect_gt(k, 40, "only %u allocations", k);
    for (int i = 0; i < 2; i++)
        vks_vector_destroy(v[i]);
}

Test(ilut_memory, of_blocks_each_failure_is_reported)
{
    survive_all(&(vks_precond_options){.kind = VKS_PRECOND_ILUT});
}

Test(ilut_memory, of_uncut_factors_each_failure_is_reported)
{
    survive_all(&(vks_precond_options){.kind = VKS_PRECOND_ILUT, .rows = VKS_ALL_ROWS});
}
#endif
