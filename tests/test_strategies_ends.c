/* How the automatic method ends: with the best x of all strategies, and with a report of each, including
 * those that were skipped. */
#include "small_matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/unsymmetric.h"
#include "vksolve/kept_solver.h"
#include "vksolve/plan.h"

struct automatic {
    vks_context *c;
    vks_matrix *m;
    vks_vector *b, *x;
};

static struct automatic automatic_of(vks_context *c, const struct host_csr *A)
{
    struct automatic t = {.c = c};
    OWNED(double) *b = random_right_side(A, PRECISION_F64, 3);
    must_work(c, vks_matrix_from_csr(c, A->rows, A->rows, A->row, A->col, A->val, NULL, &t.m));
    t.b = vector_of(c, PRECISION_F64, b, A->rows);
    t.x = vector_of(c, PRECISION_F64, NULL, A->rows);
    return t;
}

static void automatic_free(struct automatic *t)
{
    vks_vector_destroy(t->b);
    vks_vector_destroy(t->x);
    vks_matrix_destroy(t->m);
}

static vks_solve_report solve_automatically(const struct automatic *t, vks_solve_options o)
{
    vks_solve_report r;
    o.zero_guess = 1;
    must_work(t->c, vks_solve(t->m, t->b, t->x, &o, &r));
    return r;
}

/* Cycles of CG in f32 that keep their directions must not end with the x of the first one. */
TestOnHost(strategies_ends, in_f32_keeps_what_cg_has_reached)
{
    OWNED(vks_matrix) *bus = read_shipped(c, "1138_bus");
    OWNED_STRUCT(host_csr) A = read_back(c, bus);
    OWNED_STRUCT(automatic) t = automatic_of(c, &A);
    for (uint32_t most = 100; most <= 300; most += 100) {
        vks_solve_options o = {.iterate_in_f32 = 1, .max_iterations = most};
        vks_solve_report r = solve_automatically(&t, o);
        o.method = VKS_METHOD_CG;
        o.precond = VKS_PRECOND_JACOBI;
        vks_solve_report by_name = solve_automatically(&t, o);
        cr_expect_leq(r.true_residual, 2 * by_name.true_residual, "limit %u", most);
    }
}

static bool is_left_out(const vks_attempt *a)
{
    return a->reason == VKS_REASON_NOT_RUN && isnan(a->true_residual) && !a->budget && !a->iterations;
}

/* Two equal rows: no strategy converges. The last two, elimination and LSMR, need 64-bit floats. */
Test(strategies_ends, an_attempt_that_is_left_out_has_not_run)
{
    OWNED(vks_context) *c = open_context("host", (struct device_options){.without_f64 = true});
    OWNED_STRUCT(host_csr) A = tridiagonal(20, -1, 4, 2);
    double b[20] = {1, 2};
    A.val[0] = A.val[2]; /* of the first row and of the second */
    A.val[1] = A.val[3];
    A.val[4] = 0;
    OWNED_STRUCT(automatic) t = automatic_of(c, &A);
    must_work(c, vks_vector_write(t.b, 0, 20, VKS_F64, b));
    vks_solve_report r = solve_automatically(&t, (vks_solve_options){ANYWHERE});
    const vks_attempt *last = &r.attempt[r.attempts - 1];
    cr_expect(last[-1].method == VKS_METHOD_GAUSS_JORDAN && last->method == VKS_METHOD_LSMR);
    cr_expect(is_left_out(last) && is_left_out(last - 1), "%s, %g", vks_reason_name(last->reason),
              last->true_residual);
    cr_expect(r.method != VKS_METHOD_GAUSS_JORDAN && r.reason != VKS_REASON_NOT_RUN);
    cr_expect(strstr(r.warning, "left out: gauss-jordan, lsmr: "), "%s", r.warning);
}

/* The Laplacian of a path, which is singular, with its odd rows and columns doubled; and two rows that make A
 * indefinite, with a positive diagonal: CG fails, and MINRES continues. */
