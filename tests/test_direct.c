/* Direct solution by UMFPACK: as a method, and if the library is missing or fails. Tests that need the
 * library are skipped without it. */
#include "direct/direct.h"
#include "tests/support/device_matrix.h"
#include "tests/support/direct.h"
#include "tests/support/failing_memory.h"
#include "tests/support/poisson.h"

#include <math.h>

static void solve_random(vks_context *c, uint32_t n, enum precision p)
{
    OWNED_STRUCT(host_csr) a = random_matrix(n);
    OWNED(double) *b = random_values(n);
    struct problem q = {.A = &a, .b = b, .p = p, .options = direct};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.method, VKS_METHOD_DIRECT);
    cr_expect_lt(s.report.true_residual, p == PRECISION_F32 ? 1e-5 : 1e-13);
    cr_expect_leq(s.report.iterations, 3);
}

static void solve_sizes(vks_context *c)
{
    static const uint32_t sizes[] = {2, 31, 33, 257, 2000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        solve_random(c, sizes[k], PRECISION_F64);
    solve_random(c, 257, PRECISION_F32);
    solve_random(c, 257, PRECISION_MIXED);
}

Test(direct, solves_nonsymmetric_systems_of_each_precision)
{
    need_library();
    on_both(solve_sizes);
}

Test(direct, solves_a_and_not_its_transpose)
{
    need_library();
    OWNED_STRUCT(host_csr) a = tridiagonal(50, -3, 2, 1);
    double b[50];
    double x[50];
    struct direct_report reported;
    for (uint32_t i = 0; i < 50; i++)
        b[i] = 2.0 * i + (i ? -3.0 * (i - 1) : 0) + (i < 49 ? i + 1.0 : 0);
    cr_assert_eq(direct_solve(NULL, &a, b, x, &reported), VKS_OK);
    cr_expect_eq(reported.reason, VKS_REASON_CONVERGED);
    for (uint32_t i = 0; i < 50; i++)
        cr_expect_float_eq(x[i], i, 1e-9, "x[%u] is %g", i, x[i]);
    cr_expect(reported.fill >= 1 && reported.fill < 4, "%g", reported.fill);
}

Test(direct, an_empty_system_is_solved)
{
    need_library();
    uint32_t row[1] = {0};
    struct host_csr a = {.row = row};
    struct direct_report reported;
    cr_expect_eq(direct_solve(NULL, &a, NULL, NULL, &reported), VKS_OK);
    cr_expect(reported.reason == VKS_REASON_CONVERGED && reported.residual == 0);
}

/* The row numbers of `detail` count from 1. */
static void must_refuse_matrix(vks_context *c, const struct host_csr *a, const double *b, vks_reason reason,
                               const char *detail)
{
    struct problem q = {.A = a, .b = b, .p = PRECISION_F64, .options = direct};
    vks_solve_report reported;
    OWNED(vks_matrix) *m = matrix_from(c, a, NULL);
    OWNED(vks_vector) *right = vector_of(c, q.p, b, a->rows), *x = vector_of(c, q.p, b, a->rows);
    must_work(c, vks_vector_fill(x, 7));
    must_work(c, vks_solve(m, right, x, &direct, &reported));
    cr_expect_eq(reported.reason, reason, "%s", vks_reason_name(reported.reason));
    cr_expect(strstr(reported.detail, detail), "%s", reported.detail);
    cr_expect(isnan(reported.true_residual));
    OWNED(double) *left = room(a->rows, 8);
    must_work(c, vks_vector_read(x, 0, a->rows, VKS_F64, left));
    for (uint32_t i = 0; i < a->rows; i++)
        cr_assert_eq(left[i], 7, "x is not as it was");
}

TestOnHost(direct, singular_systems_and_values_that_are_not_finite_are_refused_and_x_stays)
{
    need_library();
    OWNED_STRUCT(host_csr) a = tridiagonal(40, -1, 2, -1);
    OWNED(double) *b = random_values(40);
    for (uint32_t k = a.row[20]; k < a.row[21]; k++)
        a.val[k] = 0;
    must_refuse_matrix(c, &a, b, VKS_REASON_SINGULAR, "beyond double precision: UMFPACK found 1 zero pivot");
    a.val[a.row[20]] = NAN;
    must_refuse_matrix(c, &a, b, VKS_REASON_NOT_FINITE, "the entry in row 21, column 20 is not finite");
    a.val[a.row[20]] = 0;
    b[3] = INFINITY;
    must_refuse_matrix(c, &a, b, VKS_REASON_NOT_FINITE, "row 4 of the right-hand side is not finite");
}

/* Of rank n - 1 up to rounding: a chain of thirds with free ends, and an inconsistent right-hand side. */
TestOnHost(direct, a_singular_matrix_that_rounding_hides_is_refused)
{
    need_library();
    OWNED_STRUCT(host_csr) a = tridiagonal(300, -1.0 / 3, 2.0 / 3, -1.0 / 3);
    OWNED(double) *b = random_values(300);
    a.val[0] = a.val[a.row[300] - 1] = 1.0 / 3;
    for (uint32_t i = 0; i < 300; i++)
        for (uint32_t k = a.row[i]; k < a.row[i + 1]; k++)
            a.val[k] *= (1 + i % 7 * 0.1) * (1 + a.col[k] % 5 * 0.1); /* so that no pivot is zero */
    must_refuse_matrix(c, &a, b, VKS_REASON_SINGULAR, "singular to working precision");
}

/* Rows and columns of zeros, and a consistent b: x has no NaN. */
TestOnHost(direct, a_singular_system_that_has_solutions_is_solved)
{
    need_library();
    OWNED_STRUCT(host_csr) a = tridiagonal(40, -1, 2, -1);
    OWNED(double) *b = random_values(40);
    for (uint32_t i = 0; i < 40; i++)
        for (uint32_t k = a.row[i]; k < a.row[i + 1]; k++)
            if (i == 20 || a.col[k] == 20)
                a.val[k] = 0;
    b[20] = 0;
    struct problem q = {.A = &a, .b = b, .p = PRECISION_F64, .options = direct};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect(strstr(s.report.warning, "UMFPACK found 1 zero pivot"), "\"%s\"", s.report.warning);
    cr_expect_eq(s.x[20], 0);
}

/* Hilbert's matrix of order 12, with condition number 1e16. */
TestOnHost(direct, an_x_that_f32_cannot_hold_is_refused_and_x_stays)
{
    need_library();
    OWNED_STRUCT(host_csr) a = tridiagonal(3, 0, 1, 0);
    const double b[] = {1, 1e30, 1}, before[] = {7, 7, 7};
    double after[3];
    a.val[a.row[1] + 1] = 1e-30;
    OWNED(vks_matrix) *m = put_on(c, &a, PRECISION_F32, VKS_FORMAT_CSR);
    OWNED(vks_vector) *vb = vector_of(c, PRECISION_F32, b, 3), *x = vector_of(c, PRECISION_F32, before, 3);
    vks_solve_report r;
    must_work(c, vks_solve(m, vb, x, &direct, &r));
    must_work(c, vks_vector_read(x, 0, 3, VKS_F64, after));
    cr_expect(r.reason == VKS_REASON_NOT_FINITE && r.row == 1, "%s", vks_reason_name(r.reason));
    cr_expect_arr_eq(after, before, sizeof before);
}

TestOnHost(direct, an_ill_conditioned_system_is_solved)
{
    need_library();
    enum { N = 12 };
    uint32_t row[N * N], col[N * N];
    double val[N * N], b[N] = {0};
    for (uint32_t k = 0; k < N * N; k++) {
        row[k] = k / N;
        col[k] = k % N;
        b[k / N] += val[k] = 1.0 / (row[k] + col[k] + 1);
    }
    OWNED_STRUCT(host_csr) a = assemble(N, (size_t)N * N, row, col, val);
    struct problem q = {.A = &a, .b = b, .p = PRECISION_F64, .options = direct};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_lt(s.report.true_residual, 1e-14);
    solved_free(&s);
    q.options.rtol = 1e-30;
    s = solve(c, &q);
    cr_expect(s.report.reason == VKS_REASON_STAGNATED || s.report.true_residual == 0, "%s", s.report.detail);
}

/* One row is 1e-20 of the others. */
Test(direct, a_tiny_pivot_is_warned_of)
{
    need_library();
    OWNED_STRUCT(host_csr) a = tridiagonal(20, 1, -2, 1.5);
    double *b = random_values(20), x[20];
    struct direct_report reported;
    for (uint32_t k = a.row[7]; k < a.row[8]; k++)
        a.val[k] *= 1e-20;
    b[7] *= 1e-20;
    cr_assert_eq(direct_solve(NULL, &a, b, x, &reported), VKS_OK);
    cr_expect_eq(reported.reason, VKS_REASON_CONVERGED, "%s", reported.detail);
    cr_expect_lt(reported.residual, 1e-14);
    cr_expect(strstr(reported.warning, "or its rows differ in scale"), "%s, %g", reported.warning,
              reported.reciprocal_condition);
    free(b);
}

/* The factors are those of a diagonal of 5 instead of 4, so each step divides the residual by 5. */
Test(direct, refinement_goes_on_while_it_halves_the_residual)
{
    uint32_t row[] = {0, 1}, col[] = {0};
    double val[] = {4}, b[] = {2}, x[1];
    struct host_csr a = {.rows = 1, .cols = 1, .row = row, .col = col, .val = val};
    struct direct_report reported;
    setenv("VKSOLVE_UMFPACK", PRETENDED_UMFPACK, 1);
    setenv("PRETENDED_excess", "1", 1);
    cr_assert_eq(direct_solve(NULL, &a, b, x, &reported), VKS_OK);
    cr_expect_eq(reported.refinements, 10); /* the maximum */
    cr_expect_float_eq(reported.residual, pow(0.2, 11), 1e-10);
    setenv("PRETENDED_excess", "4", 1);
    cr_assert_eq(direct_solve(NULL, &a, b, x, &reported), VKS_OK);
    cr_expect_eq(reported.refinements, 10); /* each one halves the residual */
    setenv("PRETENDED_excess", "6", 1);
    cr_assert_eq(direct_solve(NULL, &a, b, x, &reported), VKS_OK);
    cr_expect_eq(reported.refinements, 1); /* it gains, but 0.6 is more than a half */
    cr_expect_eq(reported.reason, VKS_REASON_SINGULAR);
    cr_expect_float_eq(reported.residual, 0.36, 1e-12);
}

/* The substitute library solves 1 x 1 systems. */
static vks_status solve_pretended(struct message *m, const char *step, const char *code,
                                  struct direct_report *reported)
{
    uint32_t row[] = {0, 1}, col[] = {0};
    double val[] = {4}, b[] = {2}, x[1];
    struct host_csr a = {.rows = 1, .cols = 1, .row = row, .col = col, .val = val};
    setenv("VKSOLVE_UMFPACK", PRETENDED_UMFPACK, 1);
    setenv(step, code, 1);
    *m = (struct message){0};
    vks_status status = direct_solve(m, &a, b, x, reported);
    unsetenv(step);
    if (!status && reported->reason == VKS_REASON_CONVERGED)
        cr_expect_float_eq(x[0], 0.5, 1e-15);
    return status;
}

Test(direct, each_failure_of_the_library_is_reported)
{
    static const char *const steps[] = {"PRETENDED_symbolic", "PRETENDED_numeric", "PRETENDED_solve"};
    struct direct_report reported;
    struct message m;
    cr_assert_eq(solve_pretended(&m, "PRETENDED_nothing", "0", &reported), VKS_OK, "%s", m.text);
    cr_expect(reported.reason == VKS_REASON_CONVERGED && reported.residual == 0);
    for (int k = 0; k < 3; k++) {
        cr_expect_eq(solve_pretended(&m, steps[k], "-1", &reported), VKS_OUT_OF_MEMORY);
        cr_expect(strstr(m.text, "UMFPACK has no room"), "%s", m.text);
        cr_expect_eq(solve_pretended(&m, steps[k], "-911", &reported), VKS_LIMIT);
        cr_expect(strstr(m.text, "failed with code -911"), "%s", m.text);
    }
    cr_expect_eq(solve_pretended(&m, "PRETENDED_numeric", "1", &reported), VKS_OK);
    cr_expect(reported.reason == VKS_REASON_CONVERGED && reported.zero_pivots == 1);
}

/* A missing library, and one without the functions. */
TestOnHost(direct, a_missing_library_is_named_with_its_package)
{
    static const char *const names[] = {"/nowhere/libumfpack.so", "libm.so.6"};
    OWNED_STRUCT(host_csr) a = tridiagonal(3, -1, 2, -1);
    vks_solve_report reported;
    OWNED(vks_matrix) *m = matrix_from(c, &a, NULL);
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, 3), *x = vector_of(c, PRECISION_F64, NULL, 3);
    for (int k = 0; k < 2; k++) {
        setenv("VKSOLVE_UMFPACK", names[k], 1);
        must_refuse(c, vks_solve(m, b, x, &direct, &reported), VKS_UNSUPPORTED,
                    "UMFPACK is not installed (Debian: apt install libumfpack6");
        cr_expect_eq(reported.reason, VKS_REASON_NOT_RUN);
        cr_expect(strstr(reported.detail, "libumfpack5"), "%s", reported.detail);
    }
}

