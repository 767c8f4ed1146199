/* Preconditioners alone: z = M^-1 r compared with its definition in long double. */
#include "small_matrix.h"
#include "solvers/precond.h"
#include "tests/support/inverse_oracle.h"
#include "tests/support/preconds.h"

/* A preconditioner, and vectors for it. */
struct applied {
    vks_context *c;
    enum precision p;
    uint32_t n;
    vks_matrix *A;
    struct precond *M;
    vks_vector *in, *out;
    struct diagnosis f;
};

static struct applied make(vks_context *c, enum precision p, const struct host_csr *A,
                           const vks_precond_options *o)
{
    struct applied a = {.c = c, .p = p, .n = A->rows};
    vks_matrix_options storage = {.precision = public_precision(p)};
    must_work(c, vks_matrix_from_csr(c, a.n, a.n, A->row, A->col, A->val, &storage, &a.A));
    must_work(c, csr_acquire(a.A));
    must_work(c, precond_check(a.A, o));
    diagnosis_clear(&a.f);
    must_work(c, precond_create(a.A, p, PRECOND_FOR_POSITIVE, o, &a.f, &a.M));
    cr_assert(!diagnosis_refuses(&a.f), "%s", a.f.detail);
    a.in = vector_of(c, p, NULL, a.n);
    a.out = vector_of(c, p, NULL, a.n);
    return a;
}

static void applied_free(struct applied *a)
{
    precond_destroy(a->M);
    csr_release(a->A);
    vks_vector_destroy(a->in);
    vks_vector_destroy(a->out);
    vks_matrix_destroy(a->A);
}

/* z = M^-1 r, behind the guard word `guard`, which may be NULL. */
static double *apply_under(struct applied *a, u32s guard, const double *r)
{
    double *z = room(a->n, 8);
    struct rec rec;
    rec_create(&rec, a->c->device, a->p);
    must_work(a->c, vks_vector_write(a->in, 0, a->n, VKS_F64, r));
    rec_guard(&rec, guard);
    precond_apply(&rec, a->M, vec_of(a->in), vec_of(a->out));
    must_work(a->c, rec_run(&rec));
    must_work(a->c, vks_vector_read(a->out, 0, a->n, VKS_F64, z));
    rec_destroy(&rec);
    guards_check(a->c->device);
    return z;
}

static double *apply(struct applied *a, const double *r)
{
    return apply_under(a, NULL, r);
}

static double roundoff(enum precision p)
{
    return p == PRECISION_F32 ? 0x1p-24 : 0x1p-53;
}

/* The error of an inverse by elimination is at most 8 n^2 u k(A) ||A^-1|| without growth of pivots (Higham,
 * 14.4), which positive definite matrices do not have; the product adds n u ||A^-1|| ||r||. `in_f32`: with
 * rounded A and r. */
static void expect_inverse(const struct host_csr *A, const double *r, const double *z, enum precision p)
{
    uint32_t n = A->rows;
    long double *X = inverse_of(A), size = inf_norm(X, n), largest = 0;
    for (uint32_t i = 0; i < n; i++)
        largest = fabs(r[i]) > largest ? fabs(r[i]) : largest;
    long double k = csr_norm(A) * size;
    long double bound = roundoff(p) * (8.0L * n * n * k + 2 * k + n + 3) * size * largest;
    for (uint32_t i = 0; i < n; i++) {
        long double want = 0;
        for (uint32_t j = 0; j < n; j++)
            want += X[(size_t)i * n + j] * r[j];
        cr_assert(fabsl(want - z[i]) <= bound, "z[%u] = %g, not %Lg, n %u, bound %Lg", i, z[i], want, n,
                  bound);
    }
    free(X);
}

TestEverywhere(precond_apply, dense_is_the_inverse)
{
    static const uint32_t sizes[] = {1, 2, 31, 140};
    for (int i = 0; i < 4; i++)
        for (int in_f32 = 0; in_f32 < 2; in_f32++) {
            OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F32, sizes[i], 4);
            OWNED(double) *r = random_vector(p, sizes[i], 3, 9);
            vks_precond_options o = {.kind = VKS_PRECOND_DENSE, .in_f32 = in_f32};
            OWNED_STRUCT(applied) a = make(c, p, &A, &o);
            cr_expect(a.M->linear && a.M->symmetric && !a.M->is_diagonal);
            cr_expect_geq(precond_bytes(a.M),
                          (uint64_t)sizes[i] * sizes[i] * real_bytes(in_f32 ? PRECISION_F32 : p));
            OWNED(double) *z = apply(&a, r);
            expect_inverse(&A, r, z, in_f32 ? PRECISION_F32 : p);
        }
}

static double diagonal_of(const struct host_csr *A, uint32_t i)
{
    for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
        if (A->col[k] == i)
            return A->val[k];
    return 0;
}

/* 4 / (3 (1 + g)) */
static long double auto_weight(const struct host_csr *A)
{
    long double g = 0;
    for (uint32_t i = 0; i < A->rows; i++) {
        long double sum = 0, d = fabs(diagonal_of(A, i));
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            sum += A->col[k] == i ? 0 : fabsl(A->val[k]);
        g = sum / d > g ? sum / d : g;
    }
    return 4 / (3 * (1 + g));
}

