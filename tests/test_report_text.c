/* Hints after a solve, and the report as text: in the options of C, of the command and of Python. */
#include "small_matrix.h"
#include "solvers/report_text.h"
#include "solvers/solve/hints.h"
#include "tests/support/context.h"
#include "tests/support/device_matrix.h"
#include "vksolve/vksolve.h"

enum { N = 400 };

static vks_solve_report solve(struct host_csr A, vks_solve_options o, enum precision p)
{
    OWNED(double) *ones = malloc(A.rows * sizeof *ones);
    cr_assert_not_null(ones);
    for (uint32_t i = 0; i < A.rows; i++)
        ones[i] = 1 + i % 3;
    OWNED(vks_context) *c = open_host();
    OWNED(vks_matrix) *on_device = put_on(c, &A, p, VKS_FORMAT_CSR);
    OWNED(vks_vector) *b = put_vector(c, ones, A.rows, p), *x = put_vector(c, ones, A.rows, p);
    vks_solve_report r;
    must_work(c, vks_solve(on_device, b, x, &o, &r));
    host_csr_free(&A);
    return r;
}

static void must_hint(const vks_solve_report *r, const char *for_c, const char *for_command,
                      const char *for_python)
{
    const char *parts[] = {for_c, for_command, for_python};
    for (int k = 0; k < 3; k++) {
        char text[1024];
        cr_assert_eq(vks_solve_hints(r, (vks_language)k, text, sizeof text), VKS_OK);
        cr_expect(strstr(text, parts[k]), "%s (%s): no \"%s\" in \"%s\"", vks_reason_name(r->reason),
                  r->detail, parts[k], text);
    }
}

Test(report_text, hints_follow_from_how_a_solve_ended)
{
    const vks_solve_options cg = {.method = VKS_METHOD_CG, .precond = VKS_PRECOND_JACOBI},
                            gauss = {.method = VKS_METHOD_GAUSS_JORDAN};
    vks_solve_report r = solve(tridiagonal(N, -1, 1, -1), cg, PRECISION_F64);
    must_hint(&r, "VKS_METHOD_MINRES or _IDR handles an A that is not positive definite",
              "--method minres or idr handles an A", "method=\"minres\" or \"idr\" handles an A");
    r = solve(tridiagonal(N, -1, 0, -1), cg, PRECISION_F64);
    must_hint(&r, "report.row is", "vksolve check names", "numpy.flatnonzero");
    r = solve(tridiagonal(N, 0, 0, 0), gauss, PRECISION_F64);
    must_hint(&r, "VKS_METHOD_LSMR finds a least-squares", "--method lsmr finds", "method=\"lsmr\" finds");
    vks_solve_options tight = cg;
    tight.rtol = 1e-12;
    r = solve(tridiagonal(N, -1, 2, -1), tight, PRECISION_F32);
    cr_expect(r.true_residual > 1e-9);
    must_hint(&r, "ask for rtol = ", "ask for --rtol ", "ask for rtol=");
    must_hint(&r, "use VKS_F64\n", "use --precision f64\n", "use precision=\"f64\"\n");
    r = solve(tridiagonal(N, -1, 2.001, -1), (vks_solve_options){.method = VKS_METHOD_JACOBI, .rtol = 1e-10},
              PRECISION_F64);
    must_hint(&r, "without a method and a preconditioner several", "without --method and --precond",
              "without method and M several");
}

Test(report_text, a_solve_that_converges_gives_none)
{
    char text[64] = "?";
    vks_solve_report r = solve(tridiagonal(N, -1, 3, -1), (vks_solve_options){0}, PRECISION_F64);
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
    cr_expect_eq(vks_solve_hints(&r, VKS_FOR_C, text, sizeof text), VKS_OK);
    cr_expect_str_empty(text);
}

