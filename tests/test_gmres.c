/* GMRES(m): its residuals are those of the definition, its bits are the same on host and GPU, it ends with
 * the reason, and it refuses a restart that it cannot have. */
#include "small_matrix.h"
#include "tests/support/unsymmetric.h"

enum { N = 120, M = 6, COUNT = 18 };

static struct problem problem_of(const struct host_csr *A, const double *b, enum precision p,
                                 vks_solve_options o)
{
    o.method = VKS_METHOD_GMRES;
    o.scaling = VKS_SCALING_NONE;
    return (struct problem){.A = A, .b = b, .p = p, .options = o};
}

typedef long double wide[N];

static void product(const struct host_csr *A, const long double *v, long double *t)
{
    for (uint32_t i = 0; i < N; i++) {
        t[i] = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            t[i] += A->val[k] * v[A->col[k]];
    }
}

static long double dot_of(const long double *a, const long double *b)
{
    long double sum = 0;
    for (uint32_t i = 0; i < N; i++)
        sum += a[i] * b[i];
    return sum;
}

static void take_off(long double alpha, const long double *v, long double *from)
{
    for (uint32_t i = 0; i < N; i++)
        from[i] -= alpha * v[i];
}

/* The least ||b - A x|| over x of the restarted Krylov spaces: r less its part in the span of A times those
 * spaces, whose orthonormal basis is made by Gram-Schmidt. No Hessenberg matrix, and no rotation. */
static void definition(const struct host_csr *A, const double *b, double *norm)
{
    static wide image[M], r, rest, power;
    for (uint32_t i = 0; i < N; i++)
        r[i] = b[i];
    for (uint32_t done = 0; done < COUNT; done++) {
        uint32_t j = done % M;
        memcpy(power, j ? image[j - 1] : r, sizeof power);
        memcpy(rest, r, sizeof rest);
        product(A, power, image[j]);
        for (int twice = 0; twice < 2; twice++)
            for (uint32_t k = 0; k < j; k++)
                take_off(dot_of(image[k], image[j]), image[k], image[j]);
        long double length = sqrtl(dot_of(image[j], image[j]));
        for (uint32_t i = 0; i < N; i++)
            image[j][i] /= length;
        for (uint32_t k = 0; k <= j; k++)
            take_off(dot_of(image[k], rest), image[k], rest);
        norm[done] = (double)sqrtl(dot_of(rest, rest));
        if (j + 1 == M)
            memcpy(r, rest, sizeof r);
    }
}

static void follow_the_definition(vks_context *c, enum precision p)
{
    struct host_csr A = random_unsymmetric(p, N, 3);
    double *b = random_right_side(&A, p, 5), norm[COUNT], bb = 0;
    vks_solve_options o = {.precond = VKS_PRECOND_NONE,
                           .rtol = 1e-14,
                           .zero_guess = 1,
                           .restart = M,
                           .max_iterations = COUNT,
                           .history_capacity = COUNT};
    struct problem q = problem_of(&A, b, p, o);
    struct solved s = solve(c, &q);
    definition(&A, b, norm);
    for (uint32_t i = 0; i < N; i++)
        bb += b[i] * b[i];
    uint32_t same = s.report.history_count;
    cr_assert_geq(same, M + 2);
    same = p == PRECISION_F32 ? M + 2 : same;
    for (uint32_t i = 0; i < same; i++) {
        double want = norm[i] / sqrt(bb), slack = p == PRECISION_F32 ? 1e-5 : 1e-13;
        cr_assert(fabs(s.history[i] - want) <= slack, "iteration %u: %.17g, not %.17g", i + 1, s.history[i],
                  want);
    }
    solved_free(&s);
    free(b);
    host_csr_free(&A);
}

Test(gmres, residuals_are_those_of_the_definition)
{
    in_both_precisions(open_host(), follow_the_definition);
}

static const uint32_t sizes[] = {1, 2, 33, 257, 513};

static void compare(enum precision p)
{
    static const vks_precond_kind kinds[] = {VKS_PRECOND_JACOBI, VKS_PRECOND_BLOCK_JACOBI, VKS_PRECOND_NONE};
    vks_context *host = open_host(), *gpu = open_gpu();
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct host_csr A = random_unsymmetric(p, sizes[k], 10 + k);
        double *b = random_right_side(&A, p, 20 + k);
        vks_solve_options o = {.precond = kinds[k % 3],
                               .restart = k == 2 ? 1 : 11,
                               .max_iterations = 40,
                               .history_capacity = 40};
        struct problem q = problem_of(&A, b, p, o);
        struct solved s = solve_on_both(host, gpu, &q, vks_precond_name(kinds[k % 3]));
        solved_free(&s);
        free(b);
        host_csr_free(&A);
    }
    close_context(host);
    close_context(gpu);
}

