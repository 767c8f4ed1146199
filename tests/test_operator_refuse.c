/* What is refused for operators. */
#include "tests/support/operator.h"
#include "vksolve/vksolve.h"

#include <unistd.h>

enum { WIDTH = 5, N = WIDTH * WIDTH };

static vks_matrix *laplacian(vks_context *c)
{
    vks_operator d = poisson_operator(WIDTH, false, VKS_F64);
    vks_matrix *A = NULL;
    must_work(c, vks_operator_create(c, N, &d, &A));
    return A;
}

#define REFUSES_ENTRIES(c, call) must_refuse(c, call, VKS_UNSUPPORTED, "no entries")

static void ask_for_matrices(vks_context *c, vks_matrix *A, vks_matrix *B)
{
    vks_matrix *C = NULL;
    vks_statistics statistics;
    vks_dense *dense = NULL;
    uint32_t row[N + 1];
    REFUSES_ENTRIES(c, vks_matrix_convert(A, NULL, &C));
    REFUSES_ENTRIES(c, vks_matrix_transpose(A, VKS_FORMAT_AUTO, &C));
    REFUSES_ENTRIES(c, vks_matrix_add(1, A, 1, B, VKS_FORMAT_AUTO, &C));
    REFUSES_ENTRIES(c, vks_matrix_add(1, B, 1, A, VKS_FORMAT_AUTO, &C));
    REFUSES_ENTRIES(c, vks_matrix_drop(A, 0, VKS_FORMAT_AUTO, &C));
    REFUSES_ENTRIES(c, vks_matrix_multiply(A, B, NULL, &C));
    REFUSES_ENTRIES(c, vks_matrix_multiply(B, A, NULL, &C));
    REFUSES_ENTRIES(c, vks_matrix_multiply_again(B, B, A));
    must_work(c, vks_matrix_convert(B, NULL, &C));
    REFUSES_ENTRIES(c, vks_matrix_multiply_again(A, B, C));
    vks_matrix_destroy(C);
    C = NULL;
    REFUSES_ENTRIES(c, vks_matrix_triple_product(B, A, B, NULL, &C));
    REFUSES_ENTRIES(c, vks_matrix_triple_product(A, B, B, NULL, &C));
    REFUSES_ENTRIES(c, vks_dense_from_matrix(A, &dense));
    cr_expect(!C && !dense);
    REFUSES_ENTRIES(c, vks_matrix_statistics(A, &statistics));
    REFUSES_ENTRIES(c, vks_matrix_write(A, "/tmp/vksolve-no-such-file.mtx"));
    cr_expect_neq(access("/tmp/vksolve-no-such-file.mtx", F_OK), 0);
    REFUSES_ENTRIES(c, vks_matrix_to_csr(A, row, NULL, VKS_F64, NULL));
    REFUSES_ENTRIES(c, vks_matrix_set_values(A, VKS_F64, row));
}

static void ask_for_solves(vks_context *c, const vks_matrix *A, const vks_vector *b, vks_vector *x)
{
    vks_solve_report r;
    vks_solver *solver = NULL;
    vks_solve_options blocks = {.precond = VKS_PRECOND_BLOCK_JACOBI},
                      weight = {.method = VKS_METHOD_JACOBI, .weight = VKS_WEIGHT_AUTO},
                      jacobi = {.precond = VKS_PRECOND_JACOBI}, direct = {.method = VKS_METHOD_GAUSS_JORDAN};
    must_refuse(c, vks_solve(A, b, x, &blocks, &r), VKS_UNSUPPORTED, "block-jacobi needs entries");
    cr_expect_eq(r.reason, VKS_REASON_NOT_RUN);
    must_refuse(c, vks_solve(A, b, x, &weight, NULL), VKS_UNSUPPORTED, "weight needs entries");
    must_refuse(c, vks_solve(A, b, x, &direct, NULL), VKS_UNSUPPORTED, "gauss-jordan needs entries");
    must_refuse(c, vks_solve(A, b, x, &jacobi, NULL), VKS_UNSUPPORTED, "was not given");
    must_refuse(c, vks_jacobi_solve(A, b, x, NULL, NULL), VKS_UNSUPPORTED, "was not given");
    must_refuse(c, vks_solver_create(A, &jacobi, &solver), VKS_UNSUPPORTED, "was not given");
    cr_expect_null(solver);
}

TestOnHost(operator_refuse, all_that_needs_entries_is_refused)
{
    OWNED_STRUCT(host_csr) host = poisson_matrix(WIDTH, false);
    OWNED(vks_matrix) *A = laplacian(c), *B = NULL;
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F64, NULL, N), *b = vector_of(c, PRECISION_F64, NULL, N);
    must_work(c, vks_matrix_from_csr(c, N, N, host.row, host.col, host.val, NULL, &B));
    for (int turn = 0; turn < 2; turn++) { /* and again after all these failures */
        ask_for_matrices(c, A, B);
        ask_for_solves(c, A, b, x);
        REFUSES_ENTRIES(c, vks_matrix_scale(A, b, NULL));
        REFUSES_ENTRIES(c, vks_spmv_transpose(A, b, x));
        must_work(c, vks_spmv(A, b, x));
        must_work(c, vks_solve(A, b, x, NULL, NULL));
    }
    must_refuse(c, vks_operator_changed(B), VKS_INVALID_ARGUMENT, "not an operator");
    cr_expect_eq(vks_matrix_rows(A), N);
    cr_expect_eq(vks_matrix_cols(A), N);
    cr_expect_eq(vks_matrix_entries(A), 0);
    cr_expect_eq(vks_matrix_format(A), VKS_FORMAT_AUTO);
    cr_expect_eq(vks_matrix_format_bytes(A), 0);
    cr_expect_str_eq(vks_matrix_format_reason(A), "an operator, without entries");
}

