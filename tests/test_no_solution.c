/* Systems without a solution: the proof by sums over disconnected parts of A, and its text. */
#include "small_matrix.h"
#include "solvers/auto/parts.h"
#include "tests/support/device_matrix.h"
#include "tests/support/solve.h"

enum { HELD = 40, FREE = 24, ALL = HELD + 2 * FREE };

/* A supported chain and two floating ones, of HELD, FREE and FREE rows. */
static struct host_csr chains(void)
{
    struct host_csr A = tridiagonal(ALL, -1, 2, -1);
    static const uint32_t begin[] = {0, HELD, HELD + FREE, ALL};
    for (int k = 1; k < 4; k++) { /* the ends of chain k - 1, and the link to the next one */
        uint32_t last = begin[k] - 1, first = begin[k - 1];
        for (uint32_t e = A.row[last]; e < A.row[last + 1]; e++)
            A.val[e] = A.col[e] > last ? 0 : A.col[e] == last && k > 1 ? 1 : A.val[e];
        for (uint32_t e = A.row[first]; e < A.row[first + 1]; e++)
            A.val[e] = A.col[e] < first ? 0 : A.col[e] == first && k > 1 ? 1 : A.val[e];
    }
    return A;
}

static void reverse(struct host_csr *A, double *b, uint32_t *order)
{
    struct host_csr R = tridiagonal(ALL, -1, 2, -1);
    double *copy = malloc(8 * ALL);
    memcpy(copy, b, 8 * ALL);
    for (uint32_t i = 0; i < ALL; i++) {
        order[i] = ALL - 1 - i;
        b[i] = copy[order[i]];
        for (uint32_t e = R.row[i]; e < R.row[i + 1]; e++)
            R.val[e] = A->val[A->row[order[i]] + (R.row[i + 1] - 1 - e)];
    }
    free(copy);
    host_csr_free(A);
    *A = R;
}

static vks_solve_report solve_it(vks_context *c, const struct host_csr *A, const double *b,
                                 vks_solve_options o)
{
    OWNED(vks_matrix) *m = put_on(c, A, PRECISION_F64, VKS_FORMAT_CSR);
    OWNED(vks_vector) *right = put_vector(c, b, A->rows, PRECISION_F64),
                      *x = put_vector(c, b, A->rows, PRECISION_F64);
    vks_solve_report r;
    must_work(c, vks_solve(m, right, x, &o, &r));
    return r;
}

/* A times numbers that differ. */
static double *image(const struct host_csr *A)
{
    double *b = room(A->rows, 8);
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++)
            b[i] += A->val[e] * (A->col[e] * A->col[e] % 7);
    return b;
}

static void must_say(const vks_solve_report *r, uint32_t row, const char *part)
{
    cr_expect_eq(r->reason, VKS_REASON_SINGULAR, "%s: %s", vks_reason_name(r->reason), r->detail);
    cr_expect_eq(r->row, row, "row %u", r->row);
    cr_expect(strstr(r->detail, part), "\"%s\" does not say \"%s\"", r->detail, part);
    cr_expect(strstr(r->detail, "A x = b has no solution"), "%s", r->detail);
    cr_expect_lt(r->iterations, 1000);
}

TestOnBoth(no_solution, names_the_rows_of_floating_parts_as_the_caller_numbers_them)
{
    OWNED_STRUCT(host_csr) A = chains();
    uint32_t order[ALL];
    OWNED(double) *b = image(&A);
    vks_solve_report r = solve_it(c, &A, b, (vks_solve_options){.zero_guess = 1, ANYWHERE});
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s", r.detail);
    b[ALL - 3] += 2;
    r = solve_it(c, &A, b, (vks_solve_options){.zero_guess = 1, ANYWHERE});
    must_say(&r, HELD + FREE,
             "rows 65 to 88 of A form a separate part whose rows sum to zero, and b sums to 2 there: ");
    b[HELD] -= 1;
    r = solve_it(c, &A, b, (vks_solve_options){.zero_guess = 1, ANYWHERE});
    must_say(&r, HELD,
             "rows 41 to 64 of A form a separate part whose rows sum to zero, and b sums to -1 there "
             "(the first of 2 such parts)");
    b[HELD] += 1;
    reverse(&A, b, order);
    r = solve_it(c, &A, b, (vks_solve_options){.zero_guess = 1, .order = order});
    must_say(&r, HELD + FREE, "rows 65 to 88 of A form a separate part");
}

