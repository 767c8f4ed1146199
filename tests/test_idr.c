/* IDR(4): its residuals are those of the textbook, its bits are the same on host and GPU, and it reports the
 * reason of its ending. */
#include "tests/support/krylov.h"

typedef uint32_t uint;
#define INLINE static inline
#include "shaders/hash.glsl"

enum { S = 4, N = 300 };

typedef long double wide[N];

/* t = A D^-1 v, with the diagonal d. */
static void apply(const struct host_csr *A, const long double *d, const long double *v, long double *t)
{
    wide z;
    for (uint32_t i = 0; i < N; i++)
        z[i] = v[i] / d[i];
    wide_product(A, z, t);
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

/* IDR(4) as in van Gijzen and Sonneveld (2011), from x = 0, with their bi-orthogonal directions recomputed
 * from the shadow vectors in each step: the norms of `count` residuals. */
static void textbook(const struct host_csr *A, const double *b, const long double *d, uint32_t count,
                     double *norm)
{
    static wide G[S], U[S], r, v, t;
    long double M[S][S] = {{0}}, omega = 1;
    for (uint32_t k = 0; k < S; k++) {
        memset(G[k], 0, sizeof G[k]);
        memset(U[k], 0, sizeof U[k]);
        M[k][k] = 1;
    }
    wide_copy(N, b, r);
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
            wide_product(A, U[k], G[k]);
            for (uint32_t j = 0; j < k; j++) {
                long double alpha = shadow_sum(j, G[k]) / M[j][j];
                wide_take_off(N, alpha, G[j], G[k]);
                wide_take_off(N, alpha, U[j], U[k]);
            }
            for (uint32_t i = k; i < S; i++)
                M[i][k] = shadow_sum(i, G[k]);
            wide_take_off(N, shadow_sum(k, r) / M[k][k], G[k], r);
            norm[done++] = wide_norm(N, r);
        }
        if (done == count)
            return;
        apply(A, d, r, t);
        long double tt = wide_dot(N, t, t), tr = wide_dot(N, t, r),
                    cosine = fabsl(tr) / sqrtl(tt * wide_dot(N, r, r));
        omega = tr / tt * (cosine < 0.6875L ? 0.6875L / cosine : 1);
        wide_take_off(N, omega, t, r);
        norm[done++] = wide_norm(N, r);
    }
}

enum { COUNT = 20 };

/* Rounding errors grow with the iterations, at most by a digit in a cycle. */
TestInBothPrecisions(idr, residuals_are_those_of_the_textbook)
{
    static const vks_precond_kind kinds[] = {VKS_PRECOND_NONE, VKS_PRECOND_JACOBI, VKS_PRECOND_BLOCK_JACOBI};
    OWNED_STRUCT(host_csr) A = random_unsymmetric(p, N, 3);
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
        struct problem q = problem_of(VKS_METHOD_IDR, &A, b, p, o);
        OWNED_STRUCT(solved) s = solve(c, &q);
        textbook(&A, b, d, COUNT, norm);
        double slack = p == PRECISION_F32 ? 2e-5 : 1e-13;
        uint32_t same = p == PRECISION_F32 ? 7 : COUNT;
        for (uint32_t i = 0; i < same; i++) {
            double want = norm[i] / (double)sqrtl(bb);
            cr_assert(fabs(s.history[i] - want) <= slack * (1 << (2 * i / 5)) * (want + 1),
                      "product %u by %s: %.17g, not %.17g", i + 1, vks_precond_name(kinds[k]), s.history[i],
                      want);
        }
    }
    free(b);
}

Test(idr, host_and_gpu_give_the_same_bits_in_f64)
{
    walk_over_sizes(VKS_METHOD_IDR, PRECISION_F64, (vks_solve_options){0});
}

Test(idr, host_and_gpu_give_the_same_bits_in_f32)
{
    walk_over_sizes(VKS_METHOD_IDR, PRECISION_F32, (vks_solve_options){0});
}

Test(idr, does_not_break_down_on_a_few_rows_or_elements)
{
    walk_over_whole_numbers(VKS_METHOD_IDR);
}

static void must_end_as(vks_context *c, const struct host_csr *A, vks_solve_options o, vks_reason reason,
                        const char *part)
{
    must_end_so(c, VKS_METHOD_IDR, A, NULL, o, reason, part);
}

TestOnHost(idr, ends_with_the_reason)
{
    OWNED_STRUCT(host_csr) zero = tridiagonal(40, 0, 0, 0), skew = tridiagonal(600, -1, 0.001, 1);
    must_end_as(c, &zero, (vks_solve_options){0}, VKS_REASON_BREAKDOWN,
                "product 1: p.g = 0.000e+00, where g.g = 0.000e+00");
    must_end_as(c, &zero, (vks_solve_options){.precond = VKS_PRECOND_JACOBI}, VKS_REASON_ZERO_DIAGONAL,
                "row 1");
    must_end_as(c, &skew, (vks_solve_options){.max_iterations = 100000}, VKS_REASON_STAGNATED,
                "in 300 products");
    must_end_at_limits_and_nans(c, VKS_METHOD_IDR);
}