TestOnHost(operator_refuse, assembled_values_are_not_put_into_an_operator)
{
    OWNED(vks_matrix) *A = laplacian(c);
    OWNED(vks_array) *row = NULL, *val = NULL;
    OWNED(vks_assembly) *assembly = NULL;
    must_work(c, vks_array_create(c, N, VKS_TYPE_U32, &row));
    must_work(c, vks_array_create(c, N, VKS_TYPE_F64, &val));
    must_work(c, vks_assembly_create(c, N, N, row, row, &assembly));
    cr_expect_neq(vks_assembly_update(assembly, val, A), VKS_OK);
}

static void refuse(vks_context *c, const vks_operator *d, vks_status expected, const char *part)
{
    vks_matrix *A = (vks_matrix *)c;
    must_refuse(c, vks_operator_create(c, N, d, &A), expected, part);
    cr_expect_null(A);
}

Test(operator_refuse, descriptions_that_do_not_fit)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    const vks_operator good = poisson_operator(WIDTH, false, VKS_F64);
    vks_operator d = good;
    vks_matrix *A = NULL;
    OWNED(vks_array) *wide = NULL, *foreign = NULL;
    OWNED(vks_vector) *shorter = vector_of(c, PRECISION_F64, NULL, N - 1),
                      *narrow = vector_of(c, PRECISION_F32, NULL, N),
                      *away = vector_of(other, PRECISION_F64, NULL, N);
    must_work(c, vks_array_create(c, 3, VKS_TYPE_U64, &wide));
    must_work(other, vks_array_create(other, 3, VKS_TYPE_U32, &foreign));
    d.rows_f64 = NULL;
    refuse(c, &d, VKS_INVALID_ARGUMENT, "rows_f64");
    d.precision = VKS_F32;
    d.rows_f32 = NULL;
    refuse(c, &d, VKS_INVALID_ARGUMENT, "rows_f32");
    d = good;
    d.precision = VKS_MIXED;
    refuse(c, &d, VKS_INVALID_ARGUMENT, "");
    d = good;
    d.array[2] = wide;
    refuse(c, &d, VKS_INVALID_ARGUMENT, "U64");
    d.array[2] = foreign;
    refuse(c, &d, VKS_INVALID_ARGUMENT, "context");
    d = good;
    d.diagonal = shorter;
    refuse(c, &d, VKS_INVALID_ARGUMENT, "the diagonal has 24 elements");
    d.diagonal = narrow;
    refuse(c, &d, VKS_INVALID_ARGUMENT, "4 bytes");
    d.diagonal = away;
    refuse(c, &d, VKS_INVALID_ARGUMENT, "another context");
    must_refuse(c, vks_operator_create(c, VKS_LARGEST_INDEX + 1u, &good, &A), VKS_LIMIT, "4278190081");
}

TestOnHost(operator_refuse, solves_in_f32_need_both_functions_of_the_host)
{
    vks_operator d = poisson_operator(WIDTH, false, VKS_F32);
    OWNED(vks_matrix) *A = NULL;
    d.rows_f64 = NULL;
    must_work(c, vks_operator_create(c, N, &d, &A));
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F32, NULL, N), *b = vector_of(c, PRECISION_F32, NULL, N);
    must_work(c, vks_spmv(A, b, x));
    must_refuse(c, vks_solve(A, b, x, NULL, NULL), VKS_UNSUPPORTED, "rows_f64");
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);

    d = poisson_operator(WIDTH, false, VKS_F64);
    d.rows_f32 = NULL;
    must_work(c, vks_operator_create(c, N, &d, &A));
    x = vector_of(c, PRECISION_F64, NULL, N), b = vector_of(c, PRECISION_F64, NULL, N);
    must_refuse(c, vks_solve(A, b, x, &(vks_solve_options){.iterate_in_f32 = 1}, NULL), VKS_UNSUPPORTED,
                "rows_f32");
    must_work(c, vks_solve(A, b, x, NULL, NULL));
}

static int records_nothing(void *user, struct VkCommandBuffer_T *commands, vks_precision precision,
                           uint64_t x, uint64_t y)
{
    (void)user, (void)commands, (void)precision, (void)x, (void)y;
    return 1;
}

