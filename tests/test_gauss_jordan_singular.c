/* Gauss-Jordan elimination of matrices that are singular, exactly or up to rounding: rank, consistency, and
 * the end of refinement. */
#include "tests/support/dense_system.h"

TestOnHost(gauss_jordan_singular, an_inconsistent_and_a_dependent_system_are_distinguished)
{
    static const double A[] = {1, 2, 3, 2, 4, 6, 1, 0, 1}, none[] = {1, 3, 1}, many[] = {1, 2, 1};
    OWNED_STRUCT(system) s = make_system(c, PRECISION_F64, 3, 1, A, none);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_SINGULAR);
    cr_expect_str_eq(
        s.report.detail,
        "the matrix is singular: column 3 depends on those before it (its pivot is 0); its rank is 2 of 3, "
        "and the system is inconsistent: no solution");
    cr_expect_eq(s.report.column, 2);
    cr_expect_eq(s.report.determinant_sign, 0);
    cr_expect_eq(s.report.determinant_log, -INFINITY);
    must_hold_rhs(&s, none);
    system_free(&s);
    s = make_system(c, PRECISION_F64, 3, 1, A, many);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_SINGULAR);
    cr_expect(strstr(s.report.detail, "the equations are dependent: many solutions"), "%s", s.report.detail);
    vks_dense *inverse = (vks_dense *)1;
    must_work(c, vks_gauss_jordan_invert(s.A, &inverse, NULL, &s.report));
    cr_expect_eq(s.report.reason, VKS_REASON_SINGULAR);
    cr_expect_null(inverse);
}

/* Hilbert's matrix of order 12, extended by an identity, and A times ones. */
static struct system make_hilbert(vks_context *c, enum precision p, uint32_t n)
{
    OWNED(double) *A = room((size_t)n * n, 8), *B = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            B[i] += A[(size_t)n * i + j] = i < 12 && j < 12 ? 1.0 / (i + j + 1) : i == j;
    return make_system(c, p, n, 1, A, B);
}

TestOnHost(gauss_jordan_singular, hilberts_matrix_of_order_12_is_nearly_singular_and_its_residual_small)
{
    OWNED_STRUCT(system) s = make_hilbert(c, PRECISION_F64, 12);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    cr_expect_lt(s.report.backward_error, 4 * unit(PRECISION_F64));
    cr_expect(s.report.reciprocal_condition > 1e-18 && s.report.reciprocal_condition < 1e-15, "%g",
              s.report.reciprocal_condition);
    cr_expect(strstr(s.report.warning, "nearly singular"), "\"%s\"", s.report.warning);
    cr_expect_float_eq(s.report.determinant_log, log(2.64e-78),
                       0.2); /* G.-F. Choi, "Tricks or treats", 1983 */
}

/* In f32 its condition number is far beyond the reach of refinement. */
TestOnHost(gauss_jordan_singular, refinement_that_does_not_get_there_is_reported)
{
    uint32_t n = VKS_GAUSS_JORDAN_SMALL + 1;
    OWNED_STRUCT(system) s = make_hilbert(c, PRECISION_F32, n);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_STAGNATED);
    cr_expect(strstr(s.report.detail, "refinement ended with a backward error of"), "%s", s.report.detail);
    cr_expect(strstr(s.report.warning, "nearly singular"), "\"%s\"", s.report.warning);
    system_free(&s);
    s = make_hilbert(c, PRECISION_F32, n);
    cr_expect_eq(run_system(&s, &(vks_gauss_jordan_options){.no_condition = 1}), VKS_REASON_STAGNATED);
    cr_expect(isnan(s.report.reciprocal_condition), "no one wanted %g", s.report.reciprocal_condition);
    cr_expect_eq(run_system(&s, &(vks_gauss_jordan_options){.no_refinement = 1}), VKS_REASON_CONVERGED);
}

TestOnHost(gauss_jordan_singular, of_many_solutions_to_the_rounding_of_a_small_matrix_one_is_found)
{
    OWNED_STRUCT(system) s = make_hilbert(c, PRECISION_F32, 12);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    cr_expect_lt(s.report.backward_error, 12 * unit(PRECISION_F32));
    cr_expect(strstr(s.report.warning, "x is one of many solutions"), "\"%s\"", s.report.warning);
}

/* Conductances between random nodes, and a voltage source between the first and the last one. The potential
 * has no reference, so the last equation of the nodes depends on the others. */
static struct system make_circuit(vks_context *c, uint64_t seed, bool consistent)
{
    uint32_t n = 4 + random_below(&seed, 28), nodes = n - 1;
    OWNED(double) *A = room((size_t)n * n, 8), *b = room(n, 8);
    for (uint32_t k = 1; k < 2 * nodes; k++) {
        uint32_t i = k % nodes, j = random_below(&seed, i ? i : 1);
        double g = i == j ? 0 : 0.01 * (1 + random_below(&seed, 900));
        A[i * n + i] += g;
        A[j * n + j] += g;
        A[i * n + j] -= g;
        A[j * n + i] -= g;
    }
    A[nodes] = A[nodes * n] = 1;
    A[(nodes - 1) * n + nodes] = A[nodes * n + nodes - 1] = -1;
    b[nodes] = 5;
    for (uint32_t i = 0; i < nodes; i++)
        b[i] = consistent ? 0 : 5e-3;
    return make_system(c, PRECISION_F64, n, 1, A, b);
}

TestOnHost(gauss_jordan_singular, the_rounding_of_a_circuit_does_not_make_it_inconsistent_nor_consistent)
{
    for (uint64_t seed = 0; seed < 240; seed++) {
        bool consistent = seed % 2;
        OWNED_STRUCT(system) s = make_circuit(c, seed, consistent);
        run_system(&s, NULL);
        bool refused = strstr(s.report.detail, "no solution") != NULL;
        cr_expect_eq(refused, !consistent, "circuit %d: %s %s", (int)seed, vks_reason_name(s.report.reason),
                     s.report.detail);
        cr_expect(refused || s.report.reason == VKS_REASON_SINGULAR || s.report.residual <= 1e-9,
                  "circuit %d: %s, residual %g", (int)seed, vks_reason_name(s.report.reason),
                  s.report.residual);
    }
}

TestOnHost(gauss_jordan_singular, small_equations_count_as_much_as_large_ones_for_the_rank)
{
    static const double A[] = {1, 0, 0, 0, 1e-20, 0, 0, 0, 0};
    OWNED_STRUCT(system) s = make_system(c, PRECISION_F64, 3, 1, A, (double[]){1, 1, 0});
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_SINGULAR);
    cr_expect(strstr(s.report.detail, "its rank is 2 of 3, and the equations are dependent"), "%s",
              s.report.detail);
    system_free(&s);
    s = make_system(c, PRECISION_F64, 3, 1, A, (double[]){1e20, 1, 1e-30});
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_SINGULAR);
    cr_expect(strstr(s.report.detail, "inconsistent: no solution"), "%s", s.report.detail);
    system_free(&s);
    s = make_system(c, PRECISION_F64, 1, 1, (double[]){0}, (double[]){1});
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_SINGULAR);
    cr_expect(strstr(s.report.detail, "singular: column 1 is zero; its rank is 0 of 1"), "%s",
              s.report.detail);
}
