/* The Jacobi iteration: it converges if and at the rate that the spectral radius says, and reports how it
 * ended. */
#include "command/models/generate_matrix.h"
#include "small_matrix.h"
#include "tests/support/cases/jacobi.h"
#include "tests/support/solve.h"

#include "shaders/solver/jacobi.h"

static const double pi = 3.14159265358979323846;

static struct solved jacobi(vks_context *c, const struct host_csr *A, const double *b, enum precision p,
                            vks_solve_options o)
{
    o.method = VKS_METHOD_JACOBI;
    struct problem q = {.A = A, .b = b, .p = p, .options = o};
    return solve(c, &q);
}

/* b = A times small integers. */
static double *right_side(const struct host_csr *A)
{
    double *x = room(A->rows, 8), *b = room(A->rows, 8);
    for (uint32_t i = 0; i < A->rows; i++)
        x[i] = (double)(i * 7 % 11) - 5;
    host_multiply(A, x, b);
    free(x);
    return b;
}

static void must_tell(const struct solved *s, const char *part)
{
    cr_expect(strstr(s->report.detail, part), "\"%s\" does not say \"%s\"", s->report.detail, part);
}

static void must_contract(const struct solved *s, double rate, double tolerance)
{
    cr_expect_float_eq(s->report.contraction, rate, tolerance, "%.9g instead of %.9g", s->report.contraction,
                       rate);
}

/* The largest eigenvalue of I - D^-1 A is cos(pi h), h = 1 / (size + 1), in any number of dimensions. */
TestEverywhere(jacobi, converges_on_poisson_problems_at_the_rate_of_the_spectral_radius)
{
    static const uint32_t sizes[] = {10, 8, 6};
    for (int i = 0; i < 3; i++) {
        OWNED_STRUCT(host_csr) A;
        if (i == 0)
            A = tridiagonal(sizes[i], -1, 2, -1);
        else
            must_work(c, generate_matrix(NULL, i == 1 ? "poisson2d" : "poisson3d", sizes[i], &A));
        double *b = room(A.rows, 8), tolerance = p == PRECISION_F32 ? 2e-3 : 1e-4,
               radius = cos(pi / (sizes[i] + 1));
        for (uint32_t k = 0; k < A.rows; k++)
            b[k] = 1;
        vks_solve_options o = {.rtol = p == PRECISION_F32 ? 1e-4 : 1e-7, .history_capacity = 1000};
        OWNED_STRUCT(solved) s = jacobi(c, &A, b, p, o);
        must_end(&s, VKS_REASON_CONVERGED);
        must_contract(&s, radius, tolerance);
        cr_expect_eq(s.report.iterations % JACOBI_SWEEP, 0);
        cr_expect_str_empty(s.report.warning);
        solved_free(&s);
        /* the largest 1 - w (1 - mu), over eigenvalues mu, is that of cos(pi h) */
        o.weight = 0.75;
        s = jacobi(c, &A, b, p, o);
        must_end(&s, VKS_REASON_CONVERGED);
        must_contract(&s, 1 - 0.75 * (1 - radius), tolerance);
        cr_expect_eq(s.report.weight, 0.75);
        free(b);
    }
}

/* The spectral radius is 2 / d cos(pi h). */
TestEverywhere(jacobi, divergence_is_seen_early_and_reported_with_its_rate)
{
    static const double diagonals[] = {1.875, 1.25, -0.03125};
    for (int i = 0; i < 3; i++) {
        OWNED_STRUCT(host_csr) A = tridiagonal(50, -1, diagonals[i], -1);
        double b[50], radius = 2 / fabs(diagonals[i]) * cos(pi / 51);
        for (int k = 0; k < 50; k++) /* the fastest growing vector */
            b[k] = rounded(PRECISION_F32, sin((k + 1) * pi / 51));
        OWNED_STRUCT(solved) s = jacobi(c, &A, b, p, (vks_solve_options){.history_capacity = 50});
        must_end(&s, VKS_REASON_DIVERGED);
        must_tell(&s, "the residual grows by ");
        must_contract(&s, radius, 1e-5 * radius);
        cr_expect_leq(s.report.iterations, 320, "%u iterations", s.report.iterations);
        cr_expect(strstr(s.report.warning, "A is not diagonally dominant: in row "), "%s", s.report.warning);
    }
}

