/* Singular systems with a known null space. */
#include "small_matrix.h"
#include "tests/support/solve.h"

enum { W = 17, H = 23, N = W * H };

static void couple(struct host_csr *A, uint32_t i, uint32_t j, double weight)
{
    uint32_t k = A->row[i + 1]++;
    A->col[k] = j;
    A->val[k] = weight;
}

/* The 5-point Laplacian with Neumann boundaries, in `parts` disconnected strips. */
static struct host_csr neumann(uint32_t parts)
{
    struct host_csr A = new_csr(N, N, 5 * N);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t x = i % W, y = i / W, cut = H / parts;
        bool below = y > 0 && (parts == 1 || y % cut), above = y + 1 < H && (parts == 1 || (y + 1) % cut);
        A.row[i + 1] = A.row[i];
        if (below)
            couple(&A, i, i - W, -1);
        if (x > 0)
            couple(&A, i, i - 1, -2);
        couple(&A, i, i, below + above + 2.0 * (x > 0) + 2.0 * (x + 1 < W));
        if (x + 1 < W)
            couple(&A, i, i + 1, -2);
        if (above)
            couple(&A, i, i + W, -1);
    }
    return A;
}

/* Integers whose sum is zero. */
static double *without_mean(void)
{
    double *x = room(N, 8);
    for (uint32_t i = 0; i + 1 < N; i += 2) {
        x[i] = (double)(i * 7 % 13) - 6;
        x[i + 1] = -x[i];
    }
    return x;
}

static double error_of(const double *x, const double *want)
{
    double error = 0, size = 0;
    for (uint32_t i = 0; i < N; i++) {
        error += (x[i] - want[i]) * (x[i] - want[i]);
        size += want[i] * want[i];
    }
    return sqrt(error / size);
}

/* Solves from an x0 of ones, with `shift` added to a consistent b. */
static struct solved solve_neumann(vks_context *c, enum precision p, double shift, vks_solve_options o)
{
    OWNED_STRUCT(host_csr) A = neumann(1);
    OWNED(double) *want = without_mean(), *b = room(N, 8), *ones = room(N, 8);
    host_multiply(&A, want, b);
    double square = 0;
    for (uint32_t i = 0; i < N; i++) {
        square += b[i] * b[i];
        b[i] += shift;
        ones[i] = 1;
    }
    struct solved s = {.x = room(N, 8)};
    vks_matrix_options options = {.precision = p == PRECISION_F32 ? VKS_F32 : VKS_F64};
    OWNED(vks_matrix) *m = matrix_from(c, &A, &options);
    OWNED(vks_vector) *vb = vector_of(c, p, b, N), *vx = vector_of(c, p, ones, N);
    o.singular = 1;
    must_work(c, vks_solve(m, vb, vx, &o, &s.report));
    must_work(c, vks_vector_read(vx, 0, N, VKS_F64, s.x));
    must_end(&s, VKS_REASON_CONVERGED);
    double component = fabs(shift) * sqrt(N) / sqrt(square + shift * shift * N);
    cr_expect(fabs(s.report.null_component - component) <= 1e-6 * component + 1e-15, "%g, not %g",
              s.report.null_component, component);
    cr_expect_lt(error_of(s.x, want), 1e3 * (o.rtol > 0 ? o.rtol : p == PRECISION_F32 ? 1e-5 : 1e-8));
    double sum = 0;
    for (uint32_t i = 0; i < N; i++)
        sum += s.x[i];
    cr_expect_lt(fabs(sum), p == PRECISION_F32 ? 1e-2 : 1e-9, "the mean of x is %g", sum / N);
    return s;
}

TestEverywhere(null_space, a_neumann_problem_has_the_solution_without_mean)
{
    static const vks_solve_options all[] = {{.rtol = 0},
                                            {.precond = VKS_PRECOND_NONE},
                                            {.precond = VKS_PRECOND_BLOCK_JACOBI},
                                            {.method = VKS_METHOD_JACOBI, .weight = 0.7, .rtol = 1e-5},
                                            {.iterate_in_f32 = 1, .rtol = 1e-10}};
    for (int i = 0; i < (p == PRECISION_F32 ? 4 : 5); i++) {
        OWNED_STRUCT(solved) s = solve_neumann(c, p, 0, all[i]);
        cr_expect(s.report.null_component < 1e-12);
    }
}

