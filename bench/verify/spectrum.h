/* The eigenvalues that determine how a Jacobi iteration behaves, computed independently of it. */
#ifndef VKS_BENCH_SPECTRUM_H
#define VKS_BENCH_SPECTRUM_H

#include "entries/host_csr.h"
#include <stdbool.h>

/* Eigenvalues of D^-1 A: all of them, or Ritz values of a Krylov space, whose extreme values are the most
 * accurate. */
struct spectrum {
    const char *how; /* "dsyev", "dgeev", "Lanczos" or "Arnoldi" */
    uint32_t count,
        smaller; /* values; and those of a smaller space, which show how far they have converged */
    double *re, *im;
    double *smaller_re, *smaller_im;
    /* ||(I - w A D^-1)^k|| <= growth radius^k: the condition number of the eigenvectors; INFINITY if
     * unknown. */
    double growth;
};

/* Finds all of them if A has up to `exact` rows. D has no zeros. VKS_OUT_OF_MEMORY; VKS_LIMIT: LAPACK did not
 * find them. spectrum_free is valid even after a failure. */
vks_status spectrum_find(struct message *m, const struct host_csr *A, const double *D, uint32_t exact,
                         struct spectrum *s);
void spectrum_free(struct spectrum *s);

/* The spectral radius of I - w D^-1 A, and how much it has changed since the smaller space. */
double spectrum_radius(const struct spectrum *s, double w, double *change);

#endif
