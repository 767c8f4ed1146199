/* The preconditioner ilut: its application compared with plain triangular solves, its bits, new values, and
 * refusals. */
#include "small_matrix.h"
#include "tests/support/ilut.h"
#include "tests/support/precond.h"

static const vks_precond_options plain = {.kind = VKS_PRECOND_ILUT},
                                 uncut = {.kind = VKS_PRECOND_ILUT, .rows = VKS_ALL_ROWS};

/* The options that M uses for A in its default order. */
static struct ilut_options as_made(const vks_precond_options *o, uint32_t n)
{
    uint32_t rows = o->rows ? o->rows : 1024;
    return (struct ilut_options){o->fill ? o->fill : 10, rows < n ? rows : n, o->drop > 0 ? o->drop : 1e-3};
}

/* Solves a line of a block in long double: x_i = scale (x_i - sum), with a bound on the error for roundoff
 * u. */
static void solve_line(const struct factors *f, uint32_t line, double u, long double *x, long double *error)
{
    uint32_t i = line / 2, length = f->at[line + 1] - f->at[line];
    long double v = x[i], size = fabsl(x[i]), carried = error[i];
    for (uint32_t k = f->at[line]; k < f->at[line + 1]; k++) {
        v -= f->val[k] * x[f->col[k]];
        size += fabsl(f->val[k] * x[f->col[k]]);
        carried += fabsl(f->val[k]) * error[f->col[k]];
    }
    long double scale = line % 2 ? 1 / (long double)f->pivot[i] : 1;
    x[i] = scale * v;
    error[i] = fabsl(scale) * (carried + (length + 6) * u * (size + carried));
}

/* z must be U^-1 L^-1 r, block by block. */
static void must_solve(const struct factored *f, const double *r, const double *z, double u, const char *what)
{
    for (uint32_t b = 0; b < f->blocks; b++) {
        uint32_t n = f->of[b].n, first = b * f->rows;
        long double *x = room(n, sizeof *x), *error = room(n, sizeof *error);
        for (uint32_t i = 0; i < n; i++)
            x[i] = r[f->order[first + i]];
        for (uint32_t i = 0; i < n; i++)
            solve_line(&f->of[b], 2 * i, u, x, error);
        for (uint32_t i = n; i-- > 0;)
            solve_line(&f->of[b], 2 * i + 1, u, x, error);
        for (uint32_t i = 0; i < n; i++) {
            double got = z[f->order[first + i]];
            cr_assert(fabsl(got - x[i]) <= error[i], "%s: %g instead of %Lg, bound %Lg", what, got, x[i],
                      error[i]);
        }
        free(x);
        free(error);
    }
}

static double *apply_to(vks_context *c, const struct host_csr *A, enum precision p, vks_precond_options o,
                        const double *r)
{
    OWNED(vks_matrix) *m = put_on(c, A, p, VKS_FORMAT_CSR);
    struct precond *M = make_good(c, m, p, o);
    cr_expect(M->linear && !M->symmetric);
    double *z = applied(c, M, r);
    precond_destroy(M);
    return z;
}

/* On both devices, with equal bits. */
static void walk(const vks_precond_options *o, const uint32_t *sizes, int count, enum precision p)
{
    vks_context *c[] = {open_host(), open_gpu(),
                        open_context(gpu_name(), (struct device_options){.max_groups = 3}),
                        open_context(gpu_name(), (struct device_options){.without_subgroups = true})};
    for (int i = 0; i < count; i++) {
        uint32_t n = sizes[i];
        OWNED_STRUCT(host_csr) A = dominant(p, n, i + 1);
        struct ilut_options as = as_made(o, n);
        OWNED(uint32_t) *order = room(n, 4);
        OWNED(double) *r = random_vector(p, n, 3, 9), *want = NULL;
        char what[80];
        snprintf(what, sizeof what, "%u rows in blocks of %u, %s", n, as.rows, precision_name(p));
        cr_assert_eq(vks_reorder_rcm(n, A.row, A.col, order), VKS_OK);
        OWNED_STRUCT(factored) f = factor(&A, order, &as);
        for (int k = 0; k < 4; k++) {
            double *z = apply_to(c[k], &A, p, *o, r);
            if (want)
                must_equal(z, want, n, what);
            must_solve(&f, r, z, p == PRECISION_F32 ? 0x1p-24 : 0x1p-53, what);
            free(want);
            want = z;
        }
    }
    for (int k = 0; k < 4; k++)
        close_context(c[k]);
}