#if MEMORY_CAN_FAIL
Test(direct, each_allocation_that_fails_is_reported)
{
    need_library();
    struct message m = {0};
    struct device_options plain = {0};
    OWNED_STRUCT(host_csr) a = random_matrix(33);
    OWNED(double) *right = random_values(33);
    OWNED_BY(context_end) vks_context *c = NULL;
    vks_solve_report reported;
    uint32_t k = 0;
    cr_assert_eq(context_open(&m, "host", &plain, &c), VKS_OK, "%s", m.text);
    OWNED(vks_matrix) *A = matrix_from(c, &a, NULL);
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, right, 33), *x = vector_of(c, PRECISION_F64, NULL, 33);
    must_work(c, vks_solve(A, b, x, &direct, &reported)); /* threads start here */
    do {
        arm(++k);
        vks_status s = vks_solve(A, b, x, &direct, &reported);
        disarm();
        bool failed = s == VKS_OUT_OF_MEMORY || s == VKS_DEVICE_MEMORY;
        cr_assert(memory.failures ? failed : !s, "allocation %u: %s", k, vks_status_name(s));
        cr_assert(!s || strstr(reported.detail, "memory"), "%s", reported.detail);
    } while (memory.failures);
    cr_expect_gt(k, 8); /* the copy of the system, offsets, columns and the memory of refinement */
}
#endif
