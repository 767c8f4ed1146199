#include "verify/specimen.h"
#include "verify/named.h"

#include <inttypes.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void specimen_free(struct specimen *s)
{
    free(s->A);
    free(s->b);
    *s = (struct specimen){0};
}

static double *room(struct message *m, size_t count)
{
    double *v = calloc(count + 1, sizeof *v);
    if (!v)
        set_message(m, "out of host memory: %zu elements", count);
    return v;
}

typedef void maker(double *A, uint32_t n);

static void make_random(double *A, uint32_t n)
{
    uint64_t state = n;
    for (size_t k = 0; k < (size_t)n * n; k++)
        A[k] = next_random(&state);
}

/* Falls from 1 to 1e-12. */
static double grade(uint32_t i, uint32_t n)
{
    return pow(10, n > 1 ? -12.0 * i / (n - 1) : 0);
}

static void scale(double *A, uint32_t n, double (*row)(uint32_t, uint32_t),
                  double (*column)(uint32_t, uint32_t))
{
    make_random(A, n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            A[(size_t)i * n + j] *= (row ? row(i, n) : 1) * (column ? column(j, n) : 1);
}

static void make_rows(double *A, uint32_t n)
{
    scale(A, n, grade, NULL);
}

static void make_columns(double *A, uint32_t n)
{
    scale(A, n, NULL, grade);
}

/* Varies irregularly with i. */
static double scatter(uint32_t i, uint32_t n)
{
    return pow(10, 6.0 * sin(7.0 * i + n));
}

static void make_scaled(double *A, uint32_t n)
{
    scale(A, n, scatter, scatter);
}

static void make_hilbert(double *A, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            A[(size_t)i * n + j] = 1.0 / ((double)i + j + 1);
}

static void make_wilkinson(double *A, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            A[(size_t)i * n + j] = i == j || j == n - 1 ? 1 : j < i ? -1 : 0;
}

static uint32_t common_factor(uint32_t a, uint32_t b)
{
    return b ? common_factor(b, a % b) : a;
}

static void make_permuted(double *A, uint32_t n)
{
    uint32_t step = n / 2 + 1;
    while (common_factor(step, n) != 1)
        step++;
    make_random(A, n);
    for (size_t k = 0; k < (size_t)n * n; k++)
        A[k] *= 1e-6;
    for (uint32_t i = 0; i < n; i++)
        A[(size_t)i * n + (uint64_t)i * step % n] += 1;
}

static void make_orthogonal(double *A, uint32_t n)
{
    lapack_int order = (lapack_int)n;
    double *tau = calloc(n + (size_t)1, sizeof *tau);
    make_random(A, n);
    if (!tau || LAPACKE_dgeqrf(LAPACK_COL_MAJOR, order, order, A, order, tau) ||
        LAPACKE_dorgqr(LAPACK_COL_MAJOR, order, order, order, A, order, tau))
        A[0] = NAN; /* which the elimination refuses */
    free(tau);
}

static maker *maker_of(const char *what, uint32_t *n)
{
    static const struct {
        const char *name;
        maker *make;
    } known[] = {
#define SPECIMEN_(name, text) {#name, make_##name},
        SPECIMENS(SPECIMEN_)
#undef SPECIMEN_
    };
    char kind[16], more;
    if (sscanf(what, "%15[a-z]:%" SCNu32 "%c", kind, n, &more) == 2)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (!strcmp(kind, known[k].name))
                return known[k].make;
    return NULL;
}

static vks_status load_sparse(struct message *m, const char *what, uint32_t most, struct specimen *s)
{
    struct host_csr a;
    vks_status status = square_load(m, what, most, &a);
    s->n = a.rows;
    if (!status && !(s->A = room(m, (size_t)s->n * s->n)))
        status = VKS_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < a.rows && !status; i++)
        for (uint32_t e = a.row[i]; e < a.row[i + 1]; e++)
            s->A[(size_t)i * s->n + a.col[e]] = a.val[e];
    host_csr_free(&a);
    return status;
}

static double rounded(vks_precision p, double v)
{
    return p == VKS_F32 ? (double)(float)v : v;
}

static void make_right_sides(struct specimen *s)
{
    uint64_t state = 7;
    for (uint32_t i = 0; i < s->n; i++)
        s->b[RIGHT_SIDES * (size_t)i] = rounded(s->precision, next_random(&state));
    for (uint32_t i = 0; i < s->n; i++) {
        uint64_t again = 11;
        double sum = 0;
        for (uint32_t j = 0; j < s->n; j++)
            sum += s->A[(size_t)i * s->n + j] * next_random(&again);
        s->b[RIGHT_SIDES * (size_t)i + 1] = rounded(s->precision, sum);
    }
}

vks_status specimen_load(struct message *m, const char *what, vks_precision precision, uint32_t most,
                         struct specimen *s)
{
    *s = (struct specimen){.precision = precision};
    short_name(what, s->name, sizeof s->name);
    maker *make = maker_of(what, &s->n);
    vks_status status = VKS_OK;
    if (!make)
        status = load_sparse(m, what, most, s);
    else if (s->n == 0 || s->n > most)
        status = fail(m, VKS_LIMIT, "%s: orders here are 1 to %" PRIu32, what, most);
    if (!status && make && !(s->A = room(m, (size_t)s->n * s->n)))
        status = VKS_OUT_OF_MEMORY;
    if (!status && make)
        make(s->A, s->n);
    for (size_t k = 0; !status && k < (size_t)s->n * s->n; k++)
        if (!isfinite(s->A[k] = rounded(precision, s->A[k])))
            status = fail(m, VKS_LIMIT, "%s: an element leaves the range of the precision", what);
    if (!status && !(s->b = room(m, (size_t)s->n * RIGHT_SIDES)))
        status = VKS_OUT_OF_MEMORY;
    if (!status)
        make_right_sides(s);
    return status;
}
