/* Methods other than cg that iterate in f32, and refine an x in f64 or, on devices without 64-bit floats, in
 * pairs of floats. solve() checks each true residual, computed from x in long double. */
#include "device/pair.h"
#include "small_matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/unsymmetric.h"
#include "vksolve/kept_solver.h"
#include "vksolve/plan.h"

enum { N = 400 };

static double in_pairs_too(double v)
{
    return pair_value(pair_of(v));
}

/* A system whose values f32 cannot hold, and pairs of floats can. */
struct given {
    struct host_csr A;
    double *b;
};

static struct given given_of(struct host_csr A)
{
    double *x = random_vector(PRECISION_F64, A.rows, 1, 9), *b = room(A.rows, 8);
    for (uint32_t k = 0; k < host_csr_entries(&A); k++)
        A.val[k] = in_pairs_too(A.val[k]);
    host_multiply(&A, x, b);
    for (uint32_t i = 0; i < A.rows; i++)
        b[i] = in_pairs_too(b[i]);
    free(x);
    return (struct given){A, b};
}

static void given_free(struct given *s)
{
    host_csr_free(&s->A);
    free(s->b);
}

static struct given unsymmetric(uint32_t n)
{
    return given_of(random_unsymmetric(PRECISION_F64, n, n));
}

/* Half of the eigenvalues are negative. */
static struct given indefinite(uint32_t n)
{
    struct host_csr A = tridiagonal(n, 1 / 3.0, 3.3, 1 / 3.0);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            if (A.col[k] == i && i % 2)
                A.val[k] = -A.val[k];
    return given_of(A);
}

static vks_context *open_narrow(const char *device)
{
    return open_context(device, (struct device_options){.without_f64 = true});
}

static struct problem problem_of(const struct given *s, vks_method method, vks_solve_options o)
{
    o.method = method;
    o.history_capacity = 4000;
    return (struct problem){.A = &s->A, .b = s->b, .p = PRECISION_F64, .options = o};
}

static void must_refine(const struct solved *s, bool in_pairs)
{
    must_end(s, VKS_REASON_CONVERGED);
    cr_expect_eq(s->report.iterated_in, VKS_F32);
    cr_expect_eq(s->report.in_pairs, in_pairs);
    cr_expect_eq(s->report.rounded, 1);
    cr_expect_geq(s->report.refinements, 2);
}

/* f32 alone ends far from the tolerance. */
static void reach_what_f32_does_not(vks_method method, const struct given *s)
{
    struct problem q = problem_of(s, method, (vks_solve_options){.rtol = 1e-11, .iterate_in_f32 = 1}),
                   narrow = q;
    OWNED(vks_context) *c = open_host(), *d = open_narrow("host");
    OWNED_STRUCT(solved) a = solve(c, &q);
    must_refine(&a, false);
    q.options.iterate_in_f32 = 0; /* pairs have no other method */
    OWNED_STRUCT(solved) b = solve(d, &q);
    must_refine(&b, true);
    for (uint32_t k = 0; k < host_csr_entries(&s->A); k++)
        s->A.val[k] = (float)s->A.val[k];
    for (uint32_t i = 0; i < s->A.rows; i++)
        s->b[i] = (float)s->b[i];
    narrow.p = PRECISION_F32;
    narrow.options.iterate_in_f32 = 0;
    OWNED_STRUCT(solved) alone = solve(c, &narrow);
    cr_expect_neq(alone.report.reason, VKS_REASON_CONVERGED);
    cr_expect_gt(alone.report.true_residual, 1e-9);
}

Test(refined, each_method_reaches_a_residual_that_f32_does_not)
{
    static const vks_method methods[] = {VKS_METHOD_IDR, VKS_METHOD_BICGSTAB, VKS_METHOD_GMRES,
                                         VKS_METHOD_MINRES};
    for (int k = 0; k < 4; k++) {
        OWNED_STRUCT(given) s = methods[k] == VKS_METHOD_MINRES ? indefinite(N) : unsymmetric(N);
        reach_what_f32_does_not(methods[k], &s);
    }
}

