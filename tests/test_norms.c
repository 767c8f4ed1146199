/* The meaning of CONVERGED: two norms if the rows of A differ in size, and residuals that rounding does not
 * hide. */
#include "small_matrix.h"
#include "tests/support/solve.h"

TestSuite(norms, .timeout = 120);

/* ||D^-1 (b - A x)|| / ||D^-1 b||, D the largest magnitudes of the rows, rounded to powers of two. */
static double precise_scaled(const struct host_csr *A, const double *x, const double *b)
{
    OWNED_STRUCT(host_csr) B = new_csr(A->rows, A->cols, A->row[A->rows]);
    OWNED(double) *c = room(A->rows, 8);
    memcpy(B.row, A->row, 4 * ((size_t)A->rows + 1));
    memcpy(B.col, A->col, 4 * (size_t)A->row[A->rows]);
    for (uint32_t i = 0; i < A->rows; i++) {
        double most = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            most = fmax(most, fabs(A->val[k]));
        int e = most > 0 ? (int)floor(log2(most) + 0.5) : 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            B.val[k] = ldexp(A->val[k], -e);
        c[i] = ldexp(b[i], -e);
    }
    return precise_residual(&B, x, c);
}

/* A chain of n nodes with a stiffness, supported at its ends by rows of `held`: x falls from 1 to 0. */
static struct host_csr chain(uint32_t n, double stiffness, double held, double *b)
{
    struct host_csr A = tridiagonal(n, -stiffness, 2 * stiffness, -stiffness);
    memset(b, 0, n * sizeof *b);
    A.val[A.row[0]] = A.val[A.row[n] - 1] = held;
    A.val[A.row[0] + 1] = A.val[A.row[n] - 2] = 0;
    A.val[A.row[1]] = A.val[A.row[n - 1] - 1] = 0;
    b[0] = held;
    b[1] = stiffness;
    return A;
}

enum { NODES = 40 };

static double error_of(const struct solved *s)
{
    double most = 0;
    for (uint32_t i = 0; i < NODES; i++)
        most = fmax(most, fabs(s->x[i] - (1 - i / (NODES - 1.0))));
    return most;
}

static bool warns(const struct solved *s)
{
    return strstr(s->report.warning, "rows of A differ") != NULL;
}

/* An x with a wrong interior satisfies the plain norm. */
TestEverywhere(norms, lower_the_goal_where_small_rows_are_not_solved)
{
    double b[NODES];
    OWNED_STRUCT(host_csr) A = chain(NODES, 0x1p-30, 1, b);
    vks_solve_options o = {.method = VKS_METHOD_CG, .precond = VKS_PRECOND_JACOBI};
    OWNED_STRUCT(solved) s = solve(c, &(struct problem){&A, b, NULL, p, o});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect(!warns(&s), "%s", s.report.warning);
    cr_expect_lt(error_of(&s), p == PRECISION_F32 ? 1e-2 : 1e-5, "%g", error_of(&s));
    cr_expect_eq(s.report.row_range, 0x1p29);
    double scaled = precise_scaled(&A, s.x, b);
    cr_expect(fabs(s.report.scaled_residual - scaled) <= 1e-6 * scaled + 1e-14, "%g, and it is %g",
              s.report.scaled_residual, scaled);
    solved_free(&s);
    o.norm = VKS_NORM_PLAIN;
    s = solve(c, &(struct problem){&A, b, NULL, p, o});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect(isnan(s.report.scaled_residual) && error_of(&s) > 0.1, "%g", error_of(&s));
}

/* 1000 is between powers of two whose ratio is 1024. */
TestEverywhere(norms, are_not_both_asked_where_rows_differ_by_less_than_1024)
{
    static const struct {
        double held, range;
        bool asked;
    } rows[] = {{2000, 1000, false}, {2047, 1023.5, false}, {2048, 1024, true}, {2100, 1050, true}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double b[NODES];
        OWNED_STRUCT(host_csr) A = chain(NODES, 1, rows[k].held, b);
        OWNED_STRUCT(solved) s = solve(c, &(struct problem){&A, b, NULL, p, {.method = VKS_METHOD_CG}});
        cr_expect_float_eq(s.report.row_range, rows[k].range, 0x1p-15 * rows[k].range, "%g",
                           s.report.row_range);
        cr_expect_eq(!isnan(s.report.scaled_residual), rows[k].asked, "%g", rows[k].range);
    }
}

