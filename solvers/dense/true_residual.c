/* The residual of a dense system on the host, as if in twice the precision of doubles: algorithm 5.3 (Dot2)
 * of T. Ogita, S. M. Rump, S. Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26 (2005). */
#include "solvers/dense/call.h"

#include <math.h>
#include <stdlib.h>

/* A is n x n, by rows. */
struct host_system {
    uint32_t n;
    double *A, *b, *x;
};

/* sum += v; returns the rounding error */
static double add(double *sum, double v)
{
    double before = *sum, now = before + v, part = now - before;
    *sum = now;
    return (before - (now - part)) + (v - part);
}

static double residual_of_row(const struct host_system *w, uint32_t i)
{
    double sum = w->b[i], rest = 0;
    for (uint32_t j = 0; j < w->n; j++) {
        double a = -w->A[(size_t)i * w->n + j], product = a * w->x[j];
        rest += fma(a, w->x[j], -product) + add(&sum, product);
    }
    return sum + rest;
}

static double norm_of(const double *v, uint32_t n, size_t stride)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += fabs(v[i * stride]);
    return sum;
}

static void measure(const struct host_system *w, double *residual, double *backward_error)
{
    double r = 0, of_A = 0, b = norm_of(w->b, w->n, 1);
    for (uint32_t i = 0; i < w->n; i++) {
        r += fabs(residual_of_row(w, i));
        of_A = fmax(of_A, norm_of(w->A + i, w->n, w->n));
    }
    *residual = r == 0 ? 0 : r / b;
    *backward_error = r == 0 ? 0 : relative_to_system(r, of_A, norm_of(w->x, w->n, 1), b);
}

vks_status true_residual(const vks_dense *A, const vks_dense *B, const vks_dense *X, double *residual,
                         double *backward_error)
{
    size_t n = A->rows, elements = n * (n + 2);
    double *room = malloc((elements + 1) * sizeof *room); /* + 1: so that NULL is a failure */
    if (!room)
        return fail_memory(&A->context->message, "a copy of the system", elements * sizeof *room);
    struct host_system w = {A->rows, room, room + n * n, room + n * n + n};
    vks_status s = vks_dense_get(A, VKS_F64, w.A, n);
    IF_OK(s, vks_dense_get(B, VKS_F64, w.b, 1));
    IF_OK(s, vks_dense_get(X, VKS_F64, w.x, 1));
    if (!s)
        measure(&w, residual, backward_error);
    free(room);
    return s;
}