/* Preconditioners in f32, including those without a separate kernel. */
static void refine_with(vks_context *c, const struct given *s, vks_precond_kind precond, bool in_pairs)
{
    struct problem q = problem_of(
        s, VKS_METHOD_IDR, (vks_solve_options){.precond = precond, .rtol = 1e-10, .iterate_in_f32 = 1});
    OWNED_STRUCT(solved) a = solve(c, &q);
    must_refine(&a, in_pairs);
}

Test(refined, idr_takes_preconditioners_in_f32)
{
    static const vks_precond_kind kinds[] = {VKS_PRECOND_NONE, VKS_PRECOND_BLOCK_JACOBI, VKS_PRECOND_FSAI,
                                             VKS_PRECOND_ILUT, VKS_PRECOND_AMG};
    OWNED_STRUCT(given) s = unsymmetric(N), m = given_of(tridiagonal(N, -1.1, 2.3, -0.9)); /* an M-matrix */
    OWNED(vks_context) *c = open_host(), *d = open_narrow("host");
    for (int k = 0; k < 5; k++) {
        const struct given *of = kinds[k] == VKS_PRECOND_AMG ? &m : &s;
        refine_with(c, of, kinds[k], false);
        refine_with(d, of, kinds[k], true);
    }
}

static void compare(vks_context *host, vks_context *gpu, vks_method method)
{
    static const uint32_t sizes[] = {33, 257, 1025};
    static const vks_precond_kind kinds[] = {VKS_PRECOND_JACOBI, VKS_PRECOND_NONE, VKS_PRECOND_BLOCK_JACOBI};
    bool of_minres = method == VKS_METHOD_MINRES;
    for (int k = 0; k < 3; k++) {
        OWNED_STRUCT(given) s = of_minres ? indefinite(sizes[k]) : unsymmetric(sizes[k]);
        vks_solve_options o = {.scaling = VKS_SCALING_NONE,
                               .precond = of_minres ? VKS_PRECOND_ROW_SUM : kinds[k],
                               .rtol = 1e-11,
                               .iterate_in_f32 = 1};
        struct problem q = problem_of(&s, method, o);
        OWNED_STRUCT(solved) a = solve_on_both(host, gpu, &q, vks_method_name(method));
        must_end(&a, VKS_REASON_CONVERGED);
    }
    close_context(host);
    close_context(gpu);
}

Test(refined, host_and_gpu_give_the_same_bits_in_f64)
{
    compare(open_host(), open_gpu(), VKS_METHOD_IDR);
}

Test(refined, host_and_gpu_give_the_same_bits_in_pairs)
{
    compare(open_narrow("host"), open_narrow(gpu_name()), VKS_METHOD_IDR);
}

Test(refined, host_and_gpu_give_the_same_bits_by_minres)
{
    compare(open_narrow("host"), open_narrow(gpu_name()), VKS_METHOD_MINRES);
}

/* Scales go down to 2^-20; if `shifted`, row i is moved to the previous row's place. */
static struct given badly_scaled(bool shifted)
{
    struct host_csr A = random_unsymmetric(PRECISION_F64, N, 77), B = new_csr(N, N, A.row[N]);
    for (uint32_t i = 0, at = 0; i < N; i++) {
        uint32_t from = (i + shifted) % N;
        for (uint32_t k = A.row[from]; k < A.row[from + 1]; k++, at++) {
            B.col[at] = A.col[k];
            B.val[at] = ldexp(A.val[k], -(int)(i % 21));
        }
        B.row[i + 1] = at;
    }
    host_csr_free(&A);
    return given_of(B);
}

/* A narrow mixed matrix needs no copy in f32 except for the scaled system, whose values are not rounded
 * either. */
TestOnHost(refined, the_scaled_system_is_in_f32)
{
    static const vks_scaling scalings[] = {VKS_SCALING_RUIZ, VKS_SCALING_MATCH};
    for (int k = 0; k < 4; k++) {
        OWNED_STRUCT(given) s = badly_scaled(k % 2);
        for (uint32_t e = 0; e < host_csr_entries(&s.A); e++)
            s.A.val[e] = (float)s.A.val[e];
        struct problem q =
            problem_of(&s, VKS_METHOD_IDR,
                       (vks_solve_options){.scaling = scalings[k % 2], .rtol = 1e-10, .iterate_in_f32 = 1});
        q.p = k < 2 ? PRECISION_MIXED : PRECISION_F64;
        OWNED_STRUCT(solved) a = solve(c, &q);
        must_end(&a, VKS_REASON_CONVERGED);
        cr_expect_eq(a.report.scaling, scalings[k % 2]);
        cr_expect_eq(a.report.rounded, k >= 2);
    }
}

