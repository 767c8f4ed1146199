/* Texts of operators that would crash the compiler or the driver: all must be refused with a message. */
#define _GNU_SOURCE /* setrlimit in a Criterion child process */
#include "operator/growth.h"
#include "operator/texts.h"
#include "tests/support/operator.h"

#include <sys/resource.h>

enum { N = 600 };
#define ROW "real row(uint i) { return x.at[i]; }\n"

/* before, `count` times `part`, middle, `count` times `mirror`, after; the caller frees it. */
static char *repeated(const char *before, size_t count, const char *part, const char *middle,
                      const char *mirror, const char *after)
{
    size_t room = strlen(before) + count * (strlen(part) + strlen(mirror)) + strlen(middle) + strlen(after);
    char *text = malloc(room + 1), *to = text;
    cr_assert(text);
    to = stpcpy(to, before);
    for (size_t k = 0; k < count; k++)
        to = stpcpy(to, part);
    to = stpcpy(to, middle);
    for (size_t k = 0; k < count; k++)
        to = stpcpy(to, mirror);
    strcpy(to, after);
    return text;
}

static void check_text(const char *glsl, vks_status expected, const char *part)
{
    struct message m = {0};
    vks_status s = text_check(&m, glsl, shader_texts, shader_text_count);
    cr_expect_eq(s, expected, "%.300s: %s \"%s\"", glsl, vks_status_name(s), m.text);
    cr_expect(strstr(m.text, part), "%.300s: \"%s\"", glsl, m.text);
}

static void check_repeated(const char *before, size_t count, const char *part, const char *mirror,
                           vks_status expected, const char *message)
{
    OWNED(char) *text = repeated(before, count, part, "x.at[i]", mirror, ";}\n");
    check_text(text, expected, message);
}

#define RETURN "real row(uint i) { return "

Test(operator_bounds, of_a_text)
{
    check_text(ROW, VKS_OK, "");
    check_text("", VKS_OK, "");
    check_repeated(RETURN, 200, "(", ")", VKS_OK, "");
    check_repeated(RETURN, 300, "(", ")", VKS_LIMIT, "more than 256 nested parentheses");
    check_repeated(RETURN, 9000, "x.at[i]+", "", VKS_OK, "");
    check_repeated(RETURN, 70000, "-", "", VKS_LIMIT, "a statement of the glsl has 70008 tokens");
    check_repeated("#if 1 ", 40000, "+1", "\n#endif\n", VKS_LIMIT, "a statement of the glsl has");
    check_repeated("void f() { uint s; ", 140000, "s;", "", VKS_LIMIT, "more than 262144 tokens");
    check_repeated("/*", 1 << 20, " ", "", VKS_LIMIT, "the glsl has 1048");
    check_repeated("", 100, "#include \"exact.glsl\"\n", "", VKS_LIMIT, "more than 262144 tokens");
}

Test(operator_bounds, of_macros)
{
    check_repeated("#define D(a) a + a\n" RETURN, 10, "D(", ")", VKS_OK, "");
    check_repeated("#define D(a) a + a\n" RETURN, 20, "D(", ")", VKS_LIMIT, "after macro expansion");
    check_repeated("#define D(a) \\\na + a\n" RETURN, 20, "D /* */ (", ")", VKS_LIMIT,
                   "after macro expansion");
    check_repeated("#define D(a) a+a\n#define G(f) f\n" RETURN, 20, "G(D)(", ")", VKS_LIMIT,
                   "after macro expansion");
    check_repeated("#define D(a) a+a\n#define A D\n" RETURN, 20, "A(", ")", VKS_LIMIT,
                   "after macro expansion");
    check_repeated("#define D(a) a+a\n#define E\n#define I(a) a\n" RETURN, 20, "I(D E (", "))", VKS_LIMIT,
                   "after macro expansion");
    check_text("#define CALL(f, v) f(v)\n#define D(a) a + a\n" RETURN "CALL(D, CALL(D, x.at[i]));}\n", VKS_OK,
               "");
    check_text("#define U(i) x.at[i]\n#define X(f, i) (f(i + 1) - f(i - 1))\n#define Y(f, i) (f(i + 9) - f(i "
               "- 9))\n" RETURN "X(U, i) + Y(U, i);}\n",
               VKS_OK, "");
    check_text("#define D(a) a + a\n#define TWICE(f, v) f(f(v))\n" RETURN "TWICE(D, x.at[i]);}\n", VKS_OK,
               "");
    check_repeated("#define D(a) a + a\n#define TWICE(f, v) f(f(v))\n" RETURN, 10, "TWICE(D, ", ")",
                   VKS_LIMIT, "after macro expansion");
    check_repeated("#define X(f, i) f(i) + f(i)\n#define C(f, i) X(f, i)\n" RETURN, 20, "C(C, X(C, ", "))",
                   VKS_LIMIT, "after macro expansion");
    check_text("#define a b\n#define b a\n" ROW, VKS_LIMIT, "are recursive");
    check_text("#define row row\n#define at at\n" ROW, VKS_OK, "");
    check_text("#define join(a, b) a##b\n" ROW, VKS_INVALID_ARGUMENT, "pasted together (##)");
    check_text("#define OPEN (\n" ROW, VKS_INVALID_ARGUMENT,
               "the macro OPEN of the glsl lacks a parenthesis");
    check_text("#define", VKS_OK, "");
    check_text("#define f(", VKS_OK, "");
    check_repeated("", 1200, "#define m 1\n", "", VKS_LIMIT, "more macros than 1000");
}