TestOnHost(no_solution, is_proved_of_what_a_named_method_leaves_but_not_where_the_caller_limits_it)
{
    OWNED_STRUCT(host_csr) A = chains();
    OWNED(double) *b = image(&A);
    b[HELD] += 1;
    vks_solve_report r =
        solve_it(c, &A, b, (vks_solve_options){.zero_guess = 1, .method = VKS_METHOD_MINRES});
    must_say(&r, HELD, "rows 41 to 64 of A form a separate part");
    r = solve_it(c, &A, b,
                 (vks_solve_options){.zero_guess = 1, .method = VKS_METHOD_MINRES, .max_iterations = 5});
    cr_expect_eq(r.reason, VKS_REASON_ITERATION_LIMIT, "%s", r.detail);
    r = solve_it(c, &A, b, (vks_solve_options){.zero_guess = 1, .method = VKS_METHOD_LSMR});
    cr_expect(r.reason == VKS_REASON_CONVERGED && r.least_squares, "%s: %s", vks_reason_name(r.reason),
              r.detail);
}

/* Currents between nodes without an outlet: columns sum to zero, and rows do not. */
TestOnBoth(no_solution, is_proved_by_columns_that_sum_to_zero)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(200, -1, 4, -3);
    A.val[0] = 1;
    A.val[A.row[200] - 1] = 3;
    OWNED(double) *b = image(&A);
    vks_solve_report r = solve_it(c, &A, b, (vks_solve_options){.zero_guess = 1, ANYWHERE});
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s", r.detail);
    b[7] += 10;
    r = solve_it(c, &A, b, (vks_solve_options){.zero_guess = 1, ANYWHERE});
    must_say(&r, 0, "the columns of A sum to zero, and b sums to 10: ");
}

/* A row of stored zeros, though its column has entries. */
TestOnHost(no_solution, is_proved_by_an_empty_row)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(50, -1, 4, -3);
    for (uint32_t e = A.row[9]; e < A.row[10]; e++)
        A.val[e] = 0;
    OWNED(double) *b = image(&A);
    vks_solve_report r = solve_it(c, &A, b, (vks_solve_options){.zero_guess = 1, ANYWHERE});
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s", r.detail);
    b[9] = -0.5;
    r = solve_it(c, &A, b, (vks_solve_options){.zero_guess = 1, ANYWHERE});
    must_say(&r, 9, "row 10 of A is empty, and b is -0.5 there: ");
}

static struct parts parts_of(const vks_matrix *A)
{
    struct parts p = {0};
    must_work(A->context, parts_find(A, UINT64_MAX, &(struct caller){0}, &p));
    return p;
}

/* A part supported by little more than the rounding of doubles is not reported as floating, nor is one in
 * floats. */
TestOnHost(no_solution, is_not_proved_where_sums_are_small_and_not_zero)
{
    static const enum precision stored[] = {PRECISION_F64, PRECISION_F32, PRECISION_MIXED};
    for (size_t k = 0; k < 3; k++) {
        OWNED_STRUCT(host_csr) A = chains();
        A.val[A.row[HELD] + 1] += k ? 0x1p-23 : 1e-12;
        OWNED(vks_matrix) *m = put_on(c, &A, stored[k], VKS_FORMAT_CSR);
        OWNED_STRUCT(parts) p = parts_of(m);
        cr_assert_eq(p.count, 1);
        cr_expect_eq(p.row[p.part->begin], HELD + FREE);
        cr_expect_eq(p.part->end, FREE);
        cr_expect_eq(p.part->defect, 0);
        A.val[A.row[HELD] + 1] = 1;
        must_work(c, vks_matrix_set_values(m, VKS_F64, A.val));
        must_work(c, parts_find(m, UINT64_MAX, &(struct caller){0}, &p));
        cr_expect_eq(p.count, 2, "new values are looked at again");
    }
}