/* New values reach the rounded copy, the scaled system derived from it, and the preconditioner. */
static void solve_again(vks_context *c, vks_scaling scaling)
{
    struct given s = unsymmetric(N);
    vks_matrix *A = put_on(c, &s.A, PRECISION_F64, VKS_FORMAT_AUTO);
    vks_vector *b = put_vector(c, s.b, N, PRECISION_F64), *x = put_vector(c, s.b, N, PRECISION_F64),
               *y = put_vector(c, s.b, N, PRECISION_F64);
    vks_solve_options o = {
        .method = VKS_METHOD_IDR, .scaling = scaling, .rtol = 1e-10, .iterate_in_f32 = 1, .zero_guess = 1};
    vks_solver *solver = NULL;
    must_work(c, vks_solver_create(A, &o, &solver));
    for (int turn = 0; turn < 3; turn++) {
        double got[2][N];
        vks_solve_report r, t;
        for (uint32_t k = 0; turn && k < host_csr_entries(&s.A); k++)
            s.A.val[k] = in_pairs_too(s.A.val[k] * (turn == 1 ? 1.1 : k % 3 + 1.0));
        must_work(c, vks_matrix_set_values(A, VKS_F64, s.A.val));
        must_work(c, vks_solver_solve(solver, b, x, &r));
        must_work(c, vks_solve(A, b, y, &o, &t));
        cr_expect_eq(r.reason, t.reason, "%s and %s", vks_reason_name(r.reason), vks_reason_name(t.reason));
        cr_expect_eq(r.iterations, t.iterations);
        cr_expect(turn == 2 || r.reason == VKS_REASON_CONVERGED, "turn %d: %s", turn,
                  vks_reason_name(r.reason));
        must_work(c, vks_vector_read(x, 0, N, VKS_F64, got[0]));
        must_work(c, vks_vector_read(y, 0, N, VKS_F64, got[1]));
        must_equal(got[0], got[1], N, "a solver's x");
    }
    vks_solver_destroy(solver);
    vks_vector_destroy(b);
    vks_vector_destroy(x);
    vks_vector_destroy(y);
    vks_matrix_destroy(A);
    given_free(&s);
    close_context(c);
}

Test(refined, a_solver_that_is_kept_gives_the_same_bits_for_new_values)
{
    solve_again(open_host(), VKS_SCALING_NONE);
    solve_again(open_host(), VKS_SCALING_MATCH);
    solve_again(open_narrow("host"), VKS_SCALING_AUTO);
    solve_again(open_narrow("host"), VKS_SCALING_MATCH);
}

Test(refined, methods_say_whether_they_refine)
{
    static const vks_method refine[] = {VKS_METHOD_AUTO,   VKS_METHOD_CG,       VKS_METHOD_IDR,
                                        VKS_METHOD_MINRES, VKS_METHOD_BICGSTAB, VKS_METHOD_GMRES};
    int count = 0;
    for (int k = 0; k < VKS_METHOD_COUNT_; k++)
        count += vks_method_refines((vks_method)k);
    cr_expect_eq(count, 6);
    for (int k = 0; k < 6; k++)
        cr_expect(vks_method_refines(refine[k]), "%s", vks_method_name(refine[k]));
    cr_expect_not(vks_method_refines(VKS_METHOD_COUNT_));
}

/* The copy in f32 decides the method, and all strategies refine. */
static void choose(vks_context *c, const struct given *s, vks_method first, bool in_pairs)
{
    OWNED(vks_matrix) *A = put_on(c, &s->A, PRECISION_F64, VKS_FORMAT_AUTO);
    OWNED(vks_vector) *b = put_vector(c, s->b, N, PRECISION_F64), *x = put_vector(c, s->b, N, PRECISION_F64);
    vks_solve_options o = {.zero_guess = 1, .rtol = 1e-10, .iterate_in_f32 = !in_pairs};
    vks_solve_report r;
    double got[N];
    must_work(c, vks_solve(A, b, x, &o, &r));
    must_work(c, vks_vector_read(x, 0, N, VKS_F64, got));
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s", vks_reason_name(r.reason));
    cr_expect_eq(r.attempt[0].method, first, "%s", vks_method_name(r.attempt[0].method));
    cr_expect_eq(r.iterated_in, VKS_F32);
    cr_expect_eq(r.in_pairs, in_pairs);
    cr_expect_leq(precise_residual(&s->A, got, s->b), 1e-10 * (1 + 1e-6));
}