static const uint32_t edges[] = {1, 31, 33, 255, 257, 1023, 1024, 1025, 2049};

Test(ilut, blocks_are_solved_with_equal_bits_in_f64)
{
    walk(&plain, edges, 9, PRECISION_F64);
}

Test(ilut, blocks_are_solved_with_equal_bits_in_f32)
{
    walk(&plain, edges, 9, PRECISION_F32);
}

Test(ilut, small_blocks_and_other_thresholds)
{
    walk(&(vks_precond_options){.kind = VKS_PRECOND_ILUT, .rows = 33, .fill = 2, .drop = 1e-2}, edges, 9,
         PRECISION_F64);
}

Test(ilut, uncut_factors_are_solved_with_equal_bits_in_both_precisions)
{
    static const uint32_t sizes[] = {700, 1025, 2049};
    walk(&uncut, sizes, 3, PRECISION_F64);
    walk(&uncut, sizes + 1, 1, PRECISION_F32);
}

/* Levels of thousands of lines, which many workgroups share, between small ones. */
Test(ilut, large_levels_are_solved_with_equal_bits)
{
    vks_context *c[] = {open_host(), open_gpu()};
    OWNED_STRUCT(host_csr) A = dominant(PRECISION_F64, 5000, 4);
    for (uint32_t i = 0; i < A.rows; i++) /* couples only within groups of three */
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            A.val[k] *= A.col[k] / 3 == i / 3;
    vks_precond_options o = {.kind = VKS_PRECOND_ILUT, .rows = VKS_ALL_ROWS, .drop = 1e-300};
    double *r = random_vector(PRECISION_F64, A.rows, 3, 9), *z[2];
    for (int k = 0; k < 2; k++)
        z[k] = apply_to(c[k], &A, PRECISION_F64, o, r);
    must_equal(z[1], z[0], A.rows, "large levels");
    for (uint32_t i = 0; i < A.rows; i++) {
        long double q = r[i];
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            q -= A.val[k] * (long double)z[0][A.col[k]];
        cr_assert(fabsl(q) <= 1e-14L * (fabsl(r[i]) + 64),
                  "row %u is off by %Lg: factors of blocks of three are exact", i, q);
    }
    for (int k = 0; k < 2; k++) {
        free(z[k]);
        close_context(c[k]);
    }
    free(r);
}

/* One application on both devices. */
static void must_match_host(const struct host_csr *A, const vks_precond_options *o, const char *what)
{
    vks_context *c[] = {open_host(), open_gpu()};
    double *r = random_vector(PRECISION_F64, A->rows, 3, 9), *z[2];
    for (int k = 0; k < 2; k++)
        z[k] = apply_to(c[k], A, PRECISION_F64, *o, r);
    must_equal(z[1], z[0], A->rows, what);
    for (int k = 0; k < 2; k++) {
        free(z[k]);
        close_context(c[k]);
    }
    free(r);
}

/* llvmpipe ends the loops of an invocation after 65,535 iterations: more than a run and a block take. */
Test(ilut, long_chains_are_solved_with_equal_bits)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(16000, -1.2, 2.5, -1), B = banded_and_diagonal(2048, 200, 72000);
    must_match_host(&A, &uncut, "a chain of 16,000 rows");
    must_match_host(&B, &(vks_precond_options){.kind = VKS_PRECOND_ILUT, .fill = 256, .drop = 1e-300},
                    "blocks of long lines");
}

/* Without limits it is the LU factorization. For a row dominant matrix, whose pivots do not grow, the
 * residual of z is at most 6 n u || |L| |U| || ||z||, and that norm is at most 2 n ||A|| (Higham, 9.3). */