TestOnGpu(operator_refuse, a_gpu_needs_one_product_and_a_function_may_fail)
{
    vks_operator d = poisson_operator(WIDTH, false, VKS_F64);
    d.record = records_nothing;
    refuse(c, &d, VKS_INVALID_ARGUMENT, "2 of glsl, compiled and record");
    d.glsl = NULL;
    vks_matrix *A = NULL;
    must_work(c, vks_operator_create(c, N, &d, &A));
    vks_vector *x = vector_of(c, PRECISION_F64, NULL, N), *y = vector_of(c, PRECISION_F64, NULL, N);
    must_refuse(c, vks_spmv(A, x, y), VKS_UNSUPPORTED, "cannot be recorded in f64");
    must_refuse(c, vks_solve(A, x, y, NULL, NULL), VKS_UNSUPPORTED, "cannot be recorded in f64");
    vks_vector_destroy(x);
    vks_vector_destroy(y);
    vks_matrix_destroy(A);
    d.record = NULL;
    refuse(c, &d, VKS_INVALID_ARGUMENT, "0 of glsl, compiled and record");
}

TestOnGpu(operator_refuse, a_text_that_does_not_compile_is_reported_with_its_line)
{
    if (compiles(c)) {
        vks_operator d = {.glsl = "real row(uint i)\n{\n    return real(2) * z.at[i];\n}\n"};
        refuse(c, &d, VKS_INVALID_ARGUMENT, "glsl:3: error: 'z' : undeclared identifier");
        d.glsl = "#include \"nothing.glsl\"\nreal row(uint i) { return x.at[i]; }";
        refuse(c, &d, VKS_INVALID_ARGUMENT, "no such file");
        d.glsl = "";
        refuse(c, &d, VKS_INVALID_ARGUMENT, "row");
        d.glsl = "\nreal row(uint i) { double two = 2; return two * x.at[i]; }"; /* in f32 a double is not a
                                                                                    real */
        refuse(c, &d, VKS_INVALID_ARGUMENT, "glsl:2: error");
    }
}

TestOnGpu(operator_refuse, without_libshaderc_the_message_says_so)
{
    vks_operator d = poisson_operator(WIDTH, false, VKS_F64);
    setenv("VKSOLVE_SHADERC", "/nowhere/libshaderc.so", 1);
    refuse(c, &d, VKS_UNSUPPORTED,
           "libshaderc, which compiles GLSL, cannot be loaded (/nowhere/libshaderc.so:");
    setenv("VKSOLVE_SHADERC", "libm.so.6", 1);
    refuse(c, &d, VKS_UNSUPPORTED, "it has no shaderc_compiler_initialize");
}

static void refuse_compiled(vks_context *c, const vks_operator *d, const void *code, size_t bytes,
                            const char *part)
{
    vks_operator with = *d;
    with.glsl = NULL;
    with.compiled = code;
    with.compiled_bytes = bytes;
    refuse(c, &with, VKS_INVALID_ARGUMENT, part);
}

/* An instruction of zero words, on which a walk over instructions would hang. */
static void refuse_code_that_fits_its_sum(vks_context *c, const vks_operator *d, uint32_t *word, size_t bytes)
{
    enum { SUM = 2, SPIRV_MAGIC = 0x07230203, HEADER = 5 };
    uint32_t first = SUM, sum = word[SUM], again = 2166136261u;
    while (word[first] != SPIRV_MAGIC)
        first++;
    uint32_t instruction = word[first + HEADER];
    word[first + HEADER] &= 0xFFFF;
    for (size_t i = 4 * (SUM + 1); i < bytes; i++)
        again = (again ^ ((const unsigned char *)word)[i]) * 16777619u;
    word[SUM] = again;
    refuse_compiled(c, d, word, bytes, "is damaged: truncated or damaged: an instruction");
    word[first + HEADER] = instruction;
    word[SUM] = sum;
}

TestOnGpu(operator_refuse, compiled_code_that_is_damaged_or_another_one)
{
    vks_operator d = poisson_operator(WIDTH, false, VKS_F64);
    OWNED(vks_array) *array = NULL;
    void *code = NULL;
    size_t bytes = 0;
    must_work(c, vks_array_create(c, 1, VKS_TYPE_F32, &array));
    refuse_compiled(c, &d, "", 0, "not what vks_operator_compile made");
    refuse_compiled(c, &d, &(uint32_t[100]){7}, 400, "not what vks_operator_compile made");
    if (compiles(c)) {
        must_work(c, vks_operator_compile(c, &d, &code, &bytes));
        uint32_t *word = code;
        refuse_compiled(c, &d, code, bytes - 4, "is damaged");
        refuse_compiled(c, &d, code, bytes - 1, "is damaged");
        word[bytes / 8] ^= 1;
        refuse_compiled(c, &d, code, bytes, "is damaged");
        word[bytes / 8] ^= 1;
        refuse_code_that_fits_its_sum(c, &d, word, bytes);
        word[1]++;
        refuse_compiled(c, &d, code, bytes, "another version of vksolve");
        word[1]--;
        d.array[1] = array;
        refuse_compiled(c, &d, code, bytes, "arrays of other types");
        free(code);
    }
    d.glsl = NULL;
    must_refuse(c, vks_operator_compile(c, &d, &code, &bytes), VKS_INVALID_ARGUMENT, "no glsl");
    cr_expect_null(code);
}
