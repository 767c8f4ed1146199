/* What must not change a bit of a solve: the device's limits, threads, and powers of two; and refusals. */
#include "small_matrix.h"
#include "tests/support/solve.h"

/* Solves the problem on a device opened with these options and this many threads. */
static struct solved solve_on(const char *device, struct device_options o, uint32_t threads,
                              const struct problem *q)
{
    o.threads = threads;
    OWNED(vks_context) *c = open_context(device, o);
    return solve(c, q);
}

static void must_be_the_same_everywhere(enum precision p)
{
    OWNED_STRUCT(host_csr) A = model("poisson2d", 77);
    OWNED(double) *b = random_vector(p, A.rows, 2, 1);
    struct problem q = {&A, b, NULL, p, {.rtol = 1e-5, .max_iterations = 120, .history_capacity = 120}};
    struct device_options plain = {0}, few = {.max_groups = 3}, one = {.max_groups = 1},
                          base = {.host_isa = "base"};
    struct solved want = solve_on("host", plain, 1, &q),
                  others[] = {solve_on("host", plain, 2, &q),     solve_on("host", plain, 3, &q),
                              solve_on("host", plain, 8, &q),     solve_on("host", base, 2, &q),
                              solve_on(gpu_name(), plain, 2, &q), solve_on(gpu_name(), few, 2, &q),
                              solve_on(gpu_name(), one, 2, &q)};
    static const char *const names[] = {"two threads", "three threads", "eight threads", "base",
                                        "lavapipe",    "three groups",  "one group"};
    cr_expect_gt(want.report.iterations, 20);
    for (int i = 0; i < 7; i++) {
        must_match(&others[i], &want, A.rows, names[i]);
        solved_free(&others[i]);
    }
    solved_free(&want);
}

Test(solver_bits, depend_on_neither_threads_nor_workgroups_nor_batches_in_f32)
{
    must_be_the_same_everywhere(PRECISION_F32);
}

Test(solver_bits, depend_on_neither_threads_nor_workgroups_nor_batches_in_f64)
{
    must_be_the_same_everywhere(PRECISION_F64);
}

/* A 2^a x' = b 2^b has the solution x 2^(b - a): every operation is scaled exactly. */
static void scale(const char *device, enum precision p, int a, int b, vks_precond_kind precond)
{
    enum { N = 400 };
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F32, N, 5), scaled = random_spd(PRECISION_F32, N, 5);
    OWNED(double) *right = random_vector(PRECISION_F32, N, 2, 6), *scaled_right = room(N, 8);
    for (size_t k = 0; k < host_csr_entries(&A); k++)
        scaled.val[k] = ldexp(A.val[k], a);
    for (int i = 0; i < N; i++)
        scaled_right[i] = ldexp(right[i], b);
    vks_solve_options o = {
        .rtol = p == PRECISION_F32 ? 1e-4 : 1e-8, .precond = precond, .history_capacity = 200};
    struct problem q = {&A, right, NULL, p, o}, r = {&scaled, scaled_right, NULL, p, o};
    OWNED(vks_context) *c = open_context(device, (struct device_options){0});
    OWNED_STRUCT(solved) s = solve(c, &q), t = solve(c, &r);
    for (int i = 0; i < N; i++)
        s.x[i] = ldexp(s.x[i], b - a);
    char what[80];
    snprintf(what, sizeof what, "A times 2^%d, b times 2^%d, preconditioner %d", a, b, (int)precond);
    must_end(&s, VKS_REASON_CONVERGED);
    must_match(&s, &t, N, what);
}

static void scale_all(const char *device, enum precision p, int most)
{
    static const int signs[][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, -1}};
    for (int i = 0; i < 6; i++)
        for (int precond = VKS_PRECOND_NONE; precond <= VKS_PRECOND_JACOBI; precond++)
            scale(device, p, signs[i][0] * most, signs[i][1] * most, (vks_precond_kind)precond);
}

Test(solver_bits, of_f64_are_scaled_exactly_by_powers_of_two_up_to_300)
{
    scale_all("host", PRECISION_F64, 300);
    scale("host", PRECISION_F64, 300, -300, VKS_PRECOND_JACOBI);
    scale("host", PRECISION_F64, -300, 300, VKS_PRECOND_JACOBI);
    scale(gpu_name(), PRECISION_F64, 300, 300, VKS_PRECOND_JACOBI);
}

