/* What the examples of CONTRIBUTING.md must do, on the host device: the kernel multiplies, the method and the
 * preconditioner solve, the format has the bits of CSR. */
#include "device/context.h"
#include "vector/verbs.h"
#include "vksolve/vksolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 200 };

/* Tridiagonal, with a diagonal of ones. */
static uint32_t row[N + 1], col[3 * N];
static double val[3 * N], right[N];

static vks_context *context;

static void must(int holds, const char *what)
{
    if (holds)
        return;
    printf("not so: %s (%s)\n", what, context ? vks_context_message(context) : "");
    exit(1);
}

#define MUST(condition) must(condition, #condition)

static void make_system(void)
{
    for (uint32_t i = 0; i < N; i++) {
        uint32_t k = row[i];
        for (uint32_t j = i ? i - 1 : 0; j <= i + 1 && j < N; j++, k++) {
            col[k] = j;
            val[k] = j == i ? 1 : -0.375;
        }
        row[i + 1] = k;
        right[i] = 1 + (i * 37 % 100) / 64.0;
    }
}

static vks_matrix *matrix(vks_format format, vks_precision p)
{
    vks_matrix *A = NULL;
    vks_matrix_options o = {.precision = p, .storage.format = format};
    MUST(!vks_matrix_from_csr(context, N, N, row, col, val, &o, &A));
    MUST(vks_matrix_format(A) == format);
    return A;
}

static vks_vector *vector(const double *values, vks_precision p)
{
    vks_vector *v = NULL;
    MUST(!vks_vector_create(context, N, p, &v));
    MUST(!vks_vector_write(v, 0, N, VKS_F64, values));
    return v;
}

static void read_back(vks_vector *v, double *values)
{
    MUST(!vks_vector_read(v, 0, N, VKS_F64, values));
    vks_vector_destroy(v);
}

static double norm_of_residual(const double *x)
{
    double square = 0;
    for (uint32_t i = 0; i < N; i++) {
        double e = right[i];
        for (uint32_t k = row[i]; k < row[i + 1]; k++)
            e -= val[k] * x[col[k]];
        square += e * e;
    }
    return sqrt(square);
}

/* From x = 0, in CSR; returns the iterations. x must be a solution. */
static uint32_t solve(vks_solve_options o, vks_precision p, double *x)
{
    static const double zeros[N];
    vks_matrix *A = matrix(VKS_FORMAT_CSR, p);
    vks_vector *b = vector(right, p), *v = vector(zeros, p);
    vks_solve_report r;
    double none = norm_of_residual(zeros);
    o.rtol = p == VKS_F32 ? 1e-5 : 1e-9;
    MUST(!vks_solve(A, b, v, &o, &r));
    MUST(r.reason == VKS_REASON_CONVERGED);
    MUST(r.iterations > 1);
    read_back(v, x);
    MUST(norm_of_residual(x) <= 1.001 * o.rtol * none);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);
    return r.iterations;
}

static void try_kernel(vks_precision p)
{
    double y[N], half = 0.5;
    vks_vector *x = vector(right, p), *to = vector(val, p), *alpha = vector(right, p);
    struct rec r;
    MUST(!vks_vector_write(alpha, 0, 1, VKS_F64, &half));
    rec_create(&r, context->device, precision_of(p));
    scale_by(&r, (number)(uintptr_t)alpha->memory.address, vec_of(x), vec_of(to));
    MUST(!rec_run(&r));
    MUST(r.bytes == 2 * N * (uint64_t)real_bytes(precision_of(p)));
    rec_destroy(&r);
    read_back(to, y);
    for (uint32_t i = 0; i < N; i++)
        MUST(y[i] == half * right[i]);
    vks_vector_destroy(x);
    vks_vector_destroy(alpha);
}

