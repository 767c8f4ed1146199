/* Solves with the preconditioner ilut, and refusals. */
#include "small_matrix.h"
#include "tests/support/ilut.h"
#include "tests/support/precond.h"

static const vks_precond_options plain = {.kind = VKS_PRECOND_ILUT},
                                 uncut = {.kind = VKS_PRECOND_ILUT, .rows = VKS_ALL_ROWS},
                                 in_f32 = {.kind = VKS_PRECOND_ILUT, .in_f32 = 1},
                                 uncut_in_f32 = {.kind = VKS_PRECOND_ILUT, .rows = VKS_ALL_ROWS, .in_f32 = 1};

/* A solve by IDR with a random x. */
static struct solved solve_by_idr(vks_context *c, const struct host_csr *A, enum precision p,
                                  const vks_precond_options *o)
{
    OWNED(double) *x = random_vector(p, A->rows, 2, 7), *b = room(A->rows, 8);
    host_multiply(A, x, b);
    for (uint32_t i = 0; i < A->rows; i++)
        b[i] = rounded(p, b[i]);
    struct problem q = {.A = A, .b = b, .p = p};
    q.options = (vks_solve_options){.method = VKS_METHOD_IDR,
                                    .scaling = VKS_SCALING_NONE,
                                    .precond_options = o,
                                    .rtol = p == PRECISION_F32 ? 1e-4 : 1e-8,
                                    .max_iterations = 400,
                                    .history_capacity = 400};
    return solve(c, &q);
}

static uint32_t iterations(vks_context *c, const struct host_csr *A, enum precision p,
                           const vks_precond_options *o)
{
    OWNED_STRUCT(solved) s = solve_by_idr(c, A, p, o);
    uint32_t count = s.report.iterations;
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.precond, o->kind);
    cr_expect(o->kind != VKS_PRECOND_ILUT || s.report.blocks);
    return count;
}

/* Upwind convection and diffusion on a square. */
static struct host_csr convection(uint32_t side)
{
    uint32_t n = side * side, k = 0;
    struct host_csr A = new_csr(n, n, 5 * (size_t)n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t x = i % side, y = i / side;
        const struct {
            bool is_there;
            uint32_t col;
            double val;
        } entry[] = {{y > 0, i - side, -3},
                     {x > 0, i - 1, -2},
                     {true, i, 7},
                     {x + 1 < side, i + 1, -1},
                     {y + 1 < side, i + side, -1}};
        for (int e = 0; e < 5; e++)
            if (entry[e].is_there) {
                A.col[k] = entry[e].col;
                A.val[k++] = entry[e].val;
            }
        A.row[i + 1] = k;
    }
    return A;
}

TestOnHost(ilut_solve, idr_needs_half_the_iterations_of_jacobi)
{
    static const vks_precond_options jacobi = {.kind = VKS_PRECOND_JACOBI};
    OWNED_STRUCT(host_csr) A = convection(50);
    uint32_t by_jacobi = iterations(c, &A, PRECISION_F64, &jacobi),
             by_blocks = iterations(c, &A, PRECISION_F64, &plain),
             whole = iterations(c, &A, PRECISION_F64, &uncut),
             in_floats = iterations(c, &A, PRECISION_F64, &in_f32);
    cr_expect(2 * by_blocks <= by_jacobi, "%u and %u iterations", by_blocks, by_jacobi);
    cr_expect(whole < by_blocks, "%u and %u iterations", whole, by_blocks);
    cr_expect_leq(in_floats, by_blocks + 5);
    iterations(c, &A, PRECISION_F32, &plain);
}

Test(ilut_solve, idr_has_equal_bits_on_both_devices)
{
    vks_context *c[] = {open_host(), open_gpu()};
    static const vks_precond_options blocks = {.kind = VKS_PRECOND_ILUT, .rows = 48};
    struct host_csr A = convection(12);
    struct solved host = solve_by_idr(c[0], &A, PRECISION_F64, &blocks),
                  gpu = solve_by_idr(c[1], &A, PRECISION_F64, &blocks);
    must_end(&host, VKS_REASON_CONVERGED);
    must_match(&host, &gpu, A.rows, "ilut");
    solved_free(&host);
    solved_free(&gpu);
    host_csr_free(&A);
    close_context(c[0]);
    close_context(c[1]);
}

