/* The preconditioner of saddle points: Stokes flow by MINRES, new values, refusals, and when it equals its
 * inner preconditioner. */
#include "small_matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/preconds.h"
#include "tests/support/unsymmetric.h"
#include "vksolve/kept_solver.h"

enum { CELLS = 12, U = CELLS * (CELLS - 1), STOKES = 2 * U + CELLS * CELLS - 1 };

struct list {
    uint32_t row[16 * STOKES], col[16 * STOKES];
    double val[16 * STOKES];
    size_t count;
};

static void add(struct list *l, uint32_t i, uint32_t j, double v)
{
    l->row[l->count] = i;
    l->col[l->count] = j;
    l->val[l->count++] = v;
}

/* The velocity of face (i, j) between cells (i, j) and (i + 1, j), or with i and j exchanged; no-slip walls
 * are half a cell away along the face. */
static void add_face(struct list *l, bool exchanged, uint32_t i, uint32_t j)
{
    uint32_t first = exchanged ? U : 0, me = first + j * (CELLS - 1) + i;
    uint32_t left = exchanged ? i * CELLS + j : j * CELLS + i, right = left + (exchanged ? CELLS : 1);
    add(l, me, me, 4 + (j == 0) + (j == CELLS - 1));
    if (i > 0)
        add(l, me, me - 1, -1);
    if (i + 2 < CELLS)
        add(l, me, me + 1, -1);
    if (j > 0)
        add(l, me, me - (CELLS - 1), -1);
    if (j + 1 < CELLS)
        add(l, me, me + (CELLS - 1), -1);
    for (int side = 0; side < 2; side++) {
        uint32_t cell = side ? right : left;
        if (cell == 0) /* whose pressure is zero */
            continue;
        add(l, me, 2 * U + cell - 1, side ? 1 : -1);
        add(l, 2 * U + cell - 1, me, side ? 1 : -1);
    }
}

static struct host_csr stokes(void)
{
    static struct list l;
    l.count = 0;
    for (uint32_t j = 0; j < CELLS; j++)
        for (uint32_t i = 0; i + 1 < CELLS; i++) {
            add_face(&l, false, i, j);
            add_face(&l, true, i, j);
        }
    return assemble(STOKES, l.count, l.row, l.col, l.val);
}

static struct solved solve_by(vks_context *c, const struct host_csr *A, const double *b, enum precision p,
                              vks_precond_options precond)
{
    struct problem q = {.A = A,
                        .b = b,
                        .p = p,
                        .options = {.method = VKS_METHOD_MINRES,
                                    .precond_options = &precond,
                                    .zero_guess = 1,
                                    .history_capacity = 1000}};
    return solve(c, &q);
}

TestEverywhere(saddle, takes_a_third_of_the_products_for_stokes_flow)
{
    static const vks_precond_options inner = {.kind = VKS_PRECOND_CHEBYSHEV};
    OWNED_STRUCT(host_csr) A = stokes();
    OWNED(double) *b = right_side_of_floats(&A, p);
    OWNED_STRUCT(solved) plain = solve_by(c, &A, b, p, (vks_precond_options){.kind = VKS_PRECOND_ROW_SUM});
    OWNED_STRUCT(solved) s = solve_by(c, &A, b, p, (vks_precond_options){.kind = VKS_PRECOND_SADDLE});
    OWNED_STRUCT(solved) t =
        solve_by(c, &A, b, p, (vks_precond_options){.kind = VKS_PRECOND_SADDLE, .inner = &inner});
    must_end(&plain, VKS_REASON_CONVERGED);
    must_end(&s, VKS_REASON_CONVERGED);
    must_end(&t, VKS_REASON_CONVERGED);
    cr_expect_lt(3 * s.report.iterations, plain.report.iterations, "%u and %u products", s.report.iterations,
                 plain.report.iterations);
    cr_expect_lt(t.report.iterations, plain.report.iterations);
}

/* Its diagonal is weak, but matching would destroy the zero block. */
TestOnHost(saddle, keeps_the_rows_where_they_are_under_idr)
{
    OWNED_STRUCT(host_csr) A = stokes();
    OWNED(double) *b = right_side_of_floats(&A, PRECISION_F64);
    vks_solve_options o = {.method = VKS_METHOD_IDR, .precond = VKS_PRECOND_SADDLE};
    struct problem q = {.A = &A, .b = b, .p = PRECISION_F64, .options = o};
    struct solved s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.scaling, VKS_SCALING_RUIZ);
    solved_free(&s);
    OWNED(vks_matrix) *m = put_on(c, &A, PRECISION_F64, VKS_FORMAT_AUTO);
    vks_solver *solver;
    o.scaling = VKS_SCALING_MATCH;
    must_refuse(c, vks_solver_create(m, &o, &solver), VKS_INVALID_ARGUMENT, "break the blocks of saddle");
}

Test(saddle, host_and_gpu_give_the_same_bits)
{
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    OWNED_STRUCT(host_csr) A = stokes();
    OWNED(double) *b = right_side_of_floats(&A, PRECISION_F64);
    for (int in_f32 = 0; in_f32 < 2; in_f32++) {
        vks_precond_options o = {.kind = VKS_PRECOND_SADDLE, .in_f32 = in_f32};
        OWNED_STRUCT(solved) s = solve_by(host, &A, b, PRECISION_F64, o),
                             t = solve_by(gpu, &A, b, PRECISION_F64, o);
        must_end(&s, VKS_REASON_CONVERGED);
        must_match(&s, &t, STOKES, "Stokes flow");
    }
}

