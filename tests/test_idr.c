/* IDR(4): its residuals are those of the textbook, its bits are the same on host and GPU, and it ends with
 * the reason. */
#include "host/hash.h"
#include "small_matrix.h"
#include "tests/support/unsymmetric.h"
#include "vksolve/kept_solver.h"
#include "vksolve/precond.h"

enum { S = 4, N = 300 };

static struct problem problem_of(const struct host_csr *A, const double *b, enum precision p,
                                 vks_solve_options o)
{
    o.method = VKS_METHOD_IDR;
    o.scaling = VKS_SCALING_NONE;
    return (struct problem){.A = A, .b = b, .p = p, .options = o};
}

typedef long double wide[N];

/* t = A D^-1 v, with D^-1 = 1 / d for the diagonal d of A, or without it. */
static void apply(const struct host_csr *A, const long double *d, const long double *v, long double *z,
                  long double *t)
{
    for (uint32_t i = 0; i < N; i++)
        z[i] = v[i] / d[i];
    for (uint32_t i = 0; i < N; i++) {
        t[i] = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            t[i] += A->val[k] * z[A->col[k]];
    }
}

static long double dot_of(const long double *a, const long double *b)
{
    long double sum = 0;
    for (uint32_t i = 0; i < N; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Element i of shadow vector k in the first start. */
static long double shadow(uint32_t i, uint32_t k)
{
    return (hash(i ^ hash(1)) >> (8 + k)) & 1 ? -1 : 1;
}

static long double shadow_sum(uint32_t k, const long double *v)
{
    long double sum = 0;
    for (uint32_t i = 0; i < N; i++)
        sum += shadow(i, k) * v[i];
    return sum;
}

/* IDR(4) as van Gijzen and Sonneveld (2011) have it, from x = 0, with their bi-orthogonal directions made
 * anew from the shadow vectors themselves in each step: the norms of `count` residuals. */
static void textbook(const struct host_csr *A, const double *b, const long double *d, uint32_t count,
                     double *norm)
{
    static wide G[S], U[S], r, v, t, z;
    long double M[S][S] = {{0}}, omega = 1;
    for (uint32_t k = 0; k < S; k++) {
        memset(G[k], 0, sizeof G[k]);
        memset(U[k], 0, sizeof U[k]);
        M[k][k] = 1;
    }
    for (uint32_t i = 0; i < N; i++)
        r[i] = b[i];
    for (uint32_t done = 0; done < count;) {
        for (uint32_t k = 0; k < S && done < count; k++) {
            long double c[S] = {0};
            for (uint32_t i = k; i < S; i++) {
                c[i] = shadow_sum(i, r);
                for (uint32_t j = k; j < i; j++)
                    c[i] -= M[i][j] * c[j];
                c[i] /= M[i][i];
            }
            for (uint32_t i = 0; i < N; i++) {
                v[i] = r[i];
                for (uint32_t j = k; j < S; j++)
                    v[i] -= c[j] * G[j][i];
            }
            for (uint32_t i = 0; i < N; i++) {
                long double u = omega * v[i] / d[i];
                for (uint32_t j = k; j < S; j++)
                    u += c[j] * U[j][i];
                v[i] = u;
            }
            memcpy(U[k], v, sizeof v);
            for (uint32_t i = 0; i < N; i++)
                v[i] *= d[i];
            apply(A, d, v, z, G[k]);
            for (uint32_t j = 0; j < k; j++) {
                long double alpha = shadow_sum(j, G[k]) / M[j][j];
                for (uint32_t i = 0; i < N; i++) {
                    G[k][i] -= alpha * G[j][i];
                    U[k][i] -= alpha * U[j][i];
                }
            }
            for (uint32_t i = k; i < S; i++)
                M[i][k] = shadow_sum(i, G[k]);
            long double beta = shadow_sum(k, r) / M[k][k];
            for (uint32_t i = 0; i < N; i++)
                r[i] -= beta * G[k][i];
            norm[done++] = (double)sqrtl(dot_of(r, r));
        }
        if (done == count)
            return;
        apply(A, d, r, z, t);
        long double tt = dot_of(t, t), tr = dot_of(t, r), cosine = fabsl(tr) / sqrtl(tt * dot_of(r, r));
        omega = tr / tt * (cosine < 0.6875L ? 0.6875L / cosine : 1);
        for (uint32_t i = 0; i < N; i++)
            r[i] -= omega * t[i];
        norm[done++] = (double)sqrtl(dot_of(r, r));
    }
}

enum { COUNT = 20 };

/* Rounding grows with the iterations, a digit in a cycle at most. */
static void follow_the_textbook(vks_context *c, enum precision p)
{
    static const vks_precond_kind kinds[] = {VKS_PRECOND_NONE, VKS_PRECOND_JACOBI, VKS_PRECOND_BLOCK_JACOBI};
    struct host_csr A = random_unsymmetric(p, N, 3);
    double *b = random_right_side(&A, p, 5), norm[COUNT];
    for (int k = 0; k < 3; k++) {
        long double d[N], bb = 0;
        for (uint32_t i = 0; i < N; i++) {
            d[i] = kinds[k] == VKS_PRECOND_NONE ? 1 : 2 + (i % 8) / 8.0L;
            bb += (long double)b[i] * b[i];
        }
        vks_solve_options o = {.precond = kinds[k],
                               .block_size = kinds[k] == VKS_PRECOND_BLOCK_JACOBI, /* the diagonal */
                               .zero_guess = 1,
                               .rtol = 1e-14,
                               .max_iterations = COUNT,
                               .history_capacity = COUNT};
        struct problem q = problem_of(&A, b, p, o);
        struct solved s = solve(c, &q);
        textbook(&A, b, d, COUNT, norm);
        double slack = p == PRECISION_F32 ? 2e-5 : 1e-13;
        uint32_t same = p == PRECISION_F32 ? 7 : COUNT;
        for (uint32_t i = 0; i < same; i++) {
            double want = norm[i] / (double)sqrtl(bb);
            cr_assert(fabs(s.history[i] - want) <= slack * (1 << (2 * i / 5)) * (want + 1),
                      "product %u by %s: %.17g, not %.17g", i + 1, vks_precond_name(kinds[k]), s.history[i],
                      want);
        }
        solved_free(&s);
    }
    free(b);
    host_csr_free(&A);
}

Test(idr, residuals_are_those_of_the_textbook)
{
    in_both_precisions(open_host(), follow_the_textbook);
}

static const uint32_t sizes[] = {1, 2, 31, 257, 2049};

static void compare(enum precision p)
{
    static const vks_precond_kind kinds[] = {VKS_PRECOND_JACOBI, VKS_PRECOND_BLOCK_JACOBI, VKS_PRECOND_NONE};
    vks_context *host = open_host(), *gpu = open_gpu();
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct host_csr A = random_unsymmetric(p, sizes[k], 10 + k);
        double *b = random_right_side(&A, p, 20 + k);
        struct problem q =
            problem_of(&A, b, p, (vks_solve_options){.precond = kinds[k % 3], .history_capacity = 500});
        struct solved s = solve_on_both(host, gpu, &q, vks_precond_name(kinds[k % 3]));
        must_end(&s, VKS_REASON_CONVERGED);
        solved_free(&s);
        free(b);
        host_csr_free(&A);
    }
    close_context(host);
    close_context(gpu);
}

Test(idr, host_and_gpu_give_the_same_bits_in_f64)
{
    compare(PRECISION_F64);
}

Test(idr, host_and_gpu_give_the_same_bits_in_f32)
{
    compare(PRECISION_F32);
}

/* b is 1, 2, 3, 1 ... */
static struct solved end(vks_context *c, const struct host_csr *A, vks_solve_options o)
{
    double *b = room(A->rows, 8);
    for (uint32_t i = 0; i < A->rows; i++)
        b[i] = 1 + i % 3;
    o.history_capacity = 1000;
    struct problem q = problem_of(A, b, PRECISION_F64, o);
    struct solved s = solve(c, &q);
    free(b);
    return s;
}

static void must_say(const struct solved *s, vks_reason reason, const char *part)
{
    must_end(s, reason);
    cr_expect(strstr(s->report.detail, part), "\"%s\" does not say \"%s\"", s->report.detail, part);
    cr_expect_leq(s->report.true_residual, s->report.initial_residual, "the best x is kept");
}

Test(idr, ends_with_the_reason)
{
    vks_context *c = open_host();
    struct host_csr zero = tridiagonal(40, 0, 0, 0), shift = tridiagonal(600, -1, 0.001, 1),
                    A = tridiagonal(40, -1, 4, 2);
    vks_solve_options none = {.precond = VKS_PRECOND_NONE};
    struct solved s = end(c, &zero, none);
    must_say(&s, VKS_REASON_BREAKDOWN, "product 1: p.g = 0.000e+00, where g.g = 0.000e+00");
    solved_free(&s);
    s = end(c, &zero, (vks_solve_options){0});
    must_say(&s, VKS_REASON_ZERO_DIAGONAL, "row 1");
    solved_free(&s);
    none.max_iterations = 17;
    s = end(c, &shift, none);
    must_say(&s, VKS_REASON_ITERATION_LIMIT, "");
    cr_expect_eq(s.report.iterations, 17);
    solved_free(&s);
    none.max_iterations = 100000;
    s = end(c, &shift, none);
    must_say(&s, VKS_REASON_STAGNATED, "in 300 products");
    solved_free(&s);
    A.val[A.row[7]] = NAN;
    s = end(c, &A, none);
    cr_expect_eq(s.report.reason, VKS_REASON_NOT_FINITE);
    solved_free(&s);
    close_context(c);
    host_csr_free(&zero);
    host_csr_free(&shift);
    host_csr_free(&A);
}