/* A kept solver, whose recordings use the new factors, has the bits of a new solver. */
TestOnBoth(ilut_solve, a_kept_solver_follows_new_values)
{
    OWNED_STRUCT(host_csr) A = convection(12), B = convection(12);
    const vks_precond_options blocks = {.kind = VKS_PRECOND_ILUT, .rows = 48};
    const vks_solve_options o = {.method = VKS_METHOD_IDR, .zero_guess = 1, .precond_options = &blocks};
    OWNED(vks_matrix) *m = put_on(c, &A, PRECISION_F64, VKS_FORMAT_CSR);
    OWNED(double) *got = room(A.rows, 8), *want = room(A.rows, 8);
    OWNED(vks_vector) *b = put_vector(c, A.val, A.rows, PRECISION_F64),
                      *x = put_vector(c, got, A.rows, PRECISION_F64);
    OWNED(vks_solver) *kept, *made;
    vks_solve_report r;
    for (uint32_t k = 0; k < B.row[B.rows]; k++)
        B.val[k] *= B.val[k] < 0 && k % 3 ? 1e-6 : 2;
    must_work(c, vks_solver_create(m, &o, &kept));
    must_work(c, vks_solver_solve(kept, b, x, &r));
    must_work(c, vks_matrix_set_values(m, VKS_F64, B.val));
    must_work(c, vks_solver_solve(kept, b, x, &r));
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
    must_work(c, vks_vector_read(x, 0, A.rows, VKS_F64, got));
    must_work(c, vks_solver_create(m, &o, &made));
    must_work(c, vks_solver_solve(made, b, x, &r));
    must_work(c, vks_vector_read(x, 0, A.rows, VKS_F64, want));
    must_equal(got, want, A.rows, "a kept solver");
}

static vks_precond_facts facts_of(vks_context *c, const struct host_csr *A, const vks_precond_options *o)
{
    OWNED(vks_matrix) *m = put_on(c, A, PRECISION_F64, VKS_FORMAT_CSR);
    OWNED(vks_precond) *M;
    vks_precond_facts f;
    must_work(c, vks_precond_create(m, o, &M));
    must_work(c, vks_precond_report(M, &f));
    return f;
}

TestOnHost(ilut_solve, facts_tell_blocks_steps_and_pivots)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(2100, -1, 4, -1);
    vks_precond_facts f = facts_of(c, &A, &plain), whole = facts_of(c, &A, &uncut),
                      narrow = facts_of(c, &A, &in_f32);
    cr_expect(f.kind == VKS_PRECOND_ILUT && f.reason == VKS_REASON_NOT_RUN);
    cr_expect(f.blocks == 3 && f.largest_block == 1024 && f.pivots_set == 0);
    cr_expect_eq(f.steps, 2 * 1024, "a chain has a level a row, %u", f.steps);
    cr_expect(whole.blocks == 1 && whole.largest_block == 2100 && whole.steps == 2 * 2100);
    cr_expect(narrow.blocks == 3 && narrow.steps == f.steps && narrow.bytes > 0 && f.bytes > 2100 * 12);
    for (uint32_t i = 0; i < A.rows; i += 3) /* zero pivots, unless elimination has changed them */
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            A.val[k] = A.col[k] == i ? 0 : A.val[k];
    cr_expect_gt(facts_of(c, &A, &plain).pivots_set, 0);
}

/* An antidiagonal has only zero pivots: they are replaced, with a warning in the report. */
TestOnHost(ilut_solve, warns_of_pivots_that_were_set)
{
    uint32_t n = 200;
    OWNED_STRUCT(host_csr) A = new_csr(n, n, n);
    for (uint32_t i = 0; i < n; i++) {
        A.col[i] = n - 1 - i;
        A.val[i] = 2;
        A.row[i + 1] = i + 1;
    }
    OWNED_STRUCT(solved) s = solve_by_idr(c, &A, PRECISION_F64, &plain);
    cr_expect(strstr(s.report.warning, "pivots were too small"), "%s", s.report.warning);
    cr_expect_eq(facts_of(c, &A, &plain).pivots_set, n / 2);
}

/* A row without entries keeps a pivot of 1. */
TestOnHost(ilut_solve, an_empty_row_has_a_pivot_of_one)
{
    static uint32_t row[] = {0, 1, 1, 2}, col[] = {0, 2};
    static double val[] = {4, 8};
    static const double r[] = {1, 3, 1};
    const struct host_csr A = {3, 3, row, col, val};
    OWNED(vks_matrix) *m = put_on(c, &A, PRECISION_F64, VKS_FORMAT_CSR);
    struct precond *M = make_good(c, m, PRECISION_F64, plain);
    OWNED(double) *z = applied(c, M, r);
    cr_expect(z[0] == 0.25 && z[1] == 3 && z[2] == 0.125);
    precond_destroy(M);
}

