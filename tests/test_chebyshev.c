/* The Chebyshev preconditioner: what it computes, and its benefit. */
#include "small_matrix.h"
#include "tests/support/precond.h"

static const double roundoff[] = {[PRECISION_F32] = 0x1p-24, [PRECISION_F64] = 0x1p-53};

/* Lottes's algorithm for the fourth kind: the vectors of steps 1 .. degree + 1, from x = 0, with his optimal
 * weights. */
static void expect_polynomial(const struct host_csr *A, uint32_t degree, double bound, const double *b,
                              long double *x)
{
    static const long double beta[][5] = {
        {1.02387287570313L, 1.26408905371085L},
        {1.00842544782028L, 1.08867839208730L, 1.33753125909618L},
        {1.00391310427285L, 1.04035811188593L, 1.14863498546254L, 1.38268869241000L},
        {1.00212930146164L, 1.02173711549260L, 1.07872433192603L, 1.19810065292663L, 1.41322542791682L}};
    uint32_t n = A->rows;
    long double *t = room(n, sizeof *t), *d = room(n, sizeof *d);
    for (uint32_t i = 0; i < n; i++)
        t[i] = b[i];
    for (uint32_t s = 1; s <= degree + 1; s++) {
        for (uint32_t i = 0; i < n; i++) {
            d[i] = (2.0L * s - 3) / (2 * s + 1) * d[i] +
                   (8.0L * s - 4) / ((2 * s + 1) * (long double)bound) * t[i] / diagonal_at(A, i);
            x[i] += beta[degree - 1][s - 1] * d[i];
        }
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
                t[i] -= A->val[k] * d[A->col[k]];
    }
    free(t);
    free(d);
}

/* Rounding errors of a step grow by less than ten. */
TestEverywhere(chebyshev, is_the_optimised_polynomial_of_the_fourth_kind)
{
    OWNED_STRUCT(host_csr) A = random_spd(p, 700, 5);
    OWNED(double) *b = random_vector(p, 700, 2, 6);
    OWNED(vks_matrix) *m = put_on(c, &A, p, VKS_FORMAT_AUTO);
    for (uint32_t degree = 1; degree <= VKS_LARGEST_DEGREE; degree++) {
        struct precond *M = make_good(c, m, p, of_degree(degree));
        double *z = applied(c, M, b), largest = 0, worst = 0;
        long double *want = room(700, sizeof *want);
        expect_polynomial(&A, degree, bound_of(c, m, p), b, want);
        for (uint32_t i = 0; i < 700; i++) {
            largest = fmax(largest, (double)fabsl(want[i]));
            worst = fmax(worst, (double)fabsl(z[i] - want[i]));
        }
        cr_expect_leq(worst, 100 * roundoff[p] * largest,
                      "degree %u in %s: wrong by %.1f roundings of the largest", degree, precision_name(p),
                      worst / largest / roundoff[p]);
        free(want);
        free(z);
        precond_destroy(M);
    }
}

static double dot_of(const double *x, const double *y, uint32_t n)
{
    long double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (long double)x[i] * y[i];
    return (double)sum;
}

static void must_be_symmetric(vks_context *c, const vks_matrix *A, enum precision p, vks_precond_options o)
{
    uint32_t n = A->csr.n;
    OWNED(double) *u = random_vector(p, n, 1, 8), *v = random_vector(p, n, 1, 9);
    struct precond *M = make_good(c, A, p, o);
    OWNED(double) *Mu = applied(c, M, u), *Mv = applied(c, M, v);
    double a = dot_of(u, Mv, n), b = dot_of(v, Mu, n);
    double size = sqrt(dot_of(u, u, n) * dot_of(Mv, Mv, n));
    cr_expect_leq(fabs(a - b), 100 * roundoff[p] * size, "%g and %g", a, b);
    cr_expect_gt(dot_of(u, Mu, n), 0);
    precond_destroy(M);
}

TestEverywhere(chebyshev, is_symmetric_and_positive_around_the_diagonal_blocks_and_the_identity)
{
    static const vks_precond_options blocks = {.kind = VKS_PRECOND_BLOCK_JACOBI, .block_size = 3},
                                     none = {.kind = VKS_PRECOND_NONE};
    OWNED_STRUCT(host_csr) A = random_spd(p, 500, 5);
    OWNED(vks_matrix) *m = put_on(c, &A, p, VKS_FORMAT_AUTO);
    for (uint32_t degree = 1; degree <= VKS_LARGEST_DEGREE; degree++) {
        vks_precond_options o = of_degree(degree);
        must_be_symmetric(c, m, p, o);
        o.inner = &blocks;
        must_be_symmetric(c, m, p, o);
        o.inner = &none;
        must_be_symmetric(c, m, p, o);
    }
}

