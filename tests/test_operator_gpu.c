/* Operators on lavapipe that are precompiled, or record their own dispatches. */
#include "abi/environment.h"
#include "abi/processor.h"
#include "device/vulkan/vulkan.h"
#include "operator/code.h"
#include "sparse/matrix.h"
#include "tests/support/operator.h"

#include <fenv.h>

enum { WIDTH = 9, N = WIDTH * WIDTH * WIDTH };

static void solve_compiled(vks_context *c, enum precision p)
{
    OWNED_STRUCT(host_csr) host = poisson_matrix(WIDTH, true);
    OWNED(double) *b = random_vector(p, N, 3, 5);
    struct problem q = {&host, b, NULL, p, {.method = VKS_METHOD_CG}};
    vks_operator d = poisson_operator(WIDTH, true, public_precision(p)), compiled = d;
    OWNED(void) *code = NULL;
    must_work(c, vks_operator_compile(c, &d, &code, &compiled.compiled_bytes));
    compiled.glsl = NULL;
    compiled.compiled = code;
    OWNED_STRUCT(solved) text = solve_operator(c, &q, &d);
    setenv("VKSOLVE_SHADERC", "/nowhere", 1); /* libshaderc is no longer needed */
    OWNED_STRUCT(solved) s = solve_operator(c, &q, &compiled);
    unsetenv("VKSOLVE_SHADERC");
    must_match(&s, &text, N, "compiled");
}

Test(operator_gpu, what_is_compiled_gives_the_bits_of_its_text_without_libshaderc)
{
    OWNED(char) *shaderc = getenv("VKSOLVE_SHADERC");
    shaderc = shaderc ? strdup(shaderc) : NULL;
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        OWNED(vks_context) *c = open_gpu();
        if (shaderc)
            setenv("VKSOLVE_SHADERC", shaderc, 1);
        if (compiles(c))
            solve_compiled(c, p);
    }
}

/* Counts arithmetic instructions that may be contracted; all of them if `all`. */
static uint32_t count_arithmetic(const struct kernel_code *code, bool all)
{
    enum { OP_DECORATE = 71, OP_F_ADD = 129, OP_F_SUB = 131, OP_F_MUL = 133, NO_CONTRACTION = 42 };
    uint32_t count = 0;
    for (uint32_t i = 5, length; i < code->count; i += length) {
        const uint32_t *word = code->words + i;
        uint32_t op = word[0] & 0xFFFF;
        length = word[0] >> 16;
        cr_assert_gt(length, 0);
        if (op == OP_F_ADD || op == OP_F_SUB || op == OP_F_MUL)
            count++;
        if (!all && op == OP_DECORATE && word[2] == NO_CONTRACTION)
            count--;
    }
    return count;
}

TestOnHost(operator_gpu, nothing_in_a_text_may_be_contracted)
{
    vks_operator d = poisson_operator(WIDTH, true, VKS_F64);
    struct operator_code code = {0};
    struct kernel found[OPERATOR_KERNEL_COUNT];
    if (compiles(c)) {
        must_work(c, operator_code_compile(&c->message, &d, &code));
        must_work(c, operator_code_kernels(&c->message, &code, &d, found));
        for (int k = 0; k < OPERATOR_KERNEL_COUNT; k++)
            for (int p = 0; p < REAL_PRECISIONS; p++)
                for (int subgroups = 0; subgroups < 2; subgroups++) {
                    const struct kernel_code *one = &found[k].code[p][subgroups];
                    cr_expect_geq(count_arithmetic(one, true), 8);
                    cr_expect_eq(count_arithmetic(one, false), 0);
                }
    }
    free(code.word);
}

/* Records the product with a matrix in CSR by vksolve's own kernel, in place of one of the program's. */
struct recorder {
    struct vulkan *v;
    vks_matrix *of[REAL_PRECISIONS];
    uint32_t calls[REAL_PRECISIONS], upward;
};