TestOnHost(jacobi, growth_beyond_the_range_of_the_precision_is_divergence)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(50, -1, 0x1p-70, -1);
    double b[50] = {[20] = 1};
    OWNED_STRUCT(solved) s = jacobi(c, &A, b, PRECISION_F32, (vks_solve_options){0});
    cr_expect_eq(s.report.reason, VKS_REASON_DIVERGED);
    must_tell(&s, "left the range of its precision in the 8 iterations before 8");
    cr_expect(isnan(s.report.contraction));
}

/* A is positive definite. I - w D^-1 A diverges with w = 1, and converges with the weight from the bound. */
TestOnHost(jacobi, the_automatic_weight_converges_where_one_does_not)
{
    enum { N = 12 };
    OWNED_STRUCT(host_csr) A = new_csr(N, N, N * N);
    double b[N];
    for (uint32_t i = 0, k = 0; i < N; i++) { /* eigenvalues 0.5 and 0.5 + N */
        b[i] = i % 3;
        for (uint32_t j = 0; j < N; j++, k++) {
            A.col[k] = j;
            A.val[k] = i == j ? 1.5 : 1;
        }
        A.row[i + 1] = k;
    }
    OWNED_STRUCT(solved) s = jacobi(c, &A, b, PRECISION_F64, (vks_solve_options){0});
    must_end(&s, VKS_REASON_DIVERGED);
    cr_expect(
        strstr(s.report.warning, "the other entries are 7.333 times the diagonal entry; Jacobi may not"),
        "%s", s.report.warning);
    solved_free(&s);
    s = jacobi(c, &A, b, PRECISION_F64, (vks_solve_options){.weight = VKS_WEIGHT_AUTO});
    must_end(&s, VKS_REASON_CONVERGED);
    double weight = 4 / (3 * (1 + 11 / 1.5));
    cr_expect_float_eq(s.report.weight, weight, 1e-15);
    must_contract(&s, 1 - weight * 0.5 / 1.5, 1e-6);
    cr_expect(strstr(s.report.warning, "with this weight Jacobi converges if"), "%s", s.report.warning);
}

TestOnHost(jacobi, a_matrix_without_a_strictly_dominant_row_is_warned_of)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(30, -1, 2, -1);
    A.val[0] = 1;
    A.val[A.row[30] - 1] = 1;
    double b[30] = {[3] = 1};
    OWNED_STRUCT(solved) s = jacobi(c, &A, b, PRECISION_F64, (vks_solve_options){.max_iterations = 3});
    cr_expect(strstr(s.report.warning, "no row of A is strictly diagonally dominant"), "%s",
              s.report.warning);
    solved_free(&s);
    A.val[0] = 1.125;
    s = jacobi(c, &A, b, PRECISION_F64, (vks_solve_options){.max_iterations = 3});
    cr_expect_str_empty(s.report.warning);
    solved_free(&s);
    A.val[A.row[17]] = -1.5;
    s = jacobi(c, &A, b, PRECISION_F64, (vks_solve_options){.max_iterations = 3});
    cr_expect(strstr(s.report.warning, "in row 18, the worst, the other entries are 1.25 times"), "%s",
              s.report.warning);
    solved_free(&s);
    uint32_t order[30] = {[17] = 3};
    s = jacobi(c, &A, b, PRECISION_F64, (vks_solve_options){.max_iterations = 3, .order = order});
    cr_expect(strstr(s.report.warning, "in row 4, the worst"), "%s", s.report.warning);
}