/* b is nonzero only in small rows: the plain norm reaches its rounding level before its goal. */
TestEverywhere(norms, take_an_x_at_rounding_level_in_the_plain_norm_with_a_warning)
{
    double b[NODES];
    bool full = p == PRECISION_F64;
    OWNED_STRUCT(host_csr) A = chain(NODES, 1, full ? 0x1p-34 : 0x1p-10, b);
    for (uint32_t k = A.row[1]; k < A.row[2]; k++) /* the first row is coupled, so b[1] is zero */
        if (A.col[k] == 0)
            A.val[k] = -1;
    b[1] = 0;
    vks_solve_options o = {.method = VKS_METHOD_GAUSS_JORDAN};
    OWNED_STRUCT(solved) s = solve(c, &(struct problem){&A, b, NULL, p, o});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect(warns(&s) && strstr(s.report.warning, "level of rounding") &&
                  strstr(s.report.warning, "(least: row "),
              "%s", s.report.warning);
    cr_expect_lt(error_of(&s), full ? 1e-10 : 1e-3, "%g", error_of(&s));
}

TestEverywhere(norms, say_that_the_scaled_norm_was_not_reached_within_the_limit)
{
    double b[NODES];
    OWNED_STRUCT(host_csr) A = chain(NODES, 0x1p-30, 1, b);
    vks_solve_options o = {.method = VKS_METHOD_CG, .precond = VKS_PRECOND_JACOBI, .max_iterations = 3};
    OWNED_STRUCT(solved) s = solve(c, &(struct problem){&A, b, NULL, p, o});
    must_end(&s, VKS_REASON_ITERATION_LIMIT);
    cr_expect(strstr(s.report.detail, "with the rows divided"), "%s", s.report.warning);
}

/* atol refers to the plain norm; with rows of one size nothing is measured. */
TestEverywhere(norms, leave_rows_of_one_size_and_atol_to_the_plain_norm)
{
    double b[NODES], ones[NODES];
    OWNED_STRUCT(host_csr) A = chain(NODES, 0x1p-30, 1, b), B = tridiagonal(NODES, -1, 2, -0x1p-8);
    for (int i = 0; i < NODES; i++)
        ones[i] = 1;
    vks_solve_options o = {.method = VKS_METHOD_CG, .precond = VKS_PRECOND_JACOBI, .atol = 1e-3};
    OWNED_STRUCT(solved) s = solve(c, &(struct problem){&A, b, NULL, p, o});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect(isnan(s.report.scaled_residual) && !warns(&s));
    solved_free(&s);
    s = solve(c, &(struct problem){&B, ones, NULL, p, {.method = VKS_METHOD_IDR}});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect(isnan(s.report.scaled_residual));
    solved_free(&s);
    o = (vks_solve_options){.method = VKS_METHOD_IDR, .norm = VKS_NORM_SCALED};
    s = solve(c, &(struct problem){&B, ones, NULL, p, o});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_leq(precise_scaled(&B, s.x, ones), p == PRECISION_F32 ? 1.01e-5 : 1.01e-8);
}

TestEverywhere(norms, refuse_what_has_no_meaning)
{
    double b[NODES];
    OWNED_STRUCT(host_csr) A = chain(NODES, 1, 1, b);
    vks_solve_options o[] = {{.norm = VKS_NORM_COUNT_}, {.norm = VKS_NORM_SCALED, .atol = 1e-3}};
    vks_matrix_options storage = {.precision = public_precision(p)};
    OWNED(vks_matrix) *m = matrix_from(c, &A, &storage);
    OWNED(vks_vector) *v = vector_of(c, p, b, NODES), *x = vector_of(c, p, NULL, NODES);
    for (int i = 0; i < 2; i++)
        cr_expect_eq(vks_solve(m, v, x, &o[i], NULL), VKS_INVALID_ARGUMENT, "%d", i);
}