Test(report_text, every_hint_has_words_in_every_language)
{
    vks_solve_report r = {.true_residual = 3.21e-6, .rows_of_node = 3};
    for (int k = 0; k < VKS_HINT_COUNT_; k++)
        for (int language = 0; language <= VKS_FOR_PYTHON; language++) {
            struct hint_text h = hint_text(&r, (vks_hint)k, (vks_language)language);
            cr_expect_gt(strlen(h.text), 20);
            cr_expect_lt(strlen(h.text), sizeof h.text - 1, "%s", h.text);
            cr_expect_not(strpbrk(h.text, "{}|%"), "%s", h.text);
            bool of_command =
                strstr(h.text, "--") || strstr(h.text, "vksolve check") || strstr(h.text, "amg(");
            cr_expect(language == VKS_FOR_COMMAND ? of_command || strstr(h.text, "rtol") : !of_command, "%s",
                      h.text);
        }
    cr_expect_str_eq(hint_text(&r, VKS_HINT_TOLERANCE, VKS_FOR_PYTHON).text,
                     "3.21e-06 was reached; ask for rtol=4e-06");
    cr_expect(isnan(hint_tolerance(3)) && isnan(hint_tolerance(NAN)));
}

Test(report_text, the_text_says_how_the_solve_went)
{
    char text[8192], little[16];
    vks_solve_report r = solve(tridiagonal(N, -1, 2, -1), (vks_solve_options){ANYWHERE}, PRECISION_F64);
    cr_assert_eq(vks_solve_report_text(&r, VKS_FOR_C, text, sizeof text), VKS_OK);
    const char *parts[] = {"CONVERGED: the true residual meets the tolerance\n",
                           "\nmethod      cg with ",
                           "\nchosen      ",
                           "\ntime        set-up ",
                           "\niterations  ",
                           " recomputed in double precision, "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_expect(strstr(text, parts[i]), "no \"%s\" in:\n%s", parts[i], text);
    cr_expect_eq(vks_solve_report_text(&r, VKS_FOR_C, little, sizeof little), VKS_LIMIT);
    cr_expect_str_eq(little, "CONVERGED: the ");
    cr_expect_eq(vks_solve_report_text(&r, (vks_language)7, text, sizeof text), VKS_INVALID_ARGUMENT);
    cr_expect_eq(vks_solve_report_text_as(299, &r, VKS_FOR_C, text, sizeof text), VKS_INVALID_ARGUMENT);
}

#define BIT(NAME) (1u << VKS_HINT_##NAME)

/* A hint must not contradict the reason and its detail. */
Test(report_text, hints_follow_from_reasons_and_facts_as_this_table_has_them)
{
    static const struct {
        vks_reason reason;
        unsigned facts, hints;
    } table[] = {
        {VKS_REASON_CONVERGED, AUTOMATIC, 0},
        {VKS_REASON_CANCELLED, NAMED | ITERATED_IN_F32, 0},
        {VKS_REASON_STAGNATED, AUTOMATIC, BIT(DIRECT)},
        {VKS_REASON_ITERATION_LIMIT, AUTOMATIC, BIT(DIRECT)},
        {VKS_REASON_ITERATION_LIMIT, AUTOMATIC | LIMITED, BIT(ITERATIONS)},
        {VKS_REASON_STAGNATED, AUTOMATIC | AT_ROUNDING, 0},
        {VKS_REASON_STAGNATED, AUTOMATIC | NO_MEMORY, 0},
        {VKS_REASON_STAGNATED, AUTOMATIC | ELIMINATED, 0},
        {VKS_REASON_STAGNATED, AUTOMATIC | X_IN_F32 | TOLERANCE_REACHED, BIT(TOLERANCE) | BIT(F64)},
        {VKS_REASON_STAGNATED, AUTOMATIC | AT_ROUNDING | TOLERANCE_REACHED, BIT(TOLERANCE)},
        {VKS_REASON_ITERATION_LIMIT, AUTOMATIC | NULL_SPACE, 0},
        {VKS_REASON_ITERATION_LIMIT, AUTOMATIC | NULL_SPACE | NOT_SYMMETRIC, BIT(NO_NULL_SPACE)},
        {VKS_REASON_STAGNATED, AUTOMATIC | X_IN_F32, BIT(F64)},
        {VKS_REASON_SINGULAR, AUTOMATIC | SINGULAR_ITSELF | NO_SOLUTION, BIT(LEAST_SQUARES)},
        {VKS_REASON_SINGULAR, AUTOMATIC | SINGULAR_ITSELF | NO_SOLUTION | ITERATED_IN_F32,
         BIT(LEAST_SQUARES)},
        {VKS_REASON_SINGULAR, NAMED | SINGULAR_ITSELF | NO_SOLUTION, BIT(LEAST_SQUARES)},
        {VKS_REASON_SINGULAR, NAMED, 0}, /* of a block */
        {VKS_REASON_STRUCTURALLY_SINGULAR, AUTOMATIC | SINGULAR_ITSELF, BIT(LEAST_SQUARES)},
        {VKS_REASON_NOT_POSITIVE_DEFINITE, NAMED | BY_CG, BIT(INDEFINITE)},
        {VKS_REASON_NOT_POSITIVE_DEFINITE, NAMED, 0},
        {VKS_REASON_DIVERGED, NAMED, BIT(AUTOMATIC)},
        {VKS_REASON_STAGNATED, NAMED | AT_ROUNDING, 0},
        {VKS_REASON_STAGNATED, NAMED | ITERATED_IN_F32, BIT(AUTOMATIC) | BIT(NOT_IN_F32)},
        {VKS_REASON_STAGNATED, ITERATED_IN_F32 | IN_PAIRS, BIT(HOST)},
        {VKS_REASON_ZERO_DIAGONAL, NAMED, BIT(DIAGONAL)},
        {VKS_REASON_NOT_SINGULAR, AUTOMATIC, BIT(NO_NULL_SPACE)},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        cr_expect_eq(hints_of(table[k].reason, table[k].facts), table[k].hints,
                     "row %zu: %s, %x instead of %x", k, vks_reason_name(table[k].reason),
                     hints_of(table[k].reason, table[k].facts), table[k].hints);
    const unsigned in_vain = BIT(DIRECT) | BIT(AUTOMATIC);
    for (int reason = 0; reason < VKS_REASON_COUNT_; reason++)
        for (unsigned facts = 0; facts < 2 * NO_MEMORY; facts++)
            if (facts & (NO_SOLUTION | AT_ROUNDING))
                cr_assert_eq(hints_of((vks_reason)reason, facts) & in_vain, 0, "%s, %x",
                             vks_reason_name((vks_reason)reason), facts);
}

Test(report_text, names_the_iterations_that_ran)
{
    static const vks_precond_options amg = {.kind = VKS_PRECOND_AMG, .in_f32 = 1};
    char text[512];
    vks_solve_report r = {
        .method = VKS_METHOD_CG,
        .precond = VKS_PRECOND_AMG,
        .iterations = 1473,
        .attempts = 3,
        .attempt = {
            {.method = VKS_METHOD_CG, .precond = VKS_PRECOND_JACOBI, .iterations = 1468},
            {.method = VKS_METHOD_CG, .precond = VKS_PRECOND_BLOCK_JACOBI},
            {.method = VKS_METHOD_CG, .precond = VKS_PRECOND_AMG, .precond_options = &amg, .iterations = 5}}};
    cr_expect_eq(vks_solve_course(&r, text, sizeof text), VKS_OK);
    cr_expect_str_eq(text, "1,468 iterations of cg with jacobi, then 5 of cg with amg/f32");
    r.attempts = 0;
    r.iterations = 1;
    r.method = VKS_METHOD_LSMR;
    cr_expect_eq(vks_solve_course(&r, text, sizeof text), VKS_OK);
    cr_expect_str_eq(text, "1 iteration of lsmr");
}