/* The limit is anywhere in a sweep; the reported number of iterations is what is needed. */
TestOnHost(jacobi, the_limit_is_kept_to_the_iteration_and_the_need_is_reported)
{
    OWNED_STRUCT(host_csr) A = model("poisson2d", 9);
    double b[81];
    for (int i = 0; i < 81; i++)
        b[i] = 1;
    OWNED_STRUCT(solved) all = jacobi(c, &A, b, PRECISION_F64, (vks_solve_options){.history_capacity = 1000});
    must_end(&all, VKS_REASON_CONVERGED);
    for (uint32_t limit = 1; limit < 300; limit += limit < 20 ? 1 : 47) {
        OWNED_STRUCT(solved) s = jacobi(c, &A, b, PRECISION_F64,
                                        (vks_solve_options){.max_iterations = limit, .history_capacity = 99});
        must_end(&s, VKS_REASON_ITERATION_LIMIT);
        cr_expect_eq(s.report.iterations, limit);
        must_tell(&s, "an iteration multiplies the residual by 0.");
        must_equal(s.history, all.history, limit / JACOBI_SWEEP, "the history so far");
    }
    OWNED_STRUCT(solved) s = jacobi(c, &A, b, PRECISION_F64, (vks_solve_options){.max_iterations = 200});
    const char *about = strstr(s.report.detail, "about ");
    double needed = about ? strtod(about + 6, NULL) : 0;
    cr_expect(fabs(needed - all.report.iterations) <= 10, "%g instead of %u", needed, all.report.iterations);
}

TestOnHost(jacobi, what_f32_cannot_reach_stagnates)
{
    OWNED_STRUCT(host_csr) A = model("poisson2d", 12);
    OWNED(double) *b = right_side(&A);
    OWNED_STRUCT(solved) s =
        jacobi(c, &A, b, PRECISION_F32, (vks_solve_options){.rtol = 1e-12, .max_iterations = 50000});
    must_end(&s, VKS_REASON_STAGNATED);
    must_tell(&s, "no longer by less");
    cr_expect_lt(s.report.true_residual, 1e-5);
    cr_expect_lt(s.report.iterations, 6000);
}

TestEverywhere(jacobi, the_row_of_a_diagonal_entry_that_is_zero_is_named)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(600, -1, 4, -1);
    double b[600] = {[3] = 1};
    uint32_t at = A.row[400] + 1;
    A.val[at] = -4; /* harmless */
    OWNED_STRUCT(solved) s = jacobi(c, &A, b, p, (vks_solve_options){0});
    must_end(&s, VKS_REASON_CONVERGED);
    solved_free(&s);
    A.val[at] = 0;
    s = jacobi(c, &A, b, p, (vks_solve_options){0});
    must_end(&s, VKS_REASON_ZERO_DIAGONAL);
    must_tell(&s, "row 401 has a zero or missing diagonal entry");
    cr_expect_eq(s.report.row, 400);
    cr_expect_eq(s.report.iterations, 0);
    solved_free(&s);
    A.val[at] = INFINITY;
    s = jacobi(c, &A, b, p, (vks_solve_options){0});
    cr_expect_eq(s.report.reason, VKS_REASON_NOT_FINITE);
    must_tell(&s, "row 401 has a diagonal entry that is not finite");
}

static int cancel(void *user, const vks_progress *p)
{
    (void)p;
    return --*(int *)user == 0;
}

TestOnHost(jacobi, a_cancelled_solve_has_the_residuals_that_were_looked_at)
{
    OWNED_STRUCT(host_csr) A = model("poisson2d", 20);
    OWNED(double) *b = right_side(&A);
    int calls = 2;
    vks_solve_options o = {.method = VKS_METHOD_JACOBI,
                           .progress = cancel,
                           .user = &calls,
                           .rtol = 1e-12,
                           .history_capacity = 99};
    struct problem q = {.A = &A, .b = b, .p = PRECISION_F64, .options = o};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CANCELLED);
    cr_expect_gt(s.report.iterations, 0);
}