Test(solver_bits, of_f32_are_scaled_exactly_by_powers_of_two_up_to_60)
{
    scale_all("host", PRECISION_F32, 60);
    scale(gpu_name(), PRECISION_F32, -60, -60, VKS_PRECOND_JACOBI);
}

/* A 2 x 2 system with one thing wrong. */
struct parts {
    vks_context *c, *other;
    vks_matrix *A, *wide;
    vks_vector *b, *x, *longer, *narrow, *foreign;
};

static struct parts make_parts(void)
{
    static const uint32_t row[] = {0, 1, 2}, col[] = {0, 1};
    static const double val[] = {1, 2};
    struct parts t = {.c = open_host(), .other = open_host()};
    must_work(t.c, vks_matrix_from_csr(t.c, 2, 2, row, col, val, NULL, &t.A));
    must_work(t.c, vks_matrix_from_csr(t.c, 2, 3, row, col, val, NULL, &t.wide));
    must_work(t.c, vks_vector_create(t.c, 2, VKS_F64, &t.b));
    must_work(t.c, vks_vector_create(t.c, 2, VKS_F64, &t.x));
    must_work(t.c, vks_vector_create(t.c, 3, VKS_F64, &t.longer));
    must_work(t.c, vks_vector_create(t.c, 2, VKS_F32, &t.narrow));
    must_work(t.other, vks_vector_create(t.other, 2, VKS_F64, &t.foreign));
    must_work(t.c, vks_vector_fill(t.b, 1));
    return t;
}

static void parts_free(struct parts *t)
{
    vks_matrix_destroy(t->A);
    vks_matrix_destroy(t->wide);
    vks_vector_destroy(t->b);
    vks_vector_destroy(t->x);
    vks_vector_destroy(t->longer);
    vks_vector_destroy(t->narrow);
    vks_vector_destroy(t->foreign);
    close_context(t->c);
    close_context(t->other);
}

Test(solver_bits, are_not_computed_for_systems_whose_parts_do_not_fit)
{
    OWNED_STRUCT(parts) t = make_parts();
    const struct {
        vks_matrix *A;
        vks_vector *b, *x;
        const char *part;
    } cases[] = {{t.wide, t.b, t.longer, "A is 2 x 3; a solve needs a square matrix"},
                 {t.A, t.longer, t.x, "b has 3 elements and x has 2"},
                 {t.A, t.b, t.longer, "b has 2 elements and x has 3"},
                 {t.A, t.narrow, t.x, "differ in precision"},
                 {t.A, t.b, t.narrow, "differ in precision"},
                 {t.A, t.foreign, t.x, "different contexts"},
                 {t.A, t.b, t.foreign, "different contexts"},
                 {t.A, t.b, t.b, "b and x are the same vector"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        must_refuse(t.c, vks_cg_solve(cases[i].A, cases[i].b, cases[i].x, NULL, NULL), VKS_INVALID_ARGUMENT,
                    cases[i].part);
    must_work(t.c, vks_cg_solve(t.A, t.b, t.x, NULL, NULL));
}

Test(solver_bits, are_not_computed_with_options_out_of_range)
{
    OWNED_STRUCT(parts) t = make_parts();
    const vks_solve_options bad[] = {{.rtol = -1e-9},
                                     {.rtol = NAN},
                                     {.rtol = INFINITY},
                                     {.atol = -1},
                                     {.atol = NAN},
                                     {.atol = INFINITY},
                                     {.method = VKS_METHOD_COUNT_},
                                     {.precond = VKS_PRECOND_COUNT_},
                                     {.method = (vks_method)-1},
                                     {.precond = (vks_precond_kind)99}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        vks_solve_report r;
        must_refuse(t.c, vks_solve(t.A, t.b, t.x, &bad[i], &r), VKS_INVALID_ARGUMENT,
                    i < 6 ? "finite and not negative" : "unknown");
    }
}

Test(solver_bits, come_from_methods_that_have_names)
{
    cr_expect_str_eq(vks_method_name(VKS_METHOD_CG), "cg");
    cr_expect_str_eq(vks_method_name(VKS_METHOD_AUTO), "auto");
    cr_expect_str_eq(vks_precond_name(VKS_PRECOND_JACOBI), "jacobi");
    cr_expect_str_eq(vks_method_name(VKS_METHOD_COUNT_), "?");
    cr_expect_str_eq(vks_precond_name((vks_precond_kind)-1), "?");
    cr_expect_str_eq(vks_method_text((vks_method)-1), "?");
    cr_expect_str_eq(vks_precond_text(VKS_PRECOND_COUNT_), "?");
}