TestOnHost(ilut_solve, tells_the_row_of_a_nan_and_of_an_overflow)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(50, -1, 4, -1);
    A.val[A.row[17]] = NAN;
    vks_precond_facts f = facts_of(c, &A, &plain);
    cr_expect(f.reason == VKS_REASON_NOT_FINITE && f.row == 17 && strstr(f.detail, "row 18 of A"), "%s",
              f.detail);
    struct solved s = solve_by_idr(c, &A, PRECISION_F64, &uncut);
    must_end(&s, VKS_REASON_NOT_FINITE);
    solved_free(&s);
    A.val[A.row[17]] = 1e307;
    A.val[A.row[17] + 1] = 1e304;
    A.val[A.row[17] + 2] = 1e307;
    A.val[A.row[18]] = A.val[A.row[16] + 2] = 1e307;
    f = facts_of(c, &A, &plain);
    cr_expect(f.reason == VKS_REASON_NOT_FINITE && strstr(f.detail, "overflow"), "%s", f.detail);
    host_csr_free(&A);
    A = tridiagonal(50, -1, 4e-43, -1);
    f = facts_of(c, &A, &in_f32);
    cr_expect(f.reason == VKS_REASON_NOT_RUN, "%s", f.detail);
    for (uint32_t k = 0; k < A.row[50]; k++)
        A.val[k] *= 0x1p-200; /* no unit matters */
    f = facts_of(c, &A, &in_f32);
    cr_expect(f.reason == VKS_REASON_NOT_RUN, "%s", f.detail);
    A.val[0] = 1e60;
    f = facts_of(c, &A, &in_f32);
    cr_expect(f.reason == VKS_REASON_NOT_FINITE && strstr(f.detail, "in f32"), "%s", f.detail);
}

/* In f32 the reciprocal of a pivot may be denormal or zero: z would then lose the row. */
TestOnHost(ilut_solve, tells_the_row_of_a_pivot_that_is_too_large_for_f32)
{
    static const double pivots[] = {8e37, 9e37, -1e46};
    static const vks_precond_options *of[] = {&in_f32, &uncut_in_f32};
    OWNED_STRUCT(host_csr) A = tridiagonal(1100, -1, 4, -1);
    for (int i = 0; i < 6; i++) {
        A.val[A.row[1050] + 1] = pivots[i / 2];
        vks_precond_facts f = facts_of(c, &A, of[i % 2]);
        if (i < 2)
            cr_expect_eq(f.reason, VKS_REASON_NOT_RUN, "%s", f.detail);
        else
            cr_expect(f.reason == VKS_REASON_NOT_FINITE && f.row == 1050 &&
                          !strcmp(f.detail, "the incomplete factors underflow in row 1051, in f32"),
                      "row %u: %s", f.row, f.detail);
        f = facts_of(c, &A, &plain);
        cr_expect_eq(f.reason, VKS_REASON_NOT_RUN, "%s", f.detail);
    }
}

TestOnHost(ilut_solve, cg_refuses_it_in_words)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(50, -1, 4, -1);
    OWNED(vks_matrix) *m = put_on(c, &A, PRECISION_F64, VKS_FORMAT_CSR);
    OWNED(vks_vector) *b = put_vector(c, A.val, 50, PRECISION_F64),
                      *x = put_vector(c, A.val, 50, PRECISION_F64);
    vks_solve_report r;
    const vks_precond_options *of[] = {&plain, &uncut, &in_f32};
    for (int i = 0; i < 3; i++)
        must_refuse(c, vks_cg_solve(m, b, x, &(vks_solve_options){.precond_options = of[i]}, &r),
                    VKS_INVALID_ARGUMENT,
                    "cg needs a preconditioner that is linear and symmetric; ilut is not symmetric");
}

TestOnHost(ilut_solve, refuses_options_out_of_range)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(50, -1, 4, -1);
    OWNED(vks_matrix) *m = put_on(c, &A, PRECISION_F64, VKS_FORMAT_CSR);
    static const struct {
        vks_precond_options o;
        const char *part;
    } of[] = {{{.kind = VKS_PRECOND_ILUT, .fill = 65536}, "a fill of 65536; 1 to 65535 are allowed"},
              {{.kind = VKS_PRECOND_ILUT, .drop = -1}, "a drop of -1"},
              {{.kind = VKS_PRECOND_ILUT, .drop = 1}, "a drop of 1"},
              {{.kind = VKS_PRECOND_ILUT, .drop = NAN}, "a drop of"},
              {{.kind = VKS_PRECOND_ILUT, .rows = 1025}, "blocks of 1025 rows"},
              {{.kind = VKS_PRECOND_ILUT, .degree = 2}, "ilut has no degree"},
              {{.kind = VKS_PRECOND_JACOBI, .drop = 0.5}, "jacobi has no threshold"},
              {{.kind = VKS_PRECOND_JACOBI, .fill = 3}, "jacobi has no fill"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        vks_precond *M;
        must_refuse(c, vks_precond_create(m, &of[i].o, &M), VKS_INVALID_ARGUMENT, of[i].part);
        cr_expect_null(M);
    }
}