Test(refined, auto_chooses_the_method_and_iterates_in_f32)
{
    OWNED_STRUCT(given) s = unsymmetric(N), t = indefinite(N),
                        u = given_of(tridiagonal(N, -1 / 3.0, 0.7, -1 / 3.0));
    OWNED(vks_context) *c = open_host(), *d = open_narrow("host");
    choose(c, &s, VKS_METHOD_IDR, false);
    choose(d, &s, VKS_METHOD_IDR, true);
    choose(c, &t, VKS_METHOD_MINRES, false);
    choose(d, &t, VKS_METHOD_MINRES, true);
    choose(c, &u, VKS_METHOD_CG, false);
    choose(d, &u, VKS_METHOD_CG, true);
}

/* No strategy solves a system whose first rows are equal and whose right-hand sides differ. Elimination and
 * LSMR are the last applicable ones. */
static vks_solve_report attempt_all(vks_context *c, bool in_pairs)
{
    enum { FEW = 20 };
    OWNED_STRUCT(host_csr) A = tridiagonal(FEW, -1, 4, 2);
    double b[FEW];
    const double first[] = {A.val[0], A.val[1], 0};
    for (uint32_t k = A.row[1]; k < A.row[2]; k++)
        A.val[k] = first[k - A.row[1]];
    for (int i = 0; i < FEW; i++)
        b[i] = 1 + i;
    OWNED(vks_matrix) *m = put_on(c, &A, PRECISION_F64, VKS_FORMAT_CSR);
    OWNED(vks_vector) *vb = put_vector(c, b, FEW, PRECISION_F64), *vx = put_vector(c, b, FEW, PRECISION_F64);
    vks_solve_report r;
    vks_solve_options o = {.zero_guess = 1, .iterate_in_f32 = !in_pairs, ANYWHERE};
    must_work(c, vks_solve(m, vb, vx, &o, &r));
    cr_expect_neq(r.reason, VKS_REASON_CONVERGED);
    cr_assert_geq(r.attempts, 2, "%s: %s", r.choice, r.detail);
    cr_expect_eq(r.attempt[r.attempts - 2].method, VKS_METHOD_GAUSS_JORDAN);
    return r;
}

Test(refined, auto_leaves_out_and_names_what_needs_64_bit_floats)
{
    OWNED(vks_context) *c = open_host(), *d = open_narrow("host");
    vks_solve_report r = attempt_all(c, false), s = attempt_all(d, true);
    cr_expect_eq(r.reason, VKS_REASON_SINGULAR, "%s", vks_reason_name(r.reason));
    cr_expect_eq(s.attempts, r.attempts);
    cr_expect(strstr(s.warning, "left out: gauss-jordan, lsmr: ") && strstr(s.warning, "no 64-bit floats"),
              "%s", s.warning);
}

Test(refined, the_plan_in_pairs_is_that_of_f64)
{
    OWNED(vks_context) *c = open_host(), *d = open_narrow("host");
    OWNED_STRUCT(given) s = unsymmetric(N);
    OWNED(vks_matrix) *A = put_on(c, &s.A, PRECISION_F64, VKS_FORMAT_CSR),
                      *B = put_on(d, &s.A, PRECISION_F64, VKS_FORMAT_CSR);
    vks_plan p, q;
    must_work(c, vks_solve_plan(A, &(vks_solve_options){ANYWHERE}, &p));
    must_work(d, vks_solve_plan(B, &(vks_solve_options){ANYWHERE}, &q));
    cr_expect(p.count == q.count && p.square == q.square && p.symmetric == q.symmetric && p.weak == q.weak);
    for (uint32_t k = 0; k < p.count; k++)
        cr_expect_eq(p.row[k].applies, q.row[k].applies, "row %u", k);
}