/* All formats, both devices, threads and groups: the same bits. */
static void compare_everywhere(enum precision p)
{
    OWNED_STRUCT(host_csr) A = random_spd(stored_precision(p), 1000, 5);
    OWNED(double) *b = random_vector(p, 1000, 2, 6);
    vks_solve_options o = {
        .method = VKS_METHOD_JACOBI, .max_iterations = 21, .rtol = 1e-12, .history_capacity = 9};
    struct problem q = {.A = &A, .b = b, .p = p, .options = o};
    vks_context *c[] = {open_host(), open_gpu(),
                        open_context(gpu_name(), (struct device_options){.max_groups = 3})};
    OWNED_STRUCT(solved) want = solve_in(c[0], &q, VKS_FORMAT_CSR);
    must_end(&want, VKS_REASON_ITERATION_LIMIT);
    cr_expect_eq(want.report.history_count, 3);
    static const vks_format formats[] = {VKS_FORMAT_CSR, VKS_FORMAT_SELL, VKS_FORMAT_BALANCED, VKS_FORMAT_BSR,
                                         VKS_FORMAT_COO};
    for (int i = 0; i < 3; i++)
        for (int f = 0; f < (i == 2 ? 1 : 5); f++) {
            OWNED_STRUCT(solved) s = solve_in(c[i], &q, formats[f]);
            must_match(&s, &want, 1000, vks_format_name(formats[f]));
            cr_expect(same_bits(s.report.contraction, want.report.contraction));
        }
    for (int i = 0; i < 3; i++)
        close_context(c[i]);
}

Test(jacobi, has_the_same_bits_on_all_devices_and_in_all_formats)
{
    compare_everywhere(PRECISION_F32);
    compare_everywhere(PRECISION_F64);
}

/* As solvers/method/jacobi.c counts: the matrix (rows of one lane), 2n and 5n, and an eighth of 2n. */
TestOnHost(jacobi, an_iteration_has_the_bytes_that_are_billed)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, 512, 3);
    double *b = random_vector(PRECISION_F64, 512, 3, 4), entries = (double)host_csr_entries(&A);
    struct problem q = {
        .A = &A, .b = b, .p = PRECISION_F64, .options = {.method = VKS_METHOD_JACOBI, .max_iterations = 3}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    cr_expect_eq(s.report.dispatches_per_iteration, 2);
    cr_expect_eq(s.report.bytes_per_iteration, 12 * entries + 4 * 513 + 7.25 * 8 * 512, "%g bytes",
                 s.report.bytes_per_iteration);
    free(b);
}

TestOnHost(jacobi, options_that_do_not_go_together_are_refused)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(9, -1, 2, -1);
    OWNED(vks_matrix) *m = matrix_from(c, &A, NULL);
    double ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, ones, 9), *x = vector_of(c, PRECISION_F64, NULL, 9);
    const struct {
        vks_solve_options options;
        const char *part;
    } wrong[] = {{{.weight = -0.5}, "the weight, -0.5"},
                 {{.weight = NAN}, "the weight, nan"},
                 {{.weight = INFINITY}, "the weight, inf"},
                 {{.precond = VKS_PRECOND_JACOBI}, "jacobi takes no preconditioner"}};
    for (int i = 0; i < 4; i++)
        must_refuse(c, vks_jacobi_solve(m, b, x, &wrong[i].options, NULL), VKS_INVALID_ARGUMENT,
                    wrong[i].part);
    must_refuse(c, vks_cg_solve(m, b, x, &(vks_solve_options){.weight = 0.5}, NULL), VKS_INVALID_ARGUMENT,
                "cg has no weight");
    vks_solve_report r;
    must_work(c, vks_jacobi_solve(m, b, x, &(vks_solve_options){.precond = VKS_PRECOND_NONE}, &r));
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
}