/* Systems of two rows, singular up to rounding, whose x of 1e16 hides b: in doubles b - A x is zero. */
TestEverywhere(norms, see_a_residual_that_rounding_hides)
{
    static const vks_method methods[] = {VKS_METHOD_GAUSS_JORDAN, VKS_METHOD_CG, VKS_METHOD_IDR,
                                         VKS_METHOD_GMRES, VKS_METHOD_MINRES};
    uint64_t seed = 3;
    for (int i = 0; i < 16 && p == PRECISION_F64; i++) {
        double u = 1 + (double)random_below(&seed, 1 << 20) / (1 << 20), v = -u * (0.5 + i / 16.0),
               b[] = {1, 1};
        OWNED_STRUCT(host_csr) A = tridiagonal(2, v, u, v);
        A.val[A.row[2] - 1] = v * v / u;
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            OWNED_STRUCT(solved) s = solve(c, &(struct problem){&A, b, NULL, p, {.method = methods[k]}});
            double own = precise_residual(&A, s.x, b);
            cr_expect(s.report.reason != VKS_REASON_CONVERGED || own <= 1.05e-8, "system %d by %s: %g", i,
                      vks_method_name(methods[k]), own);
        }
    }
}

/* x is as large as rounding allows, and the exact residual satisfies the tolerance. */
TestEverywhere(norms, let_an_exact_x_pass)
{
    double t = p == PRECISION_F32 ? 0x1p-18 : 0x1p-40, b[] = {1, 1 + t};
    OWNED_STRUCT(host_csr) A = tridiagonal(2, 1, 1, 1);
    A.val[A.row[2] - 1] = 1 + t;
    OWNED_STRUCT(solved) s = solve(c, &(struct problem){&A, b, NULL, p, {.method = VKS_METHOD_GAUSS_JORDAN}});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_leq(precise_residual(&A, s.x, b), 1e-8);
}

/* Multiplies every row and its element of b by a power of ten from -12 to 12. */
TestEverywhere(norms, solve_rows_of_any_size)
{
    static const vks_method methods[] = {VKS_METHOD_IDR, VKS_METHOD_BICGSTAB, VKS_METHOD_GMRES,
                                         VKS_METHOD_GAUSS_JORDAN};
    uint64_t seed = 11;
    for (int i = 0; i < 8 && p == PRECISION_F64; i++) {
        uint32_t n = 2 + (uint32_t)random_below(&seed, 29);
        OWNED_STRUCT(host_csr) A = tridiagonal(n, -1, 2.5, -0.7);
        OWNED(double) *b = random_vector(p, n, 2, 40 + (uint64_t)i);
        for (uint32_t r = 0; r < n; r++) {
            double d = pow(10, (double)random_below(&seed, 25) - 12);
            for (uint32_t k = A.row[r]; k < A.row[r + 1]; k++)
                A.val[k] *= d;
            b[r] *= d;
        }
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            OWNED_STRUCT(solved) s = solve(c, &(struct problem){&A, b, NULL, p, {.method = methods[k]}});
            double scaled = precise_scaled(&A, s.x, b);
            cr_expect(s.report.reason == VKS_REASON_CONVERGED, "system %d by %s: %s", i,
                      vks_method_name(methods[k]), vks_reason_name(s.report.reason));
            cr_expect(warns(&s) || scaled <= 1.05e-8, "system %d by %s: %g", i, vks_method_name(methods[k]),
                      scaled);
        }
    }
}

/* CG from zero ends with p.Ap < 0 and an x with a residual of 7e9. */
TestEverywhere(norms, hand_back_the_better_x_of_conjugate_gradients)
{
    double b[] = {1, 0};
    OWNED_STRUCT(host_csr) A = tridiagonal(2, 2, 1e-5, 2);
    vks_solve_options o = {.method = VKS_METHOD_CG, .precond = VKS_PRECOND_NONE};
    OWNED_STRUCT(solved) s = solve(c, &(struct problem){&A, b, NULL, p, o});
    must_end(&s, VKS_REASON_NOT_POSITIVE_DEFINITE);
    cr_expect_leq(precise_residual(&A, s.x, b), 1);
}