static int record_csr(void *user, struct VkCommandBuffer_T *commands, vks_precision precision, uint64_t x,
                      uint64_t y)
{
    struct recorder *r = user;
    const struct vulkan_api *vk = &r->v->instance.vk;
    enum precision p = precision_of(precision);
    const struct csr *A = &r->of[p]->csr;
    struct spmv_csr_args args = {.row = A->row,
                                 .col = A->col,
                                 .val = A->val,
                                 .x = (reals)(uintptr_t)x,
                                 .y = (reals)(uintptr_t)y,
                                 .n = A->n,
                                 .lanes = A->lanes};
    VkPipeline pipeline;
    uint64_t words[MAX_ARGS_BYTES / 8] = {0}, pushed[MAX_PUSH_BYTES / 8];
    memcpy(words, &args, sizeof args);
    vulkan_push_of(r->v, &kernels[KERNEL_spmv_csr], words, pushed);
    r->calls[p]++;
    r->upward += fegetround() == FE_UPWARD;
    if (vulkan_pipeline(r->v, KERNEL_spmv_csr, p, &args, &pipeline))
        return 1;
    vk->CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk->CmdPushConstants(commands, r->v->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                         kernels[KERNEL_spmv_csr].push_bytes, pushed);
    vk->CmdDispatch(commands, (uint32_t)groups_rows(A->n, A->lanes), 1, 1);
    return 0;
}

static void solve_recorded(vks_context *c, enum precision p)
{
    OWNED_STRUCT(host_csr) host = poisson_matrix(WIDTH, true);
    OWNED(double) *b = random_vector(p, N, 3, 5);
    struct problem q = {&host, b, NULL, p, {.method = VKS_METHOD_CG, .history_capacity = 100}};
    struct recorder r = {.v = vulkan_of(c->device)};
    vks_operator d = {.precision = public_precision(p), .record = record_csr, .user = &r, .bytes = 1000};
    q.options.precond = VKS_PRECOND_NONE;
    for (enum precision k = 0; k < REAL_PRECISIONS; k++)
        must_work(c, vks_matrix_from_csr(c, N, N, host.row, host.col, host.val,
                                         &(vks_matrix_options){.precision = public_precision(k),
                                                               .storage.format = VKS_FORMAT_CSR},
                                         &r.of[k]));
    struct solved matrix = solve_in(c, &q, VKS_FORMAT_CSR), own = solve_operator(c, &q, &d);
    must_match(&own, &matrix, N, "recorded");
    cr_expect_gt(r.calls[p], 1);
    cr_expect_gt(r.calls[PRECISION_F64], 0);
    solved_free(&matrix);
    solved_free(&own);
    for (enum precision k = 0; k < REAL_PRECISIONS; k++)
        vks_matrix_destroy(r.of[k]);
}

Test(operator_gpu, a_function_records_the_product_with_the_bits_of_the_matrix)
{
    in_both_precisions(open_gpu(), solve_recorded);
}

TestOnGpu(operator_gpu, the_function_records_in_the_floating_point_environment_of_the_program)
{
    static const uint32_t row[] = {0, 1}, col[] = {0};
    static const double val[] = {2};
    struct recorder r = {.v = vulkan_of(c->device)};
    vks_operator d = {.record = record_csr, .user = &r};
    struct environment upward;
    vks_matrix *A;
    must_work(c, vks_matrix_from_csr(c, 1, 1, row, col, val, NULL, &r.of[PRECISION_F64]));
    must_work(c, vks_operator_create(c, 1, &d, &A));
    vks_vector *x = vector_of(c, PRECISION_F64, NULL, 1);
    vks_vector *y = vector_of(c, PRECISION_F64, NULL, 1);
    fesetround(FE_UPWARD);
    environment_save(&upward); /* as an entry point does (abi/entries.c) */
    environment_callers = &upward;
    must_work(c, vks_spmv(A, x, y));
    environment_callers = NULL;
    cr_expect_eq(fegetround(), FE_TONEAREST);
    cr_expect(r.upward && r.upward == r.calls[PRECISION_F64], "%u of %u", r.upward, r.calls[PRECISION_F64]);
    vks_vector_destroy(x);
    vks_vector_destroy(y);
    vks_matrix_destroy(A);
    vks_matrix_destroy(r.of[PRECISION_F64]);
}