static struct host_csr path_and_pair(uint32_t n)
{
    struct host_csr A = tridiagonal(n, -1, 2, -1);
    A.val[0] = 1;
    A.val[A.row[n - 3] + 1] = 1;
    A.val[A.row[n - 3] + 2] = A.val[A.row[n - 2]] = 0;
    for (uint32_t i = 0; i < n - 2; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            A.val[k] *= (1 + i % 2) * (1 + A.col[k] % 2);
    A.val[A.row[n - 2] + 1] = A.val[A.row[n - 1] + 1] = 1e-3;
    A.val[A.row[n - 2] + 2] = A.val[A.row[n - 1]] = 2e-3;
    return A;
}

/* The next solve begins with MINRES, finds no solution, and finally tries CG. */
TestOnHost(strategies_ends, of_a_kept_solver_that_came_back_to_the_first_attempt_tells_its_own_attempts)
{
    enum { ROWS = 101 };
    OWNED_STRUCT(host_csr) A = path_and_pair(ROWS);
    OWNED_STRUCT(automatic) t = automatic_of(c, &A);
    double b[ROWS];
    OWNED(vks_solver) *solver = NULL;
    vks_solve_report r;
    must_work(c, vks_solver_create(t.m, &(vks_solve_options){.zero_guess = 1, ANYWHERE}, &solver));
    for (int turn = 0; turn < 3; turn++) {
        for (uint32_t i = 0; i < ROWS; i++)
            b[i] = turn == 1 ? i < ROWS - 2 && i % 5 == 0 : 0;
        b[ROWS - 1] += turn != 1;
        must_work(c, vks_vector_write(t.b, 0, ROWS, VKS_F64, b));
        must_work(c, vks_solver_solve(solver, t.b, t.x, &r));
        uint32_t iterations = 0;
        for (uint32_t k = 0; k < r.attempts; k++) {
            iterations += r.attempt[k].iterations;
            cr_expect_neq(r.attempt[k].method, VKS_METHOD_AUTO, "turn %d, attempt %u", turn, k);
        }
        cr_expect_eq(iterations, r.iterations, "turn %d", turn);
    }
}

TestOnHost(strategies_ends, of_a_kept_solver_that_fails_again_are_reported_alike)
{
    enum { ROWS = 101 };
    OWNED_STRUCT(host_csr) A = path_and_pair(ROWS);
    OWNED_STRUCT(automatic) t = automatic_of(c, &A);
    double b[ROWS];
    OWNED(vks_solver) *solver = NULL;
    vks_solve_report first, r;
    for (uint32_t i = 0; i < ROWS; i++)
        b[i] = i < ROWS - 2 && i % 5 == 0;
    must_work(c, vks_vector_write(t.b, 0, ROWS, VKS_F64, b));
    must_work(c, vks_solver_create(t.m, &(vks_solve_options){.zero_guess = 1, ANYWHERE}, &solver));
    must_work(c, vks_solver_solve(solver, t.b, t.x, &first));
    cr_assert(first.reason != VKS_REASON_CONVERGED && first.attempts > 1);
    for (int turn = 0; turn < 3; turn++) {
        must_work(c, vks_solver_solve(solver, t.b, t.x, &r));
        cr_assert_eq(r.attempts, first.attempts, "turn %d: %u attempts", turn, r.attempts);
        for (uint32_t k = 0; k < r.attempts; k++)
            cr_expect_eq(memcmp(&r.attempt[k], &first.attempt[k], sizeof r.attempt[k]), 0, "attempt %u", k);
        cr_expect_eq(strcmp(r.warning, first.warning), 0, "\"%s\" before: \"%s\"", r.warning, first.warning);
    }
}

static void must_refuse_both(const struct automatic *t, const vks_precond_options *M, const char *part)
{
    vks_solve_options o = {.precond_options = M};
    vks_plan plan;
    must_refuse(t->c, vks_solve(t->m, t->b, t->x, &o, NULL), VKS_INVALID_ARGUMENT, part);
    must_refuse(t->c, vks_solve_plan(t->m, &o, &plan), VKS_INVALID_ARGUMENT, part);
}

TestOnHost(strategies_ends, options_of_no_preconditioner_are_refused_for_any_matrix)
{
    struct host_csr matrices[] = {tridiagonal(9, -1, 3, -0.5), tridiagonal(9, -1, 3, -1)};
    for (int k = 0; k < 2; k++) {
        struct automatic t = automatic_of(c, &matrices[k]);
        must_refuse_both(&t, &(vks_precond_options){.drop = -1}, "no threshold");
        must_refuse_both(&t, &(vks_precond_options){.steps = 3}, "jacobi has no");
        must_refuse_both(&t, &(vks_precond_options){.weight = 3}, "jacobi has no");
        automatic_free(&t);
        host_csr_free(&matrices[k]);
    }
}

/* B C, with random integers, B n x r and C r x n. */
static struct host_csr of_rank(uint32_t n, uint32_t r)
{
    struct host_csr A = new_csr(n, n, (size_t)n * n);
    OWNED(double) *B = random_vector(PRECISION_F32, n * r, 1, 11),
                  *C = random_vector(PRECISION_F32, n * r, 1, 12);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            double sum = 0;
            for (uint32_t k = 0; k < r; k++)
                sum += rint(4 * B[i * r + k]) * rint(4 * C[k * n + j]);
            A.col[i * n + j] = j;
            A.val[i * n + j] = sum;
        }
        A.row[i + 1] = (i + 1) * n;
    }
    return A;
}

