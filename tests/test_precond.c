/* Solves with composed preconditioners: a dense inverse, steps of a method, another one in f32. */
#include "tests/support/preconds.h"
#include "tests/support/repeated.h"
#include "vksolve/operator.h"

/* A x = b with a random x, under these options. */
struct system {
    struct host_csr A;
    double *b;
};

static struct system make_system(const char *kind, uint32_t size, enum precision p)
{
    struct system s = {.A = generated(kind, size)};
    uint32_t n = s.A.rows;
    for (uint32_t k = 0; k < s.A.row[n]; k++)
        s.A.val[k] = rounded(p, s.A.val[k]);
    OWNED(double) *x = random_vector(p, n, 2, 17);
    s.b = room(n, 8);
    host_multiply(&s.A, x, s.b);
    for (uint32_t i = 0; i < n; i++)
        s.b[i] = rounded(p, s.b[i]);
    return s;
}

static void system_free(struct system *s)
{
    free(s->b);
    host_csr_free(&s->A);
}

static struct problem problem(const struct system *s, enum precision p, const vks_precond_options *o)
{
    vks_solve_options options = {
        .precond_options = o, .rtol = p == PRECISION_F32 ? 1e-4 : 1e-9, .history_capacity = 300};
    return (struct problem){.A = &s->A, .b = s->b, .p = p, .options = options};
}

/* Solves on the host and on the GPU, with the same bits, and returns the report. */
static vks_solve_report solve_on_both(vks_context *const c[2], const struct system *s, enum precision p,
                                      const struct named_precond *M)
{
    struct problem q = problem(s, p, &M->options);
    OWNED_STRUCT(solved) host = solve(c[0], &q), gpu = solve(c[1], &q);
    must_end(&host, VKS_REASON_CONVERGED);
    must_match(&host, &gpu, s->A.rows, M->name);
    vks_solve_report r = host.report;
    cr_expect_eq(r.precond, M->options.kind);
    return r;
}

static void solve_with_all(const char *kind, uint32_t size)
{
    vks_context *c[2] = {open_host(), open_gpu()};
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        OWNED_STRUCT(system) s = make_system(kind, size, p);
        for (uint32_t i = 0; i < LINEAR_PRECONDS; i++) {
            vks_solve_report r = solve_on_both(c, &s, p, &linear_preconds[i]);
            bool exact = linear_preconds[i].options.kind == VKS_PRECOND_DENSE &&
                         (p == PRECISION_F32 || !linear_preconds[i].options.in_f32);
            cr_expect(!exact || r.iterations <= 2, "%u iterations with the inverse", r.iterations);
        }
    }
    close_context(c[0]);
    close_context(c[1]);
}

Test(precond, cg_solves_poisson_with_each_kind_with_equal_bits)
{
    solve_with_all("poisson3d", 5);
}

Test(precond, cg_solves_elasticity_with_each_kind_with_equal_bits)
{
    solve_with_all("elasticity3d", 3);
}

static uint32_t iterations(vks_context *c, const struct system *s, vks_precond_options o)
{
    struct problem q = problem(s, PRECISION_F64, &o);
    OWNED_STRUCT(solved) found = solve(c, &q);
    must_end(&found, VKS_REASON_CONVERGED);
    return found.report.iterations;
}

TestOnHost(precond, in_f32_it_takes_about_as_many_iterations)
{
    OWNED_STRUCT(system) s = make_system("elasticity3d", 9, PRECISION_F64);
    vks_precond_options blocks = by_blocks, inner = {.kind = VKS_PRECOND_INNER};
    vks_precond_options *all[] = {&blocks, &inner};
    for (int i = 0; i < 2; i++) {
        uint32_t in_f64 = iterations(c, &s, *all[i]);
        all[i]->in_f32 = 1;
        uint32_t in_f32 = iterations(c, &s, *all[i]);
        cr_expect(in_f64 > 20 && in_f32 <= 1.1 * in_f64, "%u iterations, and %u in f32", in_f64, in_f32);
    }
}

