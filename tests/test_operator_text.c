/* The texts of operators: what they can access, and refusals. */
#include "device/spirv.h"
#include "tests/support/operator.h"

enum { N = 600 };

static void must_not_compile(vks_context *c, const char *glsl, vks_status expected, const char *part)
{
    vks_operator d = {.glsl = glsl, .precision = c->device->info.f64 ? VKS_F64 : VKS_F32};
    vks_matrix *A = (vks_matrix *)c;
    must_refuse(c, vks_operator_create(c, N, &d, &A), expected, part);
    cr_expect_null(A);
    const char *message = vks_context_message(c);
    cr_expect(message[0] && message[strlen(message) - 1] != '\n', "\"%s\"", message);
}

static void on_one_with(struct device_options o, void (*test)(vks_context *))
{
    OWNED(vks_context) *c = open_context(gpu_name(), o);
    if (compiles(c))
        test(c);
}

static void where_it_compiles(void (*test)(vks_context *))
{
    on_one_with((struct device_options){0}, test);
}

#define ROW "real row(uint i) { return x.at[i]; }\n"

TEST_BY(where_it_compiles, operator_text, does_not_include_itself, vks_context *c)
{
    must_not_compile(c, "#include \"operator/row.glsl\"\n" ROW, VKS_INVALID_ARGUMENT,
                     "it would include itself");
    must_not_compile(c, "#include \"operator/operator_product.comp\"\n" ROW, VKS_INVALID_ARGUMENT, "error");
}

TEST_BY(where_it_compiles, operator_text, is_refused_what_no_pipeline_gives_it, vks_context *c)
{
    must_not_compile(c,
                     "layout(set = 0, binding = 0) buffer block { float v[]; } own;\n"
                     "real row(uint i) { return real(own.v[i]); }",
                     VKS_INVALID_ARGUMENT, "a buffer, uniform or image of its own");
    must_not_compile(c,
                     "layout(binding = 1) uniform sampler2D s;\n" ROW
                     "real other() { return real(texelFetch(s, ivec2(0), 0).x); }",
                     VKS_INVALID_ARGUMENT, "a buffer, uniform or image of its own");
    must_not_compile(c,
                     "layout(constant_id = 0) const uint k = 3;\n"
                     "real row(uint i) { return real(k); }",
                     VKS_INVALID_ARGUMENT, "a specialization constant");
    must_not_compile(c,
                     "#if SUBGROUP\n" /* has a constant with this id */
                     "layout(constant_id = 0) const uint k = 3;\n"
                     "real row(uint i) { return real(k); }\n"
                     "#else\n" ROW "#endif",
                     VKS_INVALID_ARGUMENT, "already used");
    must_not_compile(c,
                     "shared real v[9000];\n"
                     "real row(uint i) { v[i % 9000] = x.at[i]; return v[0]; }",
                     VKS_INVALID_ARGUMENT, "shared memory");
    must_not_compile(c, "real row(uint i) { barrier(); return x.at[i]; }", VKS_INVALID_ARGUMENT, "a barrier");
    must_not_compile(c,
                     "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
                     "real row(uint i) { return x.at[uint(int64_t(i))]; }",
                     VKS_INVALID_ARGUMENT, "need more of a device");
}

TEST_BY(where_it_compiles, operator_text, has_one_row_and_no_more, vks_context *c)
{
    must_not_compile(c, "", VKS_INVALID_ARGUMENT, "row");
    must_not_compile(c, "float row(uint i) { return float(x.at[i]); }", VKS_INVALID_ARGUMENT,
                     "glsl:1: error");
    must_not_compile(c, ROW "/* without end", VKS_INVALID_ARGUMENT, "glsl:2: error");
    must_not_compile(c, ROW "#if 0\n", VKS_INVALID_ARGUMENT, "#endif");
    must_not_compile(c, ROW "void main() { }\n", VKS_INVALID_ARGUMENT, "glsl:2: error: 'main'");
}

static void have_doubles(vks_context *c)
{
    static const char doubles[] = "real row(uint i) { double v = x.at[i]; return real(v * v); }";
    must_not_compile(c, doubles, VKS_UNSUPPORTED, "no 64-bit floats, and the operator's text has doubles");
    vks_operator d = {.glsl = doubles}, compiled = {.precision = VKS_F32};
    OWNED(void) *code = NULL;
    vks_matrix *A = NULL;
    must_work(c, vks_operator_compile(c, &d, &code, &compiled.compiled_bytes));
    compiled.compiled = code;
    must_refuse(c, vks_operator_create(c, N, &compiled, &A), VKS_UNSUPPORTED,
                "the operator's text has doubles");
}

