#include "verify/spectrum.h"
#include "verify/named.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The program works on S = sign(D) |D|^-1/2 A |D|^-1/2, which is similar to D^-1 A, and symmetric if A is and
 * D has one sign. A D^-1, which maps residuals, is |D|^1/2 sign(D) S sign(D) |D|^-1/2. */
struct scaled {
    const struct host_csr *A;
    double *left, *right; /* sign(D) |D|^-1/2 and |D|^-1/2 */
    bool symmetric;
    double spread; /* the square root of the largest |D| over the smallest */
};

void spectrum_free(struct spectrum *s)
{
    free(s->re);
    free(s->im);
    free(s->smaller_re);
    free(s->smaller_im);
    *s = (struct spectrum){0};
}

static double radius(const double *re, const double *im, uint32_t count, double w)
{
    double most = 0;
    for (uint32_t k = 0; k < count; k++)
        most = fmax(most, hypot(1 - w * re[k], w * im[k]));
    return most;
}

double spectrum_radius(const struct spectrum *s, double w, double *change)
{
    double r = radius(s->re, s->im, s->count, w);
    *change = s->smaller ? fabs(r - radius(s->smaller_re, s->smaller_im, s->smaller, w)) : 0;
    return r;
}

static bool has_twin(const struct host_csr *A, uint32_t i, uint32_t e)
{
    uint32_t j = A->col[e], low = A->row[j], high = A->row[j + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (A->col[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < A->row[j + 1] && A->col[low] == i && A->val[low] == A->val[e];
}

static bool is_symmetric(const struct host_csr *A)
{
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++)
            if (A->val[e] != 0 && !has_twin(A, i, e))
                return false;
    return true;
}

static vks_status scale(const struct host_csr *A, const double *D, struct scaled *S)
{
    uint32_t n = A->rows;
    double most = 0, least = INFINITY;
    *S = (struct scaled){.A = A, .symmetric = is_symmetric(A)};
    S->left = malloc((n + (size_t)1) * sizeof *S->left);
    S->right = malloc((n + (size_t)1) * sizeof *S->right);
    if (!S->left || !S->right)
        return VKS_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < n; i++) {
        S->right[i] = 1 / sqrt(fabs(D[i]));
        S->left[i] = D[i] < 0 ? -S->right[i] : S->right[i];
        S->symmetric = S->symmetric && (D[i] < 0) == (D[0] < 0);
        most = fmax(most, fabs(D[i]));
        least = fmin(least, fabs(D[i]));
    }
    S->spread = sqrt(most / least);
    return VKS_OK;
}

#define DEFECTIVE 1e-14 /* eigenvectors that are dependent up to rounding */

/* All eigenvalues of an m x m matrix by columns, which is overwritten; with the condition number of the
 * eigenvectors if `growth` is not NULL. Those of a complex pair are stored as real and imaginary part, which
 * is a root of 2 times a unitary change of basis. */
static bool eigenvalues(double *A, uint32_t m, double *re, double *im, double *growth)
{
    lapack_int n = (lapack_int)m;
    double *V = growth ? malloc(((size_t)m * m + 1) * sizeof *V) : NULL,
           *size = malloc((m + (size_t)1) * sizeof *size), none;
    bool done = size && (V || !growth) &&
                !LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', growth ? 'V' : 'N', n, A, n, re, im, &none, 1,
                               growth ? V : &none, growth ? n : 1);
    if (done && growth)
        done = !LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', n, n, V, n, size, &none, 1, &none, 1);
    if (done && growth)
        *growth = size[m - 1] > DEFECTIVE * size[0] ? sqrt(2) * size[0] / size[m - 1] : INFINITY;
    free(V);
    free(size);
    return done;
}

static vks_status find_all(struct message *m, const struct scaled *S, struct spectrum *s)
{
    uint32_t n = S->A->rows;
    double *dense = calloc((size_t)n * n + 1, sizeof *dense);
    s->re = calloc(n + (size_t)1, sizeof *s->re);
    s->im = calloc(n + (size_t)1, sizeof *s->im);
    s->count = n;
    bool done = dense && s->re && s->im;
    if (!done)
        set_message(m, "out of host memory for a dense matrix of %u rows", n);
    for (uint32_t i = 0; i < n && done; i++)
        for (uint32_t e = S->A->row[i]; e < S->A->row[i + 1]; e++)
            dense[(size_t)S->A->col[e] * n + i] = S->A->val[e] * (S->left[i] * S->right[S->A->col[e]]);
    if (done && S->symmetric) {
        s->how = "dsyev";
        done = !LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'N', 'L', (lapack_int)n, dense, (lapack_int)n, s->re);
        s->growth = S->spread;
    } else if (done) {
        s->how = "dgeev";
        done = eigenvalues(dense, n, s->re, s->im, &s->growth);
        s->growth *= S->spread;
    }
    free(dense);
    return done ? VKS_OK : fail(m, VKS_LIMIT, "LAPACK did not find the eigenvalues");
}