TestOnHost(precond, each_inner_step_saves_iterations)
{
    OWNED_STRUCT(system) s = make_system("poisson3d", 16, PRECISION_F64);
    uint32_t before = iterations(c, &s, (vks_precond_options){.kind = VKS_PRECOND_JACOBI});
    cr_expect_eq(iterations(c, &s, (vks_precond_options){.kind = VKS_PRECOND_INNER, .steps = 1}), before);
    for (uint32_t steps = 2; steps <= 8; steps *= 2) {
        uint32_t now = iterations(c, &s, (vks_precond_options){.kind = VKS_PRECOND_INNER, .steps = steps});
        cr_expect_lt(now, before, "%u iterations with %u steps, %u before", now, steps, before);
        before = now;
    }
}

/* b may be far outside the range of f32. */
TestOnHost(precond, a_power_of_two_times_b_gives_as_much_times_x)
{
    OWNED_STRUCT(system) s = make_system("poisson3d", 6, PRECISION_F64);
    for (uint32_t i = 0; i < LINEAR_PRECONDS; i++) {
        struct problem q = problem(&s, PRECISION_F64, &linear_preconds[i].options);
        OWNED_STRUCT(solved) plain = solve(c, &q);
        for (uint32_t k = 0; k < s.A.rows; k++)
            s.b[k] = ldexp(s.b[k], -600);
        OWNED_STRUCT(solved) small = solve(c, &q);
        for (uint32_t k = 0; k < s.A.rows; k++) {
            s.b[k] = ldexp(s.b[k], 600);
            small.x[k] = ldexp(small.x[k], 600);
        }
        must_equal(plain.x, small.x, s.A.rows, linear_preconds[i].name);
    }
}

/* With new values, it must have the bits of a new setup. A software device would take seconds for each dense
 * inverse of this size, and for the levels of multigrid. */
TestOnBoth(precond, refreshed_it_has_the_bits_of_one_that_is_made_again)
{
    bool is_host = c->device->info.kind == DEVICE_HOST;
    for (uint32_t i = 0; i < LINEAR_PRECONDS; i++)
        for (int mixed = 0; mixed < 2; mixed++) {
            bool is_dense = linear_preconds[i].options.kind == VKS_PRECOND_DENSE;
            uint32_t n = is_dense ? N / 3 : N;
            if (!is_host && (mixed || is_dense || linear_preconds[i].options.kind == VKS_PRECOND_AMG))
                continue;
            vks_matrix_options storage = {.precision = mixed ? VKS_MIXED : VKS_F64};
            struct host_csr A = tridiagonal(n, -1, 2.5, -1);
            vks_solve_options o = {.precond_options = &linear_preconds[i].options, .rtol = 1e-9};
            OWNED_STRUCT(repeated) r = make_repeated_of(c, A, storage, o);
            solve_twice(&r);
            for (int step = 1; step <= 2; step++) {
                for (uint32_t k = 0; k < A.row[n]; k++)
                    A.val[k] *= A.val[k] > 0 ? 1 + k % 5 / (mixed && step == 2 ? 3.0 : 4.0) : 1;
                must_work(c, vks_matrix_set_values(r.A, VKS_F64, A.val));
                must_work(c, vks_vector_fill(r.x, step));
                vks_solve_report report = solve_twice(&r);
                cr_expect(report.reason == VKS_REASON_CONVERGED && report.iterations > 0, "%s",
                          linear_preconds[i].name);
            }
        }
}

/* Options are read only while the solver is made, though it may repeat its setup later. */
TestOnHost(precond, a_kept_solver_needs_no_options_of_its_caller)
{
    struct host_csr A = tridiagonal(N, -1, 2.5, -1);
    vks_precond_options inner = {.kind = VKS_PRECOND_INNER, .steps = 2}, gone = inner;
    vks_solve_options o = {.precond_options = &gone};
    OWNED_STRUCT(repeated) r = make_repeated_of(c, A, (vks_matrix_options){.precision = VKS_MIXED}, o);
    memset(&gone, 0xff, sizeof gone);
    r.options.precond_options = &inner;
    solve_twice(&r);
    A.val[0] = 3 + 1e-9; /* no longer narrow: everything is set up again */
    must_work(c, vks_matrix_set_values(r.A, VKS_F64, A.val));
    must_work(c, vks_vector_fill(r.x, 3));
    vks_solve_report reported = solve_twice(&r);
    cr_expect_eq(reported.reason, VKS_REASON_CONVERGED, "%s: %s", vks_reason_name(reported.reason),
                 reported.detail);
}