/* Some velocities get a zero on the diagonal. */
TestOnHost(saddle, new_values_give_what_a_new_solver_gives)
{
    OWNED_STRUCT(host_csr) A = stokes();
    OWNED(double) *b = right_side_of_floats(&A, PRECISION_F64);
    OWNED(double) *kept_x = room(STOKES, 8), *values = room(host_csr_entries(&A), 8);
    vks_precond_options o = {.kind = VKS_PRECOND_SADDLE};
    vks_solve_options by = {.method = VKS_METHOD_MINRES, .precond_options = &o, .zero_guess = 1};
    OWNED(vks_matrix) *m = NULL;
    OWNED(vks_solver) *kept = NULL;
    vks_solve_report r;
    memcpy(values, A.val, 8 * host_csr_entries(&A));
    for (uint32_t i = 0; i < STOKES; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            A.val[k] *= A.col[k] == i && i % 7 == 6 ? 0 : 3;
    must_work(c, vks_matrix_from_csr(c, STOKES, STOKES, A.row, A.col, values, NULL, &m));
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F64, NULL, STOKES),
                      *y = vector_of(c, PRECISION_F64, b, STOKES);
    must_work(c, vks_solver_create(m, &by, &kept));
    must_work(c, vks_solver_solve(kept, y, x, &r));
    cr_assert_eq(r.reason, VKS_REASON_CONVERGED);
    must_work(c, vks_matrix_set_values(m, VKS_F64, A.val));
    must_work(c, vks_solver_solve(kept, y, x, &r));
    cr_assert_eq(r.reason, VKS_REASON_CONVERGED);
    must_work(c, vks_vector_read(x, 0, STOKES, VKS_F64, kept_x));
    OWNED_STRUCT(solved) s = solve_by(c, &A, b, PRECISION_F64, o);
    must_equal(kept_x, s.x, STOKES, "new values");
}

TestEverywhere(saddle, refuses_a_diagonal_below_zero_and_one_of_zeros)
{
    OWNED_STRUCT(host_csr) A = stokes(), zeros = tridiagonal(9, 1, 0, 1);
    OWNED(double) *b = right_side_of_floats(&A, p);
    A.val[A.row[5] + 1] = 0; /* row 6 of 1 to n then has a negative diagonal */
    for (uint32_t k = A.row[5]; k < A.row[6]; k++)
        A.val[k] = A.col[k] == 5 ? -4 : A.val[k];
    OWNED_STRUCT(solved) s = solve_by(c, &A, b, p, (vks_precond_options){.kind = VKS_PRECOND_SADDLE});
    must_end(&s, VKS_REASON_NOT_POSITIVE_DEFINITE);
    cr_expect_eq(s.report.row, 5);
    solved_free(&s);
    s = solve_by(c, &zeros, b, p, (vks_precond_options){.kind = VKS_PRECOND_SADDLE});
    must_end(&s, VKS_REASON_ZERO_DIAGONAL);
    cr_expect(strstr(s.report.detail, "every diagonal entry of A is zero"), "%s", s.report.detail);
}

TestOnHost(saddle, is_what_stands_inside_it_where_the_diagonal_has_no_zeros)
{
    OWNED_STRUCT(host_csr) A = generated("poisson2d", 20);
    OWNED(double) *b = right_side_of_floats(&A, PRECISION_F64);
    OWNED_STRUCT(solved) s = solve_by(c, &A, b, PRECISION_F64,
                                      (vks_precond_options){.kind = VKS_PRECOND_SADDLE}),
                         t = solve_by(c, &A, b, PRECISION_F64,
                                      (vks_precond_options){.kind = VKS_PRECOND_AMG});
    must_match(&s, &t, A.rows, "saddle and amg");
}

static struct host_csr with_entry(double v)
{
    struct host_csr A = stokes();
    A.val[A.row[2 * U + 5]] = v;
    return A;
}

/* One over the sum of b_ij^2 / a_jj leaves the range. */
TestOnHost(saddle, a_row_of_the_second_block_that_is_beyond_the_range_is_named)
{
    static const double bad[] = {NAN, 1e200, INFINITY};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        OWNED_STRUCT(host_csr) A = with_entry(bad[k]);
        vks_precond_facts reported;
        OWNED(vks_matrix) *m = put_on(c, &A, PRECISION_F64, VKS_FORMAT_CSR);
        OWNED(vks_precond) *M = NULL;
        must_work(c, vks_precond_create(m, &(vks_precond_options){.kind = VKS_PRECOND_SADDLE}, &M));
        must_work(c, vks_precond_report(M, &reported));
        cr_expect(reported.reason == VKS_REASON_NOT_FINITE && reported.row == 2 * U + 5, "%g: %s, row %u",
                  bad[k], vks_reason_name(reported.reason), reported.row);
    }
}

TestOnHost(saddle, the_levels_within_are_reported_and_take_no_coordinates)
{
    static const double near_null[STOKES] = {1};
    OWNED_STRUCT(host_csr) A = stokes();
    vks_precond_facts reported;
    vks_precond_options amg = {.kind = VKS_PRECOND_AMG}, o = {.kind = VKS_PRECOND_SADDLE, .inner = &amg};
    OWNED(vks_matrix) *m = put_on(c, &A, PRECISION_F64, VKS_FORMAT_CSR);
    vks_precond *M = NULL;
    must_work(c, vks_precond_create(m, &o, &M));
    must_work(c, vks_precond_report(M, &reported));
    cr_expect(reported.hierarchy.levels > 0 && reported.hierarchy.level[0].rows == 2 * U, "%u levels",
              reported.hierarchy.levels);
    vks_precond_destroy(M);
    amg.amg = (vks_amg_options){.vectors = 1, .near_null = near_null};
    must_refuse(c, vks_precond_create(m, &o, &M), VKS_INVALID_ARGUMENT,
                "amg within saddle takes no coordinates");
}