/* A free chain, except for the rounding of an entry. */
static struct host_csr free_chain(uint32_t n, double rounding)
{
    struct host_csr A = tridiagonal(n, -1, 2, -1);
    A.val[0] = 1 + rounding;
    A.val[A.row[n] - 1] = 1;
    return A;
}

/* Solves from an x whose residual is below the sum of b. */
static vks_solve_report solve_from(vks_context *c, const struct host_csr *A, double guess)
{
    double b[40], x0[40];
    for (int i = 0; i < 40; i++) {
        b[i] = 1;
        x0[i] = guess;
    }
    struct problem q = {A, b, x0, PRECISION_F64, {.method = VKS_METHOD_MINRES}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    return s.report;
}

TestOnBoth(no_solution, bounds_no_residual_where_sums_are_not_zero_exactly)
{
    OWNED_STRUCT(host_csr) A = free_chain(40, 0x1p-52);
    vks_solve_report r = solve_from(c, &A, 0);
    cr_expect(r.reason == VKS_REASON_SINGULAR && strstr(r.detail, "singular to the rounding of its entries"),
              "%s", r.detail);
    cr_expect_not(strstr(r.detail, "no x has"), "%s", r.detail);
    r = solve_from(c, &A, 0x1p52);
    cr_expect(r.initial_residual < 0.99 && !strstr(r.detail, "sum to zero"), "%s", r.detail);
}

/* The removed mean leaves more rounding than the rest of b is large. */
TestOnHost(no_solution, is_not_proved_by_the_rounding_of_a_mean_that_is_kept_out)
{
    OWNED_STRUCT(host_csr) A = free_chain(40, 0);
    double b[40];
    for (int i = 0; i < 40; i++)
        b[i] = 1e9 / 3 + 1e-2 * (i % 7);
    OWNED(vks_matrix) *m = put_on(c, &A, PRECISION_F64, VKS_FORMAT_CSR);
    OWNED(vks_vector) *right = put_vector(c, b, 40, PRECISION_F64);
    OWNED_STRUCT(parts) p = parts_of(m);
    struct parts_of_b of_b;
    struct demand d = {.target = 1e-10, .of_b = 0x1p-52, .of_x = 0x1p-53};
    must_work(c, parts_sum_b(&p, right, true, &d, &of_b));
    cr_expect_eq(of_b.count, 0, "sums to %g", of_b.sum);
    must_work(c, parts_sum_b(&p, right, false, &d, &of_b));
    cr_expect(of_b.count == 1 && of_b.is_exact);
}

static bool cancel(void *calls)
{
    ++*(int *)calls;
    return true;
}

TestOnHost(no_solution, is_not_looked_for_beyond_a_limit_of_bytes_and_can_be_cancelled)
{
    OWNED_STRUCT(host_csr) A = free_chain(70000, 0);
    struct parts p = {0};
    int calls = 0;
    OWNED(vks_matrix) *m = put_on(c, &A, PRECISION_F64, VKS_FORMAT_CSR);
    must_work(c, parts_find(m, UINT64_MAX, &(struct caller){cancel, &calls}, &p));
    cr_expect(!p.are_known && !p.count && calls == 1);
    must_work(c, parts_find(m, 1 << 20, &(struct caller){0}, &p));
    cr_expect(p.are_known && !p.count);
}

/* Cancels once there is a residual. */
static int cancel_at_look(void *user, const vks_progress *now)
{
    (void)user;
    return !isnan(now->residual) && now->iteration == 0;
}

TestOnHost(no_solution, is_no_reason_where_the_caller_cancels)
{
    OWNED_STRUCT(host_csr) A = free_chain(70000, 0);
    OWNED(double) *b = room(A.rows, 8);
    for (uint32_t i = 0; i < A.rows; i++)
        b[i] = 1;
    vks_solve_options o = {.zero_guess = 1, .method = VKS_METHOD_CG, .precond = VKS_PRECOND_NONE};
    vks_solve_report r = solve_it(c, &A, b, o);
    cr_expect_eq(r.reason, VKS_REASON_SINGULAR, "%s: %s", vks_reason_name(r.reason), r.detail);
    o.progress = cancel_at_look;
    r = solve_it(c, &A, b, o);
    cr_expect_eq(r.reason, VKS_REASON_CANCELLED, "%s: %s", vks_reason_name(r.reason), r.detail);
}

/* -A is as singular as A; a method other than CG removes its null space. */
TestOnBoth(no_solution, of_a_null_space_that_is_kept_out_by_the_method_that_suits_the_sign_of_a)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(60, 1, -2, 1);
    A.val[0] = A.val[A.row[60] - 1] = -1;
    OWNED(double) *b = image(&A);
    b[3] += 1;
    vks_solve_report r = solve_it(c, &A, b, (vks_solve_options){.zero_guess = 1, .singular = 1});
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s", r.detail);
    cr_expect_eq(r.method, VKS_METHOD_MINRES);
    cr_expect_eq(r.attempts, 1);
    for (uint32_t e = 0; e < A.row[60]; e++)
        A.val[e] = -A.val[e];
    r = solve_it(c, &A, b, (vks_solve_options){.zero_guess = 1, .singular = 1});
    cr_expect(r.reason == VKS_REASON_CONVERGED && r.method == VKS_METHOD_CG, "%s by %s", r.detail,
              vks_method_name(r.method));
}