/* One step z += w D^-1 (r - A z) in long double, with the bound `error` on its rounding: each of its
 * operations, 2 L + 16 with those of w for rows of L entries, has a relative error of u. */
static void step(const struct host_csr *A, long double w, double u, const double *r, long double *z,
                 long double *error)
{
    uint32_t n = A->rows;
    long double *next = room(n, sizeof *next), *bound = room(n, sizeof *bound);
    for (uint32_t i = 0; i < n; i++) {
        long double Az = 0, size = fabs(r[i]), carried = 0, d = diagonal_of(A, i);
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            Az += A->val[k] * z[A->col[k]];
            size += fabsl(A->val[k]) * (fabsl(z[A->col[k]]) + error[A->col[k]]);
            carried += fabsl(A->val[k]) * error[A->col[k]];
        }
        uint32_t L = A->row[i + 1] - A->row[i];
        next[i] = z[i] + w / d * (r[i] - Az);
        bound[i] = error[i] + w / d * carried + (2 * L + 16) * u * (fabsl(z[i]) + w / d * size);
    }
    memcpy(z, next, n * sizeof *z);
    memcpy(error, bound, n * sizeof *error);
    free(next);
    free(bound);
}

TestEverywhere(precond_apply, inner_jacobi_is_so_many_steps_from_zero)
{
    for (uint32_t steps = 1; steps <= 5; steps += 2)
        for (int given = 0; given < 2; given++) {
            OWNED_STRUCT(host_csr) A = random_spd(p, 700, steps);
            uint32_t n = A.rows;
            double *r = random_vector(p, n, 3, 9), weight = given ? 0.75 : 0;
            long double *z = room(n, sizeof *z), *error = room(n, sizeof *error);
            vks_precond_options o = {.kind = VKS_PRECOND_INNER, .steps = steps, .weight = weight};
            OWNED_STRUCT(applied) a = make(c, p, &A, &o);
            OWNED(double) *got = apply(&a, r);
            for (uint32_t k = 0; k < steps; k++)
                step(&A, given ? 0.75L : auto_weight(&A), roundoff(p), r, z, error);
            for (uint32_t i = 0; i < n; i++)
                cr_assert(fabsl(got[i] - z[i]) <= error[i], "z[%u] = %g, not %Lg, after %u steps, bound %Lg",
                          i, got[i], z[i], steps, error[i]);
            free(error);
            free(z);
            free(r);
        }
}

/* One step of CG is z = (r . r / r . A r) r; as many steps as A has eigenvalues, here 3, give its inverse. */
TestEverywhere(precond_apply, inner_cg_is_so_many_iterations_from_zero)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(300, 0, 1, 0);
    uint32_t n = A.rows;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            A.val[k] *= A.col[k] == i ? 1 + i % 3 : 0;
    OWNED(double) *r = random_vector(p, n, 3, 5);
    vks_precond_options none = {.kind = VKS_PRECOND_NONE};
    vks_precond_options o = {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG, .steps = 1, .inner = &none};
    OWNED_STRUCT(applied) a = make(c, p, &A, &o);
    cr_expect(!a.M->linear && !a.M->symmetric);
    OWNED(double) *z = apply(&a, r);
    long double rr = 0, rAr = 0;
    for (uint32_t i = 0; i < n; i++) {
        rr += (long double)r[i] * r[i];
        rAr += (long double)r[i] * r[i] * (1 + i % 3);
    }
    for (uint32_t i = 0; i < n; i++)
        cr_assert(fabsl(z[i] - rr / rAr * r[i]) <= 64 * roundoff(p) * fabsl(rr / rAr * r[i]), "z[%u] = %g", i,
                  z[i]);
    free(z);
    applied_free(&a);
    o.steps = 3;
    a = make(c, p, &A, &o);
    z = apply(&a, r);
    for (uint32_t i = 0; i < n; i++)
        cr_assert(fabs(z[i] - r[i] / (1 + i % 3)) <= 1000 * roundoff(p) * 8, "z[%u] = %g", i, z[i]);
}

/* A diagonal in f32: each of r, 1 / d and their product is rounded. */
TestOnBoth(precond_apply, in_f32_it_is_rounded_and_no_more)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, 3000, 2);
    OWNED(double) *r = random_vector(PRECISION_F64, A.rows, 20, 5);
    OWNED_STRUCT(applied) a =
        make(c, PRECISION_F64, &A, &(vks_precond_options){.kind = VKS_PRECOND_JACOBI, .in_f32 = 1});
    cr_expect(a.M->narrow && a.M->narrow->precision == PRECISION_F32 && a.M->linear && a.M->symmetric);
    cr_expect(precond_in(a.M, PRECISION_F32) == a.M->narrow && precond_in(a.M, PRECISION_F64) == a.M);
    OWNED(double) *z = apply(&a, r);
    for (uint32_t i = 0; i < A.rows; i++) {
        double want = r[i] / diagonal_of(&A, i);
        cr_assert(fabs(z[i] - want) <= 5 * 0x1p-24 * fabs(want), "z[%u] = %g, not %g", i, z[i], want);
        cr_assert(z[i] == (double)(float)z[i]);
    }
}