/* A solve with these options must fail as expected. */
static void refuse(vks_context *c, const struct host_csr *host, vks_solve_options o, vks_status expected,
                   const char *part)
{
    OWNED(vks_matrix) *A = matrix_from(c, host, NULL);
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, host->rows);
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F64, NULL, host->rows);
    must_refuse(c, vks_solve(A, b, x, &o, NULL), expected, part);
}

TestOnHost(precond, options_that_do_not_fit_are_refused_in_words)
{
    static const vks_precond_options blocks = {.kind = VKS_PRECOND_BLOCK_JACOBI},
                                     by_cg = {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG},
                                     of_later = {.reserved = {[7] = 1}};
    static const struct {
        vks_precond_options o;
        const char *part;
    } cases[] = {
        {{.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_GAUSS_JORDAN}, "method that iterates"},
        {{.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_LSMR}, "method for square systems"},
        {{.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_IDR}, "idr corrects x only at the end of a cycle"},
        {{.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_MINRES}, "minres corrects x only"},
        {{.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_BICGSTAB}, "bicgstab corrects x only"},
        {{.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_GMRES}, "gmres corrects x only"},
        {{.kind = VKS_PRECOND_INNER, .steps = VKS_LARGEST_STEPS + 1}, "1 to 64 are allowed"},
        {{.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG, .weight = 1},
         "cg has no weight, but 1 was given"},
        {{.kind = VKS_PRECOND_INNER, .weight = NAN}, "must be above zero"},
        {{.kind = VKS_PRECOND_INNER, .inner = &blocks}, "inner with jacobi takes no preconditioner"},
        {{.kind = VKS_PRECOND_INNER, .degree = 2}, "the preconditioner inner has no degree"},
        {{.kind = VKS_PRECOND_DENSE, .steps = 2}, "the preconditioner dense has no number of steps"},
        {{.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG},
         "cg needs a preconditioner that is linear and symmetric; inner with cg is not linear"},
        {{.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG, .inner = &blocks},
         "inner with cg is not linear"},
        {{.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG, .in_f32 = 1}, "inner with cg is not linear"},
        {{.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG, .inner = &by_cg},
         "inner with cg is not linear"},
        {{.kind = VKS_PRECOND_COUNT_}, "unknown"},
        {{.reserved = {1}}, "vks_precond_options.reserved is not zero"},
        {{.kind = VKS_PRECOND_CHEBYSHEV, .inner = &of_later}, "vks_precond_options.reserved is not zero"},
    };
    OWNED_STRUCT(host_csr) A = tridiagonal(10, -1, 2, -1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(c, &A, (vks_solve_options){.precond_options = &cases[i].o}, VKS_INVALID_ARGUMENT,
               cases[i].part);
    vks_solve_options both = {.precond_options = &blocks, .block_size = 2};
    refuse(c, &A, both, VKS_INVALID_ARGUMENT, "exclude precond and block_size");
    vks_solve_options jacobi = {.precond_options = &blocks, .method = VKS_METHOD_JACOBI};
    refuse(c, &A, jacobi, VKS_INVALID_ARGUMENT, "jacobi takes no preconditioner, but block-jacobi was");
}

/* As on a PETSc process without rows. */
TestOnBoth(precond, each_kind_takes_a_matrix_without_rows)
{
    static const uint32_t row[1] = {0};
    OWNED(vks_matrix) *A;
    must_work(c, vks_matrix_from_csr(c, 0, 0, row, NULL, NULL, NULL, &A));
    OWNED(vks_vector) *r = vector_of(c, PRECISION_F64, NULL, 0);
    OWNED(vks_vector) *z = vector_of(c, PRECISION_F64, NULL, 0);
    for (int kind = 0; kind < VKS_PRECOND_COUNT_; kind++) {
        OWNED(vks_precond) *M;
        vks_precond_facts facts;
        must_work(c, vks_precond_create(A, &(vks_precond_options){.kind = (vks_precond_kind)kind}, &M));
        must_work(c, vks_precond_report(M, &facts));
        cr_expect_eq(facts.reason, VKS_REASON_NOT_RUN, "%s: %s", vks_precond_name(facts.kind), facts.detail);
        must_work(c, vks_precond_apply(M, r, z));
        must_work(c, vks_precond_update(M));
        must_work(c, vks_precond_apply(M, r, z));
    }
}

TestOnHost(precond, nesting_has_a_limit)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(10, -1, 2, -1);
    vks_precond_options o[VKS_LARGEST_NESTING + 1] = {{0}};
    for (uint32_t i = 0; i < VKS_LARGEST_NESTING; i++)
        o[i] = (vks_precond_options){
            .kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG, .inner = &o[(i + 1) % VKS_LARGEST_NESTING]};
    refuse(c, &A, (vks_solve_options){.precond_options = o}, VKS_INVALID_ARGUMENT,
           "more than 8 preconditioners");
}