/* Each line quadruples the number of terms. */
static char *powers_of_four(int lines)
{
    char *text = malloc(4096), *to = text;
    cr_assert(text);
    to += sprintf(to, "#define M0 x.at[i]+x.at[i]\n");
    for (int k = 1; k <= lines; k++)
        to += sprintf(to, "#define M%d M%d+M%d+M%d+M%d\n", k, k - 1, k - 1, k - 1, k - 1);
    sprintf(to, RETURN "M%d; }\n", lines);
    return text;
}

Test(operator_bounds, of_macros_that_use_others)
{
    static const struct {
        int lines;
        vks_status status;
    } cases[] = {{3, VKS_OK}, {8, VKS_LIMIT}, {14, VKS_LIMIT}, {60, VKS_LIMIT}};
    for (int k = 0; k < 4; k++) {
        OWNED(char) *text = powers_of_four(cases[k].lines);
        check_text(text, cases[k].status, cases[k].status ? "after macro expansion" : "");
    }
}

Test(operator_bounds, no_buffer_references_however_they_are_written)
{
    static const char part[] = "a buffer reference of its own";
    check_text("layout(buffer_reference) buffer own { uint v; };\n" ROW, VKS_INVALID_ARGUMENT, part);
    check_text("layout(Buffer_REFERENCE) buffer own { uint v; };\n" ROW, VKS_INVALID_ARGUMENT, part);
    check_text("layout(buf\\\nfer_reference) buffer own { uint v; };\n" ROW, VKS_INVALID_ARGUMENT, part);
    check_text("ADDRESS(4) buffer own { uint v; };\n" ROW, VKS_INVALID_ARGUMENT, part);
    check_text("#define A layout(buffer_reference)\n#define B A\nB buffer own { uint v; };\n" ROW,
               VKS_INVALID_ARGUMENT, part);
    check_text("// buffer_reference\n/* buffer_reference */" ROW, VKS_OK, "");
    check_text("#extension GL_EXT_spirv_intrinsics : enable\n" ROW, VKS_INVALID_ARGUMENT,
               "SPIR-V of its own");
    check_text(" # /**/ extension GL_EXT_null_initializer : enable\n" ROW, VKS_INVALID_ARGUMENT,
               "initializers of nothing");
}

static void must_not_compile(vks_context *c, const char *glsl, vks_status expected, const char *part)
{
    vks_operator d = {.glsl = glsl};
    vks_matrix *A = (vks_matrix *)c;
    must_refuse(c, vks_operator_create(c, N, &d, &A), expected, part);
    cr_expect_null(A);
}

static void must_compile(vks_context *c, const char *glsl)
{
    vks_operator d = {.glsl = glsl};
    OWNED(void) *code = NULL;
    size_t bytes;
    must_work(c, vks_operator_compile(c, &d, &code, &bytes));
}

TestOnHost(operator_bounds, code_that_would_end_the_process)
{
    if (compiles(c)) {
        vks_context *gpu = open_gpu();
        must_not_compile(gpu, "real row(uint i) { real a[2000000000]; a[i] = x.at[i]; return a[i]; }",
                         VKS_LIMIT, "variables of the glsl take 8000000");
        must_not_compile(gpu, "real v[9000];\nreal row(uint i) { v[i % 9000u] = x.at[i]; return v[i % 7u]; }",
                         VKS_LIMIT, "for each row; the most is 65536");
        must_not_compile(gpu,
                         "struct S { real a[65536]; };\n"
                         "real row(uint i) { S s[65536]; s[i].a[i] = x.at[i]; return s[0].a[i]; }",
                         VKS_LIMIT, "variables of the glsl take 17179869");
        must_not_compile(gpu, "real row(uint i) { reals p = reals(uvec2(16u, 0u)); return p.at[0]; }",
                         VKS_INVALID_ARGUMENT, "addresses of its own");
        must_not_compile(
            gpu, "real row(uint i) { return uvec2(array1) == uvec2(0) ? x.at[i] : real(array1.at[i]); }",
            VKS_INVALID_ARGUMENT, "a comparison of an address with a number");
        must_not_compile(gpu,
                         "#extension GL_EXT_debug_printf : enable\n"
                         "real row(uint i) { debugPrintfEXT(\"x\"); return x.at[i]; }",
                         VKS_INVALID_ARGUMENT, "debug output");
        close_context(gpu);
        must_compile(c, "real row(uint i) { real a[1000]; a[i % 1000u] = x.at[i]; return a[i % 7u]; }");
    }
}

/* Each function doubles the number of calls. */
TestOnGpu(operator_bounds, functions_that_grow_where_they_are_inlined)
{
    char text[4096], *to = text;
    to += sprintf(to, "real f0(uint i) { return x.at[i]; }\n");
    for (int k = 1; k < 40; k++)
        to += sprintf(to, "real f%d(uint i) { return f%d(i) + f%d(i); }\n", k, k - 1, k - 1);
    sprintf(to, "real row(uint i) { return f39(i); }\n");
    if (compiles(c))
        must_not_compile(c, text, VKS_LIMIT, "the most is");
}

/* glslang needs 8 MiB of stack for it, and would crash without. */
TestOnHost(operator_bounds, a_long_statement_has_stack_enough)
{
    OWNED(char) *text =
        repeated("real row(uint i) { real s = x.at[i]; return s", 20000, "+s", "", "", "; }\n");
    if (compiles(c))
        must_compile(c, text);
}

#if !defined(__SANITIZE_ADDRESS__)
TestOnHost(operator_bounds, without_room_for_a_stack_the_message_says_so)
{
    vks_operator d = {.glsl = ROW};
    void *code;
    size_t bytes;
    struct rlimit limit = {160 << 20, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    must_refuse(c, vks_operator_compile(c, &d, &code, &bytes), VKS_OUT_OF_MEMORY,
                "a thread with a stack of 256 MiB cannot be made");
    cr_expect_null(code);
    limit.rlim_cur = RLIM_INFINITY;
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
}
#endif
