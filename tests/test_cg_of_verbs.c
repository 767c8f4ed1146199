/* Conjugate gradients by public calls alone: Saad, "Iterative methods for sparse linear systems",
 * algorithm 9.1. This is the specification of solvers/method/cg.c, whose fused kernels divide the residual by
 * a scale, and so round otherwise. */
#include "tests/support/solve.h"

#include <criterion/criterion.h>
#include <vksolve/vector_algebra.h>

enum { N = 1600 };

struct vectors {
    vks_vector *b, *d, *x, *r, *z, *p, *q;
};

/* M^-1 = d, a diagonal. Scalars are rounded to the precision of the vectors, as on the device. */
static void iterate(const vks_matrix *A, enum precision p, uint32_t count, const struct vectors *v)
{
    double rho, before, pq;
    cr_assert_eq(vks_vector_fill(v->x, 0), VKS_OK);
    cr_assert_eq(vks_vector_copy(v->b, v->r), VKS_OK);
    cr_assert_eq(vks_vector_multiply(v->d, v->r, v->z), VKS_OK);
    cr_assert_eq(vks_vector_copy(v->z, v->p), VKS_OK);
    cr_assert_eq(vks_vector_dot(v->r, v->z, &rho), VKS_OK);
    for (uint32_t k = 0; k < count; k++) {
        cr_assert_eq(vks_spmv(A, v->p, v->q), VKS_OK);
        cr_assert_eq(vks_vector_dot(v->p, v->q, &pq), VKS_OK);
        double alpha = rounded(p, rho / pq);
        cr_assert_eq(vks_vector_axpy(alpha, v->p, v->x), VKS_OK);
        cr_assert_eq(vks_vector_axpy(-alpha, v->q, v->r), VKS_OK);
        cr_assert_eq(vks_vector_multiply(v->d, v->r, v->z), VKS_OK);
        before = rho;
        cr_assert_eq(vks_vector_dot(v->r, v->z, &rho), VKS_OK);
        cr_assert_eq(vks_vector_axpby(1, v->z, rounded(p, rho / before), v->p), VKS_OK);
    }
}

static vks_vector *new_vector(vks_context *c, enum precision p, const double *values)
{
    vks_vector *v;
    cr_assert_eq(vks_vector_create(c, N, public_precision(p), &v), VKS_OK);
    if (values)
        cr_assert_eq(vks_vector_write(v, 0, N, VKS_F64, values), VKS_OK);
    return v;
}

/* Each iteration adds a few roundings of numbers as large as x; A is dominated by its
 * diagonal. */
static void must_be_near(const double *got, const double *want, uint32_t count, enum precision p)
{
    double largest = 0, worst = 0;
    for (uint32_t i = 0; i < N; i++) {
        largest = fmax(largest, fabs(want[i]));
        worst = fmax(worst, fabs(got[i] - want[i]));
    }
    cr_expect_gt(largest, 0);
    cr_expect_leq(worst, 16 * count * scalar_types[p].roundoff * largest, "%u iterations: %g of %g", count,
                  worst, largest);
}

TestEverywhere(cg_of_verbs, has_the_iterates_of_the_fused_kernels)
{
    OWNED_STRUCT(host_csr) A = random_spd(p, N, 3);
    OWNED(double) *b = random_vector(p, N, 2, 7), *inverse = room(N, sizeof *inverse),
                  *x = room(N, sizeof *x);
    OWNED(vks_matrix) *matrix;
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            if (A.col[k] == i)
                inverse[i] = rounded(p, 1 / A.val[k]);
    vks_matrix_options stored = {.precision = public_precision(p)};
    cr_assert_eq(vks_matrix_from_csr(c, N, N, A.row, A.col, A.val, &stored, &matrix), VKS_OK);
    struct vectors v = {new_vector(c, p, b),    new_vector(c, p, inverse), new_vector(c, p, NULL),
                        new_vector(c, p, NULL), new_vector(c, p, NULL),    new_vector(c, p, NULL),
                        new_vector(c, p, NULL)};
    for (uint32_t count = 1; count < 26; count += 4) {
        struct problem q = {
            &A, b, NULL, p, {.precond = VKS_PRECOND_JACOBI, .rtol = 1e-30, .max_iterations = count}};
        OWNED_STRUCT(solved) s = solve(c, &q);
        iterate(matrix, p, count, &v);
        cr_assert_eq(vks_vector_read(v.x, 0, N, VKS_F64, x), VKS_OK);
        cr_expect_eq(s.report.iterations, count);
        must_be_near(s.x, x, count, p);
    }
    vks_vector *all[] = {v.b, v.d, v.x, v.r, v.z, v.p, v.q};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        vks_vector_destroy(all[k]);
}