Test(operator_text, has_no_doubles_on_a_device_without_them)
{
    on_one_with((struct device_options){.without_f64 = true}, have_doubles);
}

TestOnGpu(operator_text, is_compiled_by_the_usual_libshaderc_where_the_variable_is_empty)
{
    vks_operator d = {.glsl = ROW};
    OWNED(void) *code = NULL;
    size_t bytes;
    setenv("VKSOLVE_SHADERC", "", 1);
    if (vks_operator_compile(c, &d, &code, &bytes))
        cr_expect(strstr(vks_context_message(c), "cannot be loaded"), "%s", vks_context_message(c));
}

/* A x = 6 with the diagonal 1, 2, 3, 1 ..., which the text must define. */
static void solve_diagonal(vks_context *c, const char *glsl)
{
    vks_operator d = {.glsl = glsl};
    OWNED(vks_matrix) *A = NULL;
    vks_solve_report r;
    OWNED(double) *got = room(N, 8);
    must_work(c, vks_operator_create(c, N, &d, &A));
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, N), *x = vector_of(c, PRECISION_F64, NULL, N);
    must_work(c, vks_vector_fill(b, 6));
    must_work(c, vks_solve(A, b, x, NULL, &r));
    must_work(c, vks_vector_read(x, 0, N, VKS_F64, got));
    guards_check(c->device);
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s", r.detail);
    for (uint32_t i = 0; i < N; i++)
        cr_assert_float_eq(got[i], 6.0 / (1 + i % 3), 1e-7, "row %u: %g", i, got[i]);
}

/* Defines macros with names that the surrounding kernels use. */
TEST_BY(where_it_compiles, operator_text, has_macros_for_itself, vks_context *c)
{
    solve_diagonal(c, "#define n 5u\n"
                      "#define i 7u\n"
                      "#define term sum\n"
                      "#define tile 2u\n"
                      "#define c real(3)\n"
                      "real row(uint k) { return real(1u + k % 3u) * x.at[k]; }\n");
}

static void share_workgroups(vks_context *c)
{
    solve_diagonal(c, "real row(uint i) { return real(1u + i % 3u) * x.at[i]; }\n");
}

Test(operator_text, computes_all_rows_where_workgroups_are_fewer)
{
    on_one_with((struct device_options){.max_groups = 2}, share_workgroups);
}

/* y = sqrt(x / 3) + 0.1 */
static void compute_exactly(vks_context *c, enum precision p)
{
    vks_operator d = {.precision = public_precision(p),
                      .glsl =
                          "#include \"exact.glsl\"\n"
                          "real row(uint i) { return square_root(divide(x.at[i], real(3))) + real(0.1lf); }"};
    OWNED(double) *v = random_vector(p, N, 20, 1), *got = room(N, 8);
    OWNED(vks_matrix) *A = NULL;
    for (uint32_t i = 0; i < N; i++)
        v[i] = fabs(v[i]);
    must_work(c, vks_operator_create(c, N, &d, &A));
    OWNED(vks_vector) *x = vector_of(c, p, v, N), *y = vector_of(c, p, NULL, N);
    must_work(c, vks_spmv(A, x, y));
    must_work(c, vks_vector_read(y, 0, N, VKS_F64, got));
    for (uint32_t i = 0; i < N; i++) {
        float narrow = sqrtf((float)v[i] / 3) + 0.1f;
        double want = p == PRECISION_F32 ? (double)narrow : sqrt(v[i] / 3) + 0.1;
        cr_assert(same_bits(got[i], want), "row %u: %.17g instead of %.17g", i, got[i], want);
    }
}

Test(operator_text, divides_and_takes_roots_as_the_host_does)
{
    vks_context *c = open_gpu();
    if (compiles(c))
        in_both_precisions(c, compute_exactly);
    else
        close_context(c);
}

Test(operator_text, is_broken_code_where_a_capability_has_no_name)
{
    uint32_t word[] = {0x07230203, 0x10300, 0, 1, 0, 2 << 16 | 17, 1}; /* a header, and OpCapability Shader */
    struct spirv whole = {word, 7}, cut = {word, 6};
    cr_expect_null(spirv_broken(&whole));
    word[5] = 1 << 16 | 17;
    cr_expect_not_null(spirv_broken(&cut));
}