TestEverywhere(null_space, a_right_hand_side_without_a_solution_is_reported_and_its_part_left_out)
{
    struct solved s = solve_neumann(c, p, 3, (vks_solve_options){0});
    cr_expect(strstr(s.report.warning, "A x = b has no solution"), "%s", s.report.warning);
    solved_free(&s);
    OWNED_STRUCT(solved) consistent = solve_neumann(c, p, 0, (vks_solve_options){0});
    cr_expect_str_eq(consistent.report.warning, "");
}

Test(null_space, the_bits_are_the_same_on_all_devices)
{
    vks_context *c[2] = {open_host(), open_gpu()};
    static const vks_solve_options all[] = {{.rtol = 1e-9}, {.iterate_in_f32 = 1}};
    for (int i = 0; i < 2; i++) {
        OWNED_STRUCT(solved) a = solve_neumann(c[0], PRECISION_F64, 1, all[i]);
        OWNED_STRUCT(solved) b = solve_neumann(c[1], PRECISION_F64, 1, all[i]);
        must_match(&a, &b, N, "a Neumann problem");
        cr_expect(same_bits(a.report.null_component, b.report.null_component));
    }
    close_context(c[0]);
    close_context(c[1]);
}

/* A matrix, b, x and vectors for its null space. */
struct problem_of_parts {
    struct host_csr host;
    vks_matrix *A;
    vks_vector *b, *x, *v[3];
};

static struct problem_of_parts make_parts(vks_context *c, uint32_t parts)
{
    struct problem_of_parts q = {.host = neumann(parts)};
    OWNED(double) *v = room(N, 8);
    must_work(c, vks_matrix_from_csr(c, N, N, q.host.row, q.host.col, q.host.val, NULL, &q.A));
    q.b = vector_of(c, PRECISION_F64, NULL, N);
    q.x = vector_of(c, PRECISION_F64, NULL, N);
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < N; k++)
            v[k] = i == 0 ? 5 : k < i * (H / 2) * W ? i : 1.0 - i;
        q.v[i] = vector_of(c, PRECISION_F64, v, N);
    }
    return q;
}

static void problem_of_parts_free(struct problem_of_parts *q)
{
    for (int i = 0; i < 3; i++)
        vks_vector_destroy(q->v[i]);
    vks_vector_destroy(q->x);
    vks_vector_destroy(q->b);
    vks_matrix_destroy(q->A);
    host_csr_free(&q->host);
}

/* Removes the mean of each of the two strips of H / 2 rows, and of the rest. */
static void take_means_out(double *x)
{
    uint32_t strip = H / 2 * W;
    for (uint32_t first = 0; first < N; first += strip) {
        uint32_t end = first + strip < N ? first + strip : N;
        double sum = 0;
        for (uint32_t i = first; i < end; i++)
            sum += x[i];
        for (uint32_t i = first; i < end; i++)
            x[i] -= sum / (end - first);
    }
}

/* Disconnected strips: a null space of three vectors, which are not orthogonal. */
TestOnBoth(null_space, is_what_the_caller_gives)
{
    OWNED_STRUCT(problem_of_parts) q = make_parts(c, 2);
    OWNED(double) *want = without_mean(), *b = room(N, 8), *x = room(N, 8);
    host_multiply(&q.host, want, b);
    take_means_out(want);
    must_work(c, vks_vector_write(q.b, 0, N, VKS_F64, b));
    vks_solve_options o = {
        .singular = 1, .null_space = (const vks_vector *const *)q.v, .null_space_count = 3, .rtol = 1e-10};
    vks_solve_report reported;
    must_work(c, vks_cg_solve(q.A, q.b, q.x, &o, &reported));
    cr_expect_eq(reported.reason, VKS_REASON_CONVERGED, "%s", reported.detail);
    must_work(c, vks_vector_read(q.x, 0, N, VKS_F64, x));
    cr_expect_lt(error_of(x, want), 1e-8, "%g", error_of(x, want));
}

