/* Preconditioners made and applied as in solves. */
#ifndef VKS_TESTS_PRECOND_H
#define VKS_TESTS_PRECOND_H

#include "solvers/bounds/lanczos.h"
#include "tests/support/device_matrix.h"
#include "tests/support/solve.h"

static inline vks_precond_options of_degree(uint32_t degree)
{
    return (vks_precond_options){.kind = VKS_PRECOND_CHEBYSHEV, .degree = degree};
}

static inline struct precond *make_precond(vks_context *c, const vks_matrix *A, enum precision p,
                                           vks_precond_options o, struct diagnosis *f)
{
    struct precond *M = NULL;
    bool has_entries = A->csr.row != NULL;
    if (has_entries)
        must_work(c, csr_acquire(A));
    must_work(c, precond_check(A, &o));
    must_work(c, precond_create(A, p, PRECOND_FOR_POSITIVE, &o, f, &M));
    if (has_entries)
        csr_release(A);
    return M;
}

/* Makes a preconditioner, which must suit the matrix. */
static inline struct precond *make_good(vks_context *c, const vks_matrix *A, enum precision p,
                                        vks_precond_options o)
{
    struct diagnosis f = {0};
    struct precond *M = make_precond(c, A, p, o, &f);
    cr_assert_not(diagnosis_refuses(&f), "%s", f.detail);
    return M;
}

/* z = M^-1 v */
static inline double *applied(vks_context *c, const struct precond *M, const double *v)
{
    uint32_t n = M->A->csr.n;
    double *z = room(n, 8);
    OWNED_BY(rec_destroy) struct rec r;
    OWNED(vks_vector) *in = put_vector(c, v, n, M->precision), *out = vector_of(c, M->precision, NULL, n);
    rec_create(&r, c->device, M->precision);
    precond_apply(&r, M, vec_of(in), vec_of(out));
    must_work(c, rec_run(&r));
    must_work(c, vks_vector_read(out, 0, n, VKS_F64, z));
    return z;
}

/* The bound of the eigenvalues of D^-1 A. */
static inline double bound_of(vks_context *c, const vks_matrix *A, enum precision p)
{
    struct diagnosis f = {0};
    double bound = 0;
    struct precond *D = make_good(c, A, p, (vks_precond_options){.kind = VKS_PRECOND_JACOBI});
    must_work(c, lanczos_bound(
                     D, (struct diagonal_matrix){vec_reals(D->diagonal.d), D->diagonal.form == DIAGONAL_EACH},
                     &f, &bound));
    cr_assert_not(diagnosis_refuses(&f), "%s", f.detail);
    precond_destroy(D);
    return bound;
}

static inline double diagonal_at(const struct host_csr *A, uint32_t i)
{
    for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
        if (A->col[k] == i)
            return A->val[k];
    return 0;
}

#endif
