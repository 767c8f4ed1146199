/* Errors of solutions and inverses, computed in long double. */
#include "verify/specimen.h"

#include <math.h>
#include <stdlib.h>

double norm_rows(const double *A, uint32_t n)
{
    double norm = 0;
    for (uint32_t i = 0; i < n; i++) {
        double sum = 0;
        for (uint32_t j = 0; j < n; j++)
            sum += fabs(A[(size_t)i * n + j]);
        norm = sum > norm || isnan(sum) ? sum : norm;
    }
    return norm;
}

double norm_columns(const double *A, uint32_t n)
{
    double *sums = calloc(n + (size_t)1, sizeof *sums), norm = 0;
    if (!sums)
        return NAN;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            sums[j] += fabs(A[(size_t)i * n + j]);
    for (uint32_t j = 0; j < n; j++)
        norm = sums[j] > norm || isnan(sums[j]) ? sums[j] : norm;
    free(sums);
    return norm;
}

/* max |b - A x| for each right-hand side. */
static void residuals(const struct specimen *s, const double *x, double worst[RIGHT_SIDES])
{
    double most[RIGHT_SIDES] = {0};
    for (uint32_t i = 0; i < s->n; i++) {
        long double r[RIGHT_SIDES];
        for (int c = 0; c < RIGHT_SIDES; c++)
            r[c] = s->b[(size_t)i * RIGHT_SIDES + c];
        for (uint32_t j = 0; j < s->n; j++)
            for (int c = 0; c < RIGHT_SIDES; c++)
                r[c] -= (long double)s->A[(size_t)i * s->n + j] * x[(size_t)j * RIGHT_SIDES + c];
        for (int c = 0; c < RIGHT_SIDES; c++)
            most[c] = fmax(most[c], isnan(r[c]) ? INFINITY : (double)fabsl(r[c]));
    }
    for (int c = 0; c < RIGHT_SIDES; c++)
        worst[c] = most[c];
}

static double largest(const double *v, uint32_t n, int c)
{
    double most = 0;
    for (uint32_t i = 0; i < n; i++)
        most = fmax(most, fabs(v[(size_t)i * RIGHT_SIDES + c]));
    return most;
}

double backward_error(const struct specimen *s, const double *x)
{
    double norm = norm_rows(s->A, s->n), r[RIGHT_SIDES], worst = 0;
    residuals(s, x, r);
    for (int c = 0; c < RIGHT_SIDES; c++) {
        double e = r[c] / (norm * largest(x, s->n, c) + largest(s->b, s->n, c));
        worst = r[c] == 0 ? worst : e >= worst ? e : isnan(e) ? INFINITY : worst;
    }
    return worst;
}

enum { AT_ONCE = 4, MOST_COLUMNS = 64 };

/* The sums of magnitudes of a few columns of A X - I; `x` has space for these columns of X side by side. */
static void column_sums(const struct specimen *s, const double *X, const uint32_t *columns, double *x,
                        double *sums)
{
    uint32_t n = s->n;
    for (uint32_t k = 0; k < n; k++)
        for (int c = 0; c < AT_ONCE; c++)
            x[(size_t)AT_ONCE * k + c] = X[(size_t)k * n + columns[c]];
    for (int c = 0; c < AT_ONCE; c++)
        sums[c] = 0;
    for (uint32_t i = 0; i < n; i++) {
        long double r[AT_ONCE];
        for (int c = 0; c < AT_ONCE; c++)
            r[c] = i == columns[c] ? -1 : 0;
        for (uint32_t k = 0; k < n; k++)
            for (int c = 0; c < AT_ONCE; c++)
                r[c] += (long double)s->A[(size_t)i * n + k] * x[(size_t)AT_ONCE * k + c];
        for (int c = 0; c < AT_ONCE; c++)
            sums[c] += (double)fabsl(r[c]);
    }
}

double right_error(const struct specimen *s, const double *X)
{
    uint32_t n = s->n, count = n < MOST_COLUMNS ? n : MOST_COLUMNS;
    double worst = 0, size = norm_columns(s->A, n) * norm_columns(X, n);
    if (!isfinite(size))
        return INFINITY; /* long double arithmetic on NaNs is slow */
    for (uint32_t first = 0; first < count; first += AT_ONCE) {
        uint32_t columns[AT_ONCE];
        double sums[AT_ONCE], *x = malloc(AT_ONCE * (size_t)n * sizeof *x);
        for (uint32_t c = 0; c < AT_ONCE; c++) {
            uint64_t at = first + c < count ? first + c : count - 1;
            columns[c] = (uint32_t)(at * n / count);
        }
        if (x)
            column_sums(s, X, columns, x, sums);
        for (int c = 0; c < AT_ONCE; c++)
            worst = fmax(worst, x && !isnan(sums[c]) ? sums[c] : INFINITY);
        free(x);
    }
    return worst / size;
}

static void transpose(double *A, uint32_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double a = A[i * n + j];
            A[i * n + j] = A[j * n + i];
            A[j * n + i] = a;
        }
}

/* (X A)^T = A^T X^T */
double left_error(struct specimen *s, double *X)
{
    transpose(s->A, s->n);
    transpose(X, s->n);
    double error = right_error(s, X);
    transpose(s->A, s->n);
    transpose(X, s->n);
    return error;
}