/* The squares of b and of its part in the null space exceed the range of doubles. */
static void with_values_near(vks_context *c, int exponent)
{
    OWNED_STRUCT(problem_of_parts) q = make_parts(c, 1);
    OWNED(double) *want = without_mean(), *b = room(N, 8), *x = room(N, 8);
    host_multiply(&q.host, want, b);
    for (uint32_t i = 0; i < N; i++) {
        b[i] = ldexp(b[i] + 1, exponent);
        want[i] = ldexp(want[i], exponent);
    }
    must_work(c, vks_vector_write(q.b, 0, N, VKS_F64, b));
    vks_solve_report reported;
    must_work(c, vks_cg_solve(q.A, q.b, q.x, &(vks_solve_options){.singular = 1}, &reported));
    cr_expect_eq(reported.reason, VKS_REASON_CONVERGED, "%s", reported.detail);
    must_work(c, vks_vector_read(q.x, 0, N, VKS_F64, x));
    for (uint32_t i = 0; i < N; i++) {
        x[i] = ldexp(x[i], -exponent);
        want[i] = ldexp(want[i], -exponent);
    }
    cr_expect_lt(error_of(x, want), 1e-6);
    cr_expect_lt(reported.iterations, 200);
    cr_expect(reported.null_component > 0 && reported.null_component < 1, "%g", reported.null_component);
}

TestOnBoth(null_space, is_kept_out_of_values_whose_squares_are_no_doubles)
{
    with_values_near(c, -600);
    with_values_near(c, 600);
}

/* The part of b in the null space is not representable. */
TestOnBoth(null_space, does_not_take_what_overflows_for_a_part_to_be_left_out)
{
    OWNED_STRUCT(problem_of_parts) q = make_parts(c, 1);
    vks_solve_report reported;
    must_work(c, vks_vector_fill(q.b, 1e308));
    must_work(c, vks_cg_solve(q.A, q.b, q.x, &(vks_solve_options){.singular = 1}, &reported));
    cr_expect_eq(reported.reason, VKS_REASON_NOT_FINITE, "%s", vks_reason_name(reported.reason));
}

static void refuse(vks_context *c, const struct problem_of_parts *q, vks_solve_options o, const char *part)
{
    vks_solve_report reported;
    must_refuse(c, vks_solve(q->A, q->b, q->x, &o, &reported), VKS_INVALID_ARGUMENT, part);
    cr_expect_eq(reported.reason, VKS_REASON_NOT_RUN);
}

TestOnBoth(null_space, that_is_none_is_refused)
{
    OWNED_STRUCT(problem_of_parts) q = make_parts(c, 1);
    OWNED(vks_context) *other = open_host();
    OWNED(vks_vector) *zero = vector_of(c, PRECISION_F64, NULL, N),
                      *few = vector_of(c, PRECISION_F64, NULL, 3);
    OWNED(vks_vector) *far = vector_of(other, PRECISION_F64, NULL, N);
    const vks_vector *v0[] = {q.v[1]}, *v1[] = {q.v[0], q.v[0]}, *v2[] = {zero}, *v3[] = {few}, *v4[] = {far};
    refuse(c, &q, (vks_solve_options){.singular = 1, .null_space = v0, .null_space_count = 1},
           "A times a vector of the null space is not zero");
    refuse(c, &q, (vks_solve_options){.singular = 1, .null_space = v1, .null_space_count = 2}, "vector 1 of");
    refuse(c, &q, (vks_solve_options){.singular = 1, .null_space = v2, .null_space_count = 1}, "vector 0 of");
    refuse(c, &q, (vks_solve_options){.singular = 1, .null_space = v3, .null_space_count = 1}, "3 elements");
    refuse(c, &q, (vks_solve_options){.singular = 1, .null_space = v4, .null_space_count = 1},
           "other context");
    refuse(c, &q, (vks_solve_options){.singular = 1, .null_space = v0}, "has no vectors");
    refuse(c, &q, (vks_solve_options){.singular = 1, .null_space = v0, .null_space_count = 17}, "at most 16");
    refuse(c, &q, (vks_solve_options){.null_space = v0, .null_space_count = 1}, "singular is not set");
    refuse(c, &q, (vks_solve_options){.singular = 1, .method = VKS_METHOD_GAUSS_JORDAN}, "gauss-jordan");
    vks_solve_options o = {.singular = 1};
    must_refuse(c, vks_fixed_point_solve(q.A, q.b, q.x, &o, NULL), VKS_INVALID_ARGUMENT, "the fixed point");
    q.host.val[0] += 1;
    must_work(c, vks_matrix_set_values(q.A, VKS_F64, q.host.val));
    refuse(c, &q, o, "A times the constant vector is not zero");
}