/* The Richardson iteration with a weight of 1, to the last bit; and as the inner method. */
static void try_method(vks_precision p)
{
    static const vks_precond_kind kinds[] = {VKS_PRECOND_NONE, VKS_PRECOND_JACOBI, VKS_PRECOND_NEUMANN};
    uint32_t iterations[3];
    double x[N], other[N];
    for (int i = 0; i < 3; i++) {
        vks_solve_options o = {.method = VKS_METHOD_STATIONARY, .precond = kinds[i]};
        iterations[i] = solve(o, p, x);
        o.method = VKS_METHOD_RICHARDSON;
        MUST(solve(o, p, other) == iterations[i]);
        MUST(!memcmp(x, other, sizeof x));
    }
    MUST(iterations[0] == iterations[1]);
    MUST(2 * iterations[2] <= iterations[0] + 2); /* a step with two terms is two steps */
    vks_precond_options inner = {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_STATIONARY};
    vks_solve_options o = {.method = VKS_METHOD_RICHARDSON, .precond_options = &inner};
    MUST(solve(o, p, x) < iterations[2]);
    MUST(!strcmp(vks_method_name(VKS_METHOD_STATIONARY), "stationary"));
    MUST(vks_method_takes_precond(VKS_METHOD_STATIONARY));
}

static void try_precond(vks_precision p)
{
    vks_matrix *A = matrix(VKS_FORMAT_CSR, p);
    vks_vector *r = vector(right, p), *z = vector(right, p), *q = vector(right, p);
    vks_precond *M = NULL;
    double x[N], got[N], product[N];
    MUST(!vks_precond_create(A, &(vks_precond_options){.kind = VKS_PRECOND_NEUMANN}, &M));
    MUST(!vks_precond_apply(M, r, z));
    MUST(!vks_spmv(A, r, q));
    read_back(z, got);
    read_back(q, product);
    for (uint32_t i = 0; i < N; i++)
        MUST(fabs(got[i] - (2 * right[i] - product[i])) <= (p == VKS_F32 ? 1e-6 : 1e-15));
    MUST(!strcmp(vks_precond_name(VKS_PRECOND_NEUMANN), "neumann"));
    vks_precond_destroy(M);
    vks_vector_destroy(r);
    vks_matrix_destroy(A);
    vks_solve_options o = {.method = VKS_METHOD_CG, .precond = VKS_PRECOND_NONE};
    uint32_t without = solve(o, p, x);
    o.precond = VKS_PRECOND_NEUMANN;
    MUST(solve(o, p, x) < without);
}

static void product(vks_matrix *A, const vks_vector *x, vks_precision p, double *to)
{
    vks_vector *y = vector(right, p);
    MUST(!vks_spmv(A, x, y));
    read_back(y, to);
}

/* Also after new values. A solve shows that products are the format's own, since CSR has a kernel that
 * combines product and dot product. */
static void try_format(vks_precision p)
{
    vks_matrix *A = matrix(VKS_FORMAT_CSR, p), *B = matrix(VKS_FORMAT_CSR_PLAIN, p);
    vks_vector *x = vector(right, p), *b = vector(right, p);
    double times_three[3 * N], want[N], got[N];
    for (uint32_t k = 0; k < row[N]; k++)
        times_three[k] = 3 * val[k];
    for (int turn = 0; turn < 2; turn++) {
        product(A, x, p, want);
        product(B, x, p, got);
        MUST(!memcmp(want, got, sizeof want));
        MUST(!vks_matrix_set_values(A, VKS_F64, times_three));
        MUST(!vks_matrix_set_values(B, VKS_F64, times_three));
    }
    const vks_solve_options o = {.zero_guess = 1, .any_device = 1, .no_direct = 1};
    vks_solve_report of_csr, of_plain;
    MUST(vks_matrix_format_bytes(A) == vks_matrix_format_bytes(B));
    MUST(!vks_solve(A, b, x, &o, &of_csr));
    MUST(!vks_solve(B, b, x, &o, &of_plain));
    MUST(of_plain.reason == VKS_REASON_CONVERGED);
    MUST(of_plain.dispatches_per_iteration == of_csr.dispatches_per_iteration + 1);
    MUST(!strcmp(vks_format_name(VKS_FORMAT_CSR_PLAIN), "csr-plain"));
    vks_vector_destroy(b);
    vks_vector_destroy(x);
    vks_matrix_destroy(A);
    vks_matrix_destroy(B);
}

int main(void)
{
    vks_context_options host = {.device = "host"};
    must(!vks_context_create(&host, &context), "the host device opens");
    make_system();
    for (vks_precision p = VKS_F64; p <= VKS_F32; p++) {
        try_kernel(p);
        try_method(p);
        try_precond(p);
        try_format(p);
    }
    vks_context_destroy(context);
    return 0;
}