/* The bits are the same on the host and the GPU, also the second time. */
Test(precond_apply, bits_are_equal_on_all_devices_and_each_time)
{
    vks_context *c[2] = {open_host(), open_gpu()};
    struct host_csr A = random_spd(PRECISION_F32, 130, 3);
    double *r = random_vector(PRECISION_F32, A.rows, 3, 5),
           *other = random_vector(PRECISION_F32, A.rows, 3, 6);
    for (uint32_t i = 0; i < PRECONDS; i++)
        for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
            double *z[2];
            for (int device = 0; device < 2; device++) {
                OWNED_STRUCT(applied) a = make(c[device], p, &A, &precond_at(i)->options);
                z[device] = apply(&a, r);
                free(apply(&a, other));
                OWNED(double) *again = apply(&a, r);
                must_equal(again, z[device], A.rows, precond_at(i)->name);
            }
            must_equal(z[0], z[1], A.rows, precond_at(i)->name);
            free(z[0]);
            free(z[1]);
        }
    free(r);
    free(other);
    host_csr_free(&A);
    close_context(c[0]);
    close_context(c[1]);
}

static long double dot_of(const double *x, const double *y, uint32_t n)
{
    long double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (long double)x[i] * y[i];
    return sum;
}

/* x . M^-1 y = y . M^-1 x up to rounding, which is small compared with the norms. */
TestOnBoth(precond_apply, with_a_symmetric_matrix_it_is_symmetric_and_positive)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, 130, 8);
    uint32_t n = A.rows;
    OWNED(double) *x = random_vector(PRECISION_F64, n, 2, 1), *y = random_vector(PRECISION_F64, n, 2, 2);
    for (uint32_t i = 0; i < LINEAR_PRECONDS; i++) {
        OWNED_STRUCT(applied) a = make(c, PRECISION_F64, &A, &linear_preconds[i].options);
        double u = roundoff(linear_preconds[i].options.in_f32 ? PRECISION_F32 : PRECISION_F64);
        OWNED(double) *Mx = apply(&a, x), *My = apply(&a, y);
        long double left = dot_of(x, My, n), right = dot_of(y, Mx, n);
        long double size =
            sqrtl(dot_of(x, x, n) * dot_of(My, My, n)) + sqrtl(dot_of(y, y, n) * dot_of(Mx, Mx, n));
        cr_expect(fabsl(left - right) <= 1000 * u * size, "%s: %Lg and %Lg", linear_preconds[i].name, left,
                  right);
        cr_expect(dot_of(x, Mx, n) > 0);
    }
}

/* It changes nothing if the surrounding solve has ended, even before its first application. */
TestOnBoth(precond_apply, nothing_runs_once_the_solve_around_it_has_ended)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, 60, 8);
    OWNED(double) *r = random_vector(PRECISION_F64, A.rows, 2, 1),
                  *before = random_vector(PRECISION_F64, A.rows, 2, 2);
    struct memory word = {0};
    must_work(c, device_allocate(c->device, MEMORY_DEVICE, 4, "a word", &word));
    must_work(c, device_write(c->device, &word, 0, &(uint32_t){1}, 4));
    for (uint32_t i = 0; i < PRECONDS; i++)
        for (int applied = 0; applied < 2; applied++) {
            OWNED_STRUCT(applied) a = make(c, PRECISION_F64, &A, &precond_at(i)->options);
            if (applied)
                free(apply(&a, before));
            must_work(c, vks_vector_write(a.out, 0, a.n, VKS_F64, before));
            OWNED(double) *z = apply_under(&a, words_of(&word), r);
            must_equal(z, before, a.n, precond_at(i)->name);
        }
    device_release(c->device, &word);
}

/* The inner method broke down, as CG does with a matrix that is not definite. */
TestOnBoth(precond_apply, nothing_runs_after_a_breakdown_of_the_inner_method)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(60, 0, 1, 0);
    for (uint32_t i = 0; i < A.rows; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            if (A.col[k] == i)
                A.val[k] = i % 20 == 7 ? -0.5 : 1 + i % 5;
    OWNED(double) *r = random_vector(PRECISION_F64, A.rows, 2, 1);
    struct memory word = {0};
    must_work(c, device_allocate(c->device, MEMORY_DEVICE, 4, "a word", &word));
    must_work(c, device_write(c->device, &word, 0, &(uint32_t){1}, 4));
    vks_precond_options none = {.kind = VKS_PRECOND_NONE};
    vks_precond_options o = {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG, .steps = 20, .inner = &none};
    struct applied a = make(c, PRECISION_F64, &A, &o);
    double *before = apply(&a, r), *z = apply_under(&a, words_of(&word), r);
    must_equal(z, before, a.n, "z");
    free(z);
    free(before);
    applied_free(&a);
    device_release(c->device, &word);
}