/* A floating chain with scaled rows and columns: no sums vanish, and only a null vector proves it. */
TestOnBoth(no_solution, is_proved_by_a_null_vector)
{
    enum { N = 300 };
    OWNED_STRUCT(host_csr) A = tridiagonal(N, -1, 2, -1);
    A.val[0] = A.val[A.row[N] - 1] = 1;
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t e = A.row[i]; e < A.row[i + 1]; e++)
            A.val[e] *= (1 + i % 3) * (1 + A.col[e] % 3);
    OWNED(double) *b = image(&A);
    vks_solve_report r = solve_it(c, &A, b, (vks_solve_options){.zero_guess = 1, ANYWHERE});
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s", r.detail);
    b[5] += 1;
    for (int named = 0; named < 2; named++) {
        vks_solve_options o = {.zero_guess = 1, .method = named ? VKS_METHOD_MINRES : VKS_METHOD_AUTO};
        r = solve_it(c, &A, b, o);
        cr_expect_eq(r.reason, VKS_REASON_SINGULAR, "%s: %s", vks_reason_name(r.reason), r.detail);
        cr_expect(strstr(r.detail, "A v is ") && strstr(r.detail, "A x = b has no solution"), "%s", r.detail);
        cr_expect_eq(r.row % 3, 0, "v is largest where the scale is least, not in row %u", r.row);
        cr_expect_lt(r.iterations, 2000);
    }
}

/* Supported so weakly that the residual is nearly a null vector for long: 1e-4 is reachable, 1e-8 is not. */
TestOnBoth(no_solution, is_not_proved_where_a_large_x_is_one)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(40, -1, 2, -1);
    double b[40];
    A.val[0] = 1 + 1e-8;
    A.val[A.row[40] - 1] = 1;
    for (int i = 0; i < 40; i++)
        b[i] = 1 + i % 2;
    vks_solve_options o = {.zero_guess = 1, .method = VKS_METHOD_MINRES, .rtol = 1e-4};
    vks_solve_report r = solve_it(c, &A, b, o);
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s", r.detail);
    o.rtol = 1e-9;
    r = solve_it(c, &A, b, o);
    cr_expect(r.reason == VKS_REASON_STAGNATED && strstr(r.detail, "a solution has a norm of at least"),
              "%s: %s", vks_reason_name(r.reason), r.detail);
}
