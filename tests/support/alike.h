/* Products by formats: they have the bits of CSR or, if a format has its own order, agree within the rounding
 * of any order. */
#ifndef VKS_TESTS_ALIKE_H
#define VKS_TESTS_ALIKE_H

#include "sparse/matrix.h"
#include "tests/support/matrix.h"

/* Any order of the sum of m products, each rounded once: |error| <= gamma(m) sum |a x|, gamma(m) = m u / (1 -
 * m u), by N. J. Higham, "Accuracy and Stability of Numerical Algorithms" (2002), section 3.1; u is half a
 * unit in the last place. Two orders differ by at most twice that. If a value is not finite, no error can be
 * bounded, and the result must match exactly. */
static inline void must_be_near(enum precision p, const struct host_csr *A, const double *x,
                                const double *got, const double *want, double times, const char *what)
{
    double u = p == PRECISION_F64 ? ldexp(1, -53) : ldexp(1, -24);
    for (uint32_t i = 0; i < A->rows; i++) {
        double sum = 0, m = A->row[i + 1] - A->row[i];
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            sum += fabs(A->val[k] * x[A->col[k]]);
        double bound = times * 1.01 * m * u / (1 - m * u) * sum;
        bool good = isfinite(sum) ? fabs(got[i] - want[i]) <= bound : same_bits(got[i], want[i]);
        cr_assert(good, "%s: row %u of %g entries is %.17g instead of %.17g, which is more than %.3g", what,
                  i, m, got[i], want[i], bound);
    }
}

/* Has the bits of CSR, unless the format of M has its own order; A is the same matrix in host memory. */
static inline void must_be_alike(const vks_matrix *M, enum precision p, const struct host_csr *A,
                                 const double *x, const double *got, const double *want, const char *what)
{
    if (M->ops->own_order)
        must_be_near(p, A, x, got, want, 2, what);
    else
        must_equal(got, want, A->rows, what);
}

#endif