Test(gmres, host_and_gpu_give_the_same_bits_in_f64)
{
    compare(PRECISION_F64);
}

Test(gmres, host_and_gpu_give_the_same_bits_in_f32)
{
    compare(PRECISION_F32);
}

/* b is the first unit vector. */
static struct solved end(vks_context *c, const struct host_csr *A, vks_solve_options o)
{
    double *b = room(A->rows, 8);
    b[0] = 1;
    o.precond = VKS_PRECOND_NONE;
    o.history_capacity = 2000;
    struct problem q = problem_of(A, b, PRECISION_F64, o);
    struct solved s = solve(c, &q);
    free(b);
    return s;
}

static void must_say(const struct solved *s, vks_reason reason, const char *part)
{
    must_end(s, reason);
    cr_expect(strstr(s->report.detail, part), "\"%s\" does not say \"%s\"", s->report.detail, part);
    cr_expect_leq(s->report.true_residual, s->report.initial_residual);
}

/* Row i has a one in column i + 1, the last in the first. */
static struct host_csr cyclic_shift(uint32_t n)
{
    uint32_t *row = room(n, 4), *col = room(n, 4);
    double *val = room(n, 8);
    for (uint32_t i = 0; i < n; i++) {
        row[i] = i;
        col[i] = (i + 1) % n;
        val[i] = 1;
    }
    struct host_csr A = assemble(n, n, row, col, val);
    free(row);
    free(col);
    free(val);
    return A;
}

Test(gmres, of_a_cyclic_shift_is_done_in_n_iterations_or_stagnates)
{
    vks_context *c = open_host();
    struct host_csr A = cyclic_shift(40);
    struct solved s = end(c, &A, (vks_solve_options){.restart = 40});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.iterations, 40);
    solved_free(&s);
    s = end(c, &A, (vks_solve_options){.restart = 39});
    must_say(&s, VKS_REASON_STAGNATED, "in 300 iterations");
    solved_free(&s);
    close_context(c);
    host_csr_free(&A);
}

Test(gmres, ends_with_the_reason)
{
    vks_context *c = open_host();
    struct host_csr zero = tridiagonal(40, 0, 0, 0), A = tridiagonal(40, -1, 4, 2);
    struct solved s = end(c, &zero, (vks_solve_options){0});
    must_say(&s, VKS_REASON_BREAKDOWN, "iteration 1: A is singular");
    solved_free(&s);
    s = end(c, &A, (vks_solve_options){.max_iterations = 7, .restart = 3});
    must_say(&s, VKS_REASON_ITERATION_LIMIT, "");
    cr_expect_eq(s.report.iterations, 7);
    solved_free(&s);
    A.val[A.row[7]] = NAN;
    s = end(c, &A, (vks_solve_options){0});
    cr_expect_eq(s.report.reason, VKS_REASON_NOT_FINITE);
    solved_free(&s);
    close_context(c);
    host_csr_free(&zero);
    host_csr_free(&A);
}

Test(gmres, alone_takes_a_restart_of_1_to_100)
{
    vks_context *c = open_host();
    struct host_csr A = tridiagonal(4, -1, 4, 2);
    vks_matrix *m = NULL;
    must_work(c, vks_matrix_from_csr(c, 4, 4, A.row, A.col, A.val, NULL, &m));
    vks_vector *b = vector_of(c, PRECISION_F64, NULL, 4), *x = vector_of(c, PRECISION_F64, NULL, 4);
    vks_solve_options o = {.method = VKS_METHOD_GMRES, .restart = 101};
    must_refuse(c, vks_solve(m, b, x, &o, NULL), VKS_INVALID_ARGUMENT, "101");
    o = (vks_solve_options){.method = VKS_METHOD_BICGSTAB, .restart = 5};
    must_refuse(c, vks_solve(m, b, x, &o, NULL), VKS_INVALID_ARGUMENT, "bicgstab has no restart, and 5");
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(m);
    close_context(c);
    host_csr_free(&A);
}