/* Iterations to the tolerance, for a random x. */
static uint32_t iterations(vks_context *c, const struct host_csr *A, enum precision p,
                           const vks_precond_options *o)
{
    OWNED(double) *x = random_vector(p, A->rows, 1, 3), *b = room(A->rows, 8);
    host_multiply(A, x, b);
    for (uint32_t i = 0; i < A->rows; i++)
        b[i] = rounded(p, b[i]);
    struct problem q = {.A = A, .b = b, .p = p, .options = {.precond_options = o}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    return s.report.iterations;
}

static void must_take_fewer(vks_context *c, const struct host_csr *A, enum precision p, const char *name)
{
    static const double at_most[] = {0.68, 0.5, 0.4, 0.35};
    vks_precond_options o = {.kind = VKS_PRECOND_JACOBI};
    uint32_t diagonal = iterations(c, A, p, &o);
    for (uint32_t degree = 1; degree <= VKS_LARGEST_DEGREE; degree++) {
        o = of_degree(degree);
        uint32_t count = iterations(c, A, p, &o);
        cr_expect_leq(count, at_most[degree - 1] * diagonal + 2, "%s, degree %u: %u, with the diagonal %u",
                      name, degree, count, diagonal);
    }
}

TestEverywhere(chebyshev, halves_the_iterations_of_poisson_problems)
{
    OWNED_STRUCT(host_csr) A = model("poisson3d", 12);
    must_take_fewer(c, &A, p, "poisson3d 12");
}

TestOnHost(chebyshev, halves_the_iterations_of_real_systems)
{
    static const char *const names[] = {"1138_bus", "bcsstk06", "bcsstk14", "gr_30_30",
                                        "lund_a",   "nasa2146", "nos4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        OWNED(vks_matrix) *m = read_shipped(c, names[i]);
        OWNED_STRUCT(host_csr) A = read_back(c, m);
        must_take_fewer(c, &A, PRECISION_F64, names[i]);
    }
}

/* Blocks of three rows, the unknowns of a node. */
TestEverywhere(chebyshev, halves_the_iterations_of_the_blocks_that_it_improves)
{
    vks_precond_options blocks = {.kind = VKS_PRECOND_BLOCK_JACOBI, .block_size = 3}, o = of_degree(2);
    OWNED_STRUCT(host_csr) A = model("elasticity3d", 5);
    for (uint32_t k = 0; k < A.row[A.rows]; k++)
        A.val[k] = rounded(p, A.val[k]);
    uint32_t plain = iterations(c, &A, p, &blocks);
    o.inner = &blocks;
    uint32_t count = iterations(c, &A, p, &o);
    cr_expect_leq(2 * count, plain + 2, "%u, with the blocks %u", count, plain);
}

/* Also with three workgroups, and in another format. */
static void compare_devices(enum precision p, const vks_precond_options *o)
{
    vks_context *c[] = {open_host(), open_gpu(),
                        open_context(gpu_name(), (struct device_options){.max_groups = 3})};
    static const vks_format formats[] = {VKS_FORMAT_CSR, VKS_FORMAT_SELL, VKS_FORMAT_CSR};
    OWNED_STRUCT(host_csr) A = random_spd(p, 2100, 5);
    OWNED(double) *b = random_vector(p, 2100, 2, 6), *want = NULL;
    for (int i = 0; i < 3; i++) {
        vks_matrix *m = put_on(c[i], &A, p, formats[i]);
        struct precond *M = make_good(c[i], m, p, *o);
        double *z = applied(c[i], M, b);
        if (i == 0)
            want = z;
        else
            must_equal(z, want, 2100, "M^-1 b on another device");
        if (i)
            free(z);
        precond_destroy(M);
        vks_matrix_destroy(m);
        close_context(c[i]);
    }
}

Test(chebyshev, has_the_same_bits_on_all_devices)
{
    static const vks_precond_options blocks = {.kind = VKS_PRECOND_BLOCK_JACOBI, .block_size = 3};
    vks_precond_options plain = of_degree(3), nested = {.kind = VKS_PRECOND_CHEBYSHEV, .inner = &blocks};
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        compare_devices(p, &plain);
        compare_devices(p, &nested);
    }
}

/* Applies M with a recording made before its values are updated, unless M reports that this is stale. */
static void must_refresh(vks_context *c, struct precond *M, const struct host_csr *to, uint32_t stale,
                         const double *want)
{
    enum precision p = M->precision;
    uint32_t n = to->rows;
    OWNED(double) *v = random_vector(p, n, 2, 6), *z = room(n, 8);
    OWNED_BY(rec_destroy) struct rec r;
    struct diagnosis f = {0};
    OWNED(vks_vector) *in = put_vector(c, v, n, p), *out = vector_of(c, p, NULL, n);
    rec_create(&r, c->device, p);
    precond_apply(&r, M, vec_of(in), vec_of(out));
    must_work(c, rec_prepare(&r));
    must_work(c, vks_matrix_set_values(own_matrix(M->A), VKS_F64, to->val));
    must_work(c, precond_refresh(M, &f));
    cr_expect_eq(M->layout, stale);
    if (stale) {
        rec_clear(&r);
        precond_apply(&r, M, vec_of(in), vec_of(out));
    }
    must_work(c, rec_run(&r));
    must_work(c, vks_vector_read(out, 0, n, VKS_F64, z));
    must_equal(z, want, n, "refreshed");
}

/* The diagonal is the same in all rows, or not; before and after. */
static void try_refresh(vks_context *c, enum precision p, bool same_before, bool same_then)
{
    OWNED_STRUCT(host_csr) A = spd_of_few_kinds(p, 600, same_before ? 1 : 9),
                           B = spd_of_few_kinds(p, 600, same_then ? 1 : 7);
    for (uint32_t k = 0; k < B.row[600]; k++)
        B.val[k] *= B.val[k] < 0 ? 0.25 : 1.5;
    OWNED(double) *v = random_vector(p, 600, 2, 6);
    OWNED(vks_matrix) *m = put_on(c, &A, p, VKS_FORMAT_AUTO), *fresh = put_on(c, &B, p, VKS_FORMAT_AUTO);
    struct precond *M = make_good(c, m, p, of_degree(3)), *N = make_good(c, fresh, p, of_degree(3));
    OWNED(double) *want = applied(c, N, v);
    must_refresh(c, M, &B, same_before != same_then, want);
    precond_destroy(M);
    precond_destroy(N);
}

TestEverywhere(chebyshev, new_values_give_the_bits_of_a_new_one_in_recordings_of_before)
{
    try_refresh(c, p, false, false);
    try_refresh(c, p, true, true);
    try_refresh(c, p, true, false);
}