/* Positive definite, with entries whose squares exceed the range of floats or doubles. */
TestEverywhere(null_space, that_is_none_is_refused_at_any_scale)
{
    static const double scales[REAL_PRECISIONS][4] = {{0x1p-110, 0x1p-80, 0x1p70, 0x1p110},
                                                      {0x1p-1000, 0x1p-600, 0x1p560, 0x1p1010}};
    vks_matrix_options options = {.precision = public_precision(p)};
    vks_solve_options o = {.singular = 1};
    vks_solve_report reported;
    for (int k = 0; k < 4; k++) {
        OWNED_STRUCT(host_csr) A = tridiagonal(100, -scales[p][k], 3 * scales[p][k], -scales[p][k]);
        OWNED(vks_matrix) *m = matrix_from(c, &A, &options);
        OWNED(vks_vector) *b = vector_of(c, p, NULL, 100), *x = vector_of(c, p, NULL, 100);
        must_work(c, vks_vector_fill(b, scales[p][k]));
        must_refuse(c, vks_cg_solve(m, b, x, &o, &reported), VKS_INVALID_ARGUMENT,
                    "have the given null space");
    }
}

Test(null_space, needs_64_bit_floats_and_says_so)
{
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.without_f64 = true});
    OWNED_STRUCT(host_csr) A = neumann(1);
    vks_matrix_options f32 = {.precision = VKS_F32};
    OWNED(vks_matrix) *m = matrix_from(c, &A, &f32);
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F32, NULL, N), *x = vector_of(c, PRECISION_F32, NULL, N);
    vks_solve_options o = {.singular = 1};
    must_refuse(c, vks_cg_solve(m, b, x, &o, NULL), VKS_UNSUPPORTED, "64-bit floats");
}

/* b is only in the null space; or, in a solver, one case after the other. */
TestOnBoth(null_space, holds_all_of_a_constant_right_hand_side_and_is_kept_by_a_solver)
{
    OWNED_STRUCT(problem_of_parts) q = make_parts(c, 1);
    OWNED(double) *want = without_mean(), *b = room(N, 8), *x = room(N, 8);
    vks_solve_options o = {.singular = 1};
    OWNED(vks_solver) *solver;
    vks_solve_report reported;
    host_multiply(&q.host, want, b);
    must_work(c, vks_solver_create(q.A, &o, &solver));
    for (int i = 0; i < 3; i++) {
        if (i == 1)
            must_work(c, vks_vector_write(q.b, 0, N, VKS_F64, b));
        else
            must_work(c, vks_vector_fill(q.b, 4));
        must_work(c, vks_solver_solve(solver, q.b, q.x, &reported));
        cr_expect_eq(reported.reason, VKS_REASON_CONVERGED);
        cr_expect(fabs(reported.null_component - (i != 1)) < 1e-14, "%g", reported.null_component);
        must_work(c, vks_vector_read(q.x, 0, N, VKS_F64, x));
        for (uint32_t k = 0; k < N && i != 1; k++)
            cr_assert_eq(x[k], 0);
        cr_expect(i != 1 || error_of(x, want) < 1e-6);
    }
    q.host.val[0] += 1;
    must_work(c, vks_matrix_set_values(q.A, VKS_F64, q.host.val));
    must_refuse(c, vks_solver_solve(solver, q.b, q.x, &reported), VKS_INVALID_ARGUMENT,
                "have the given null space");
    q.host.val[0] -= 1;
    must_work(c, vks_matrix_set_values(q.A, VKS_F64, q.host.val));
    must_work(c, vks_solver_solve(solver, q.b, q.x, &reported));
}