TestOnHost(strategies_ends, singular_systems_that_have_solutions_are_solved)
{
    for (uint32_t r = 17; r < 24; r += 3) {
        OWNED_STRUCT(host_csr) A = of_rank(24, r);
        OWNED_STRUCT(automatic) t = automatic_of(c, &A);
        vks_solve_report reported = solve_automatically(&t, (vks_solve_options){ANYWHERE});
        cr_expect_eq(reported.reason, VKS_REASON_CONVERGED, "rank %u: %s, %s", r,
                     vks_reason_name(reported.reason), reported.detail);
    }
}

TestOnHost(strategies_ends, a_system_without_a_solution_ends_as_singular_with_the_least_residual)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(5000, 2, 1, -2); /* too large for elimination */
    for (uint32_t i = 1; i + 1 < 5000; i += 2)              /* pairs of rows: (1 -2; 2 -4) */
        A.val[A.row[i + 1] - 1] = A.val[A.row[i + 1]] = 0;
    for (uint32_t i = 1; i < 5000; i += 2)
        A.val[A.row[i] + 1] = -4;
    double *b = random_vector(PRECISION_F64, 5000, 1, 9), left = 0, bb = 0;
    OWNED_STRUCT(automatic) t = automatic_of(c, &A);
    must_work(c, vks_vector_write(t.b, 0, 5000, VKS_F64, b));
    vks_solve_report r = solve_automatically(&t, (vks_solve_options){ANYWHERE});
    for (int i = 0; i < 5000; i++) {
        left += i % 2 ? (2 * b[i - 1] - b[i]) * (2 * b[i - 1] - b[i]) / 5 : 0;
        bb += b[i] * b[i];
    }
    double least = sqrt(left / bb);
    cr_expect(r.reason == VKS_REASON_SINGULAR && !r.least_squares, "%s", vks_reason_name(r.reason));
    cr_expect(strstr(r.detail, "has no solution"), "%s", r.detail);
    cr_expect_lt(fabs(r.true_residual - least), 1e-3 * least, "%g, not %g", r.true_residual, least);
    free(b);
}

/* A strategy ends at the rounding level of f32, and the limit ends the next one, which began from zero. */
TestOnHost(strategies_ends, an_x_that_was_dropped_is_taken_back_where_nothing_better_comes)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(1000, -1.0001, 2, -0.9999);
    OWNED_STRUCT(automatic) t = {.c = c};
    vks_matrix_options in_f32 = {.precision = VKS_F32};
    must_work(c, vks_matrix_from_csr(c, 1000, 1000, A.row, A.col, A.val, &in_f32, &t.m));
    t.b = vector_of(c, PRECISION_F32, NULL, 1000);
    t.x = vector_of(c, PRECISION_F32, NULL, 1000);
    must_work(c, vks_vector_fill(t.b, 1));
    vks_solve_report r = solve_automatically(&t, (vks_solve_options){.max_iterations = 300});
    double least = 1;
    for (uint32_t k = 0; k < r.attempts; k++)
        least = fmin(least, isnan(r.attempt[k].true_residual) ? 1 : r.attempt[k].true_residual);
    cr_expect_neq(r.reason, VKS_REASON_CONVERGED);
    cr_expect(least < 0.1 && r.true_residual <= 2 * least, "%g, and an attempt had %g", r.true_residual,
              least);
}