TestEverywhere(ilut, without_limits_it_is_the_inverse)
{
    vks_precond_options o = {.kind = VKS_PRECOND_ILUT, .fill = VKS_LARGEST_FILL, .drop = 1e-300};
    static const uint32_t sizes[] = {1, 40, 300};
    for (int i = 0; i < 3; i++) {
        OWNED_STRUCT(host_csr) A = dominant(p, sizes[i], 5);
        OWNED(double) *r = random_vector(p, A.rows, 2, 3), *z = apply_to(c, &A, p, o, r);
        double u = p == PRECISION_F32 ? 0x1p-24 : 0x1p-53, largest = 0;
        for (uint32_t k = 0; k < A.rows; k++)
            largest = fabs(z[k]) > largest ? fabs(z[k]) : largest;
        for (uint32_t k = 0; k < A.rows; k++) {
            long double q = r[k], size = fabs(r[k]);
            for (uint32_t e = A.row[k]; e < A.row[k + 1]; e++) {
                q -= A.val[e] * (long double)z[A.col[e]];
                size += fabs(A.val[e]) * largest;
            }
            cr_assert(fabsl(q) <= 200 * u * size, "row %u of %u is off by %Lg", k, A.rows, q);
        }
    }
}

/* In f32 the factors are those of A in f64, rounded. */
TestOnBoth(ilut, in_f32_the_factors_are_rounded)
{
    OWNED_STRUCT(host_csr) A = dominant(PRECISION_F64, 600, 5);
    vks_precond_options o = plain;
    struct ilut_options as = as_made(&o, A.rows);
    OWNED(uint32_t) *order = room(A.rows, 4);
    OWNED(double) *r = random_vector(PRECISION_F32, A.rows, 3, 9);
    cr_assert_eq(vks_reorder_rcm(A.rows, A.row, A.col, order), VKS_OK);
    OWNED_STRUCT(factored) f = factor(&A, order, &as);
    o.in_f32 = 1;
    OWNED(double) *z = apply_to(c, &A, PRECISION_F64, o, r);
    must_solve(&f, r, z, 0x1p-24, "in f32");
}

/* The bits do not depend on the number of threads; 20 blocks. */
Test(ilut, threads_do_not_change_bits)
{
    OWNED_STRUCT(host_csr) A = dominant(PRECISION_F64, 20000, 5);
    double *r = random_vector(PRECISION_F64, A.rows, 3, 9), *z[3];
    for (uint32_t threads = 1; threads <= 3; threads++) {
        OWNED(vks_context) *c = open_context("host", (struct device_options){.threads = threads});
        z[threads - 1] = apply_to(c, &A, PRECISION_F64, plain, r);
    }
    must_equal(z[1], z[0], A.rows, "two threads");
    must_equal(z[2], z[0], A.rows, "three threads");
    for (int k = 0; k < 3; k++)
        free(z[k]);
    free(r);
}

/* An update has the bits of a new setup, even if the factors get other entries, and solvers follow. */
TestOnBoth(ilut, new_values_have_the_bits_of_a_new_set_up)
{
    OWNED_STRUCT(host_csr) A = dominant(PRECISION_F64, 1200, 5), B = dominant(PRECISION_F64, 1200, 6);
    OWNED(double) *r = random_vector(PRECISION_F64, A.rows, 3, 9);
    const vks_precond_options *kinds[] = {&plain, &uncut};
    memcpy(B.col, A.col, A.row[A.rows] * sizeof *A.col); /* they have one pattern */
    for (uint32_t k = 0; k < B.row[B.rows]; k++)
        B.val[k] *= k % 5 ? 1e-4 : 1;
    for (int k = 0; k < 2; k++) {
        OWNED(vks_matrix) *m = put_on(c, &A, PRECISION_F64, VKS_FORMAT_CSR);
        OWNED(vks_vector) *v = put_vector(c, r, A.rows, PRECISION_F64),
                          *z = put_vector(c, r, A.rows, PRECISION_F64);
        OWNED(vks_precond) *M;
        must_work(c, vks_precond_create(m, kinds[k], &M));
        for (int turn = 0; turn < 2; turn++) {
            const struct host_csr *now = turn ? &A : &B;
            must_work(c, vks_matrix_set_values(m, VKS_F64, now->val));
            must_work(c, vks_precond_update(M));
            must_work(c, vks_precond_apply(M, v, z));
            OWNED(double) *got = room(A.rows, 8), *want = apply_to(c, now, PRECISION_F64, *kinds[k], r);
            must_work(c, vks_vector_read(z, 0, A.rows, VKS_F64, got));
            must_equal(got, want, A.rows, "new values");
        }
    }
}