static void unchanged(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x, double *y)
{
    (void)A;
    memcpy(y + first, x + first, count * sizeof *y);
}

TestOnHost(precond, a_dense_inverse_has_a_limit_and_needs_entries)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(VKS_GAUSS_JORDAN_LARGEST + 1, -1, 2.5, -1);
    refuse(c, &A, (vks_solve_options){.precond = VKS_PRECOND_DENSE}, VKS_LIMIT, "up to 16384");
    vks_operator d = {.rows_f64 = unchanged};
    OWNED(vks_matrix) *o = NULL;
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, 10), *x = vector_of(c, PRECISION_F64, NULL, 10);
    must_work(c, vks_operator_create(c, 10, &d, &o));
    must_refuse(c, vks_solve(o, b, x, &(vks_solve_options){.precond = VKS_PRECOND_DENSE}, NULL),
                VKS_UNSUPPORTED, "dense needs entries");
}

/* Column 3 is the sum of the earlier ones, then NaN. */
TestOnBoth(precond, a_matrix_without_an_inverse_ends_the_solve_with_the_column)
{
    static const double bad[] = {2, NAN};
    static const vks_reason reasons[] = {VKS_REASON_SINGULAR, VKS_REASON_NOT_FINITE};
    for (int i = 0; i < 2; i++)
        for (uint32_t in_f32 = 0; in_f32 < 2; in_f32++) {
            OWNED_STRUCT(host_csr) A = new_csr(3, 3, 9);
            memcpy(A.row, (uint32_t[]){0, 3, 6, 9}, 16);
            memcpy(A.col, (uint32_t[]){0, 1, 2, 0, 1, 2, 0, 1, 2}, 36);
            memcpy(A.val, (double[]){2, 0, 2, 0, 2, 2, 2, 2, 4}, 72);
            A.val[2] = bad[i];
            vks_solve_report r;
            OWNED(vks_matrix) *m = matrix_from(c, &A, NULL);
            OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, (double[]){1, 2, 3}, 3);
            OWNED(vks_vector) *x = vector_of(c, PRECISION_F64, NULL, 3);
            vks_precond_options o = {.kind = VKS_PRECOND_DENSE, .in_f32 = (int)in_f32};
            vks_solve_options zero = {.precond_options = &o, .zero_guess = 1};
            must_work(c, vks_solve(m, b, x, &zero, &r));
            cr_expect_eq(r.reason, reasons[i], "%s: %s", vks_reason_name(r.reason), r.detail);
            cr_expect(i || (r.row == 2 && strstr(r.detail, "A is singular: column 3 depends")), "%s",
                      r.detail);
            cr_expect(i || !in_f32 == !strstr(r.detail, ", in f32"), "%s", r.detail);
        }
}