static void multiply(const struct scaled *S, const double *x, double *y)
{
    const struct host_csr *A = S->A;
    for (uint32_t i = 0; i < A->rows; i++) {
        double sum = 0;
        for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++)
            sum += A->val[e] * (S->left[i] * S->right[A->col[e]]) * x[A->col[e]];
        y[i] = sum;
    }
}

static double dot(const double *x, const double *y, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void add(double a, const double *x, double *y, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

enum { MOST_STEPS = 240, MOST_ELEMENTS = 12000000 };

/* Arnoldi's method with Gram-Schmidt twice (Saad, "Numerical methods for large eigenvalue problems", 6.2);
 * for a symmetric S it is Lanczos's with full orthogonalisation. Returns the dimension of the space, whose H
 * is stored by columns of `most`. */
static uint32_t arnoldi(const struct scaled *S, double *V, double *H, uint32_t most)
{
    uint32_t n = S->A->rows;
    uint64_t state = 5;
    for (uint32_t i = 0; i < n; i++)
        V[i] = next_random(&state);
    double size = sqrt(dot(V, V, n));
    for (uint32_t i = 0; i < n; i++)
        V[i] /= size;
    for (uint32_t k = 0; k < most; k++) {
        double *v = V + (size_t)(k + 1) * n, before;
        multiply(S, V + (size_t)k * n, v);
        before = sqrt(dot(v, v, n));
        for (int twice = 0; twice < 2; twice++)
            for (uint32_t j = 0; j <= k; j++) {
                double h = dot(V + (size_t)j * n, v, n);
                H[(size_t)k * most + j] += h;
                add(-h, V + (size_t)j * n, v, n);
            }
        size = sqrt(dot(v, v, n));
        if (!(size > 1e-12 * before))
            return k + 1; /* the space is invariant */
        if (k + 1 < most)
            H[(size_t)k * most + k + 1] = size;
        for (uint32_t i = 0; i < n; i++)
            v[i] /= size;
    }
    return most;
}

/* The leading part of H, whose columns are `ld` apart. */
static bool ritz_values(const double *H, uint32_t ld, uint32_t count, double **re, double **im)
{
    double *part = malloc(((size_t)count * count + 1) * sizeof *part);
    *re = calloc(count + (size_t)1, sizeof **re);
    *im = calloc(count + (size_t)1, sizeof **im);
    for (uint32_t k = 0; k < count && part; k++)
        memcpy(part + (size_t)k * count, H + (size_t)k * ld, count * sizeof *part);
    bool done = part && *re && *im && eigenvalues(part, count, *re, *im, NULL);
    free(part);
    return done;
}

static vks_status find_some(struct message *m, const struct scaled *S, struct spectrum *s)
{
    uint32_t n = S->A->rows, most = MOST_ELEMENTS / n < MOST_STEPS ? MOST_ELEMENTS / n : MOST_STEPS;
    double *V = malloc(((size_t)most + 1) * n * sizeof *V), *H = calloc((size_t)most * most + 1, sizeof *H);
    bool done = V && H && most >= 4;
    if (done) {
        s->count = arnoldi(S, V, H, most);
        s->smaller = s->count < most ? 0 : s->count / 4 * 3;
        done = ritz_values(H, most, s->count, &s->re, &s->im) &&
               (!s->smaller || ritz_values(H, most, s->smaller, &s->smaller_re, &s->smaller_im));
    }
    s->how = S->symmetric ? "Lanczos" : "Arnoldi";
    s->growth = S->symmetric ? S->spread : INFINITY;
    free(V);
    free(H);
    return done ? VKS_OK : fail(m, VKS_LIMIT, "no Ritz values: out of memory, or LAPACK did not find them");
}

vks_status spectrum_find(struct message *m, const struct host_csr *A, const double *D, uint32_t exact,
                         struct spectrum *s)
{
    struct scaled S;
    *s = (struct spectrum){0};
    vks_status status = scale(A, D, &S);
    if (status)
        set_message(m, "out of host memory for a scaled matrix");
    else
        status = A->rows <= exact ? find_all(m, &S, s) : find_some(m, &S, s);
    free(S.left);
    free(S.right);
    return status;
}
