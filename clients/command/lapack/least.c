#include "command/lapack/lapack.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A by columns, with the other inputs and outputs of dgelsy. */
struct dense {
    double *at;        /* rows x cols */
    double *solution;  /* b, then x: as many elements as the longer of the two */
    lapack_int *pivot; /* of columns */
    size_t rows, cols;
};

static size_t longer_side(const struct host_csr *a)
{
    return a->rows > a->cols ? a->rows : a->cols;
}

static double memory_of(const struct host_csr *a)
{
    double rows = a->rows, cols = a->cols, longer = fmax(rows, cols);
    return 8 * (rows * cols + longer) + sizeof(lapack_int) * cols;
}

static void release(struct dense *d)
{
    free(d->at);
    free(d->solution);
    free(d->pivot);
}

static vks_status fill(struct message *m, const struct host_csr *a, const double *b, struct dense *d)
{
    *d = (struct dense){.rows = a->rows, .cols = a->cols};
    d->at = calloc(d->rows * d->cols + 1, sizeof *d->at);
    d->solution = calloc(longer_side(a) + 1, sizeof *d->solution);
    d->pivot = calloc(d->cols + 1, sizeof *d->pivot);
    if (!d->at || !d->solution || !d->pivot)
        return fail_memory(m, "a dense matrix", (unsigned long long)memory_of(a));
    for (uint32_t i = 0; i < a->rows; i++)
        for (size_t k = a->row[i]; k < a->row[i + 1]; k++)
            d->at[a->col[k] * d->rows + i] = a->val[k];
    memcpy(d->solution, b, d->rows * sizeof *b);
    return VKS_OK;
}

static void run(const struct lapack_library *l, struct dense *d, struct lapack_result *out)
{
    size_t longer = d->rows > d->cols ? d->rows : d->cols;
    lapack_int rank = 0;
    lapack_int info =
        l->dgelsy(LAPACK_COL_MAJOR, (lapack_int)d->rows, (lapack_int)d->cols, 1, d->at, (lapack_int)d->rows,
                  d->solution, (lapack_int)longer, d->pivot, (double)longer * DBL_EPSILON, &rank);
    out->solved = info == 0;
    if (info)
        snprintf(out->note, sizeof out->note, "LAPACK refused the call with code %d", (int)info);
    else if ((size_t)rank < (d->rows < d->cols ? d->rows : d->cols))
        snprintf(out->note, sizeof out->note, "A has rank %d by LAPACK", (int)rank);
}

/* r = b - A x, and ||A^T r|| in `normal`. */
static void measure(const struct host_csr *a, const double *b, const double *x, double *r, double *normal,
                    struct lapack_result *out)
{
    memset(normal, 0, a->cols * sizeof *normal);
    for (uint32_t i = 0; i < a->rows; i++) {
        double sum = 0;
        for (size_t k = a->row[i]; k < a->row[i + 1]; k++)
            sum += a->val[k] * x[a->col[k]];
        r[i] = b[i] - sum;
        for (size_t k = a->row[i]; k < a->row[i + 1]; k++)
            normal[a->col[k]] += a->val[k] * r[i];
    }
    double size = lapack_norm(r, a->rows), length = lapack_norm(normal, a->cols);
    out->true_residual = size == 0 ? 0 : size / lapack_norm(b, a->rows);
    out->normal_residual = length == 0 ? 0 : length / size / lapack_norm(a->val, a->row[a->rows]);
}

static vks_status solve(struct message *m, const struct lapack_library *l, const struct host_csr *a,
                        const double *b, double *x, struct lapack_result *out)
{
    struct dense d;
    double begun = lapack_now();
    vks_status status = fill(m, a, b, &d);
    if (!status)
        run(l, &d, out);
    out->seconds = lapack_now() - begun;
    if (!status && out->solved) {
        memcpy(x, d.solution, d.cols * sizeof *x);
        measure(a, b, x, d.at, d.solution, out);
    }
    release(&d);
    return status;
}

vks_status lapack_least_squares(struct message *m, const struct host_csr *a, const double *b, double *x,
                                size_t memory_limit, struct lapack_result *out)
{
    struct lapack_library library;
    char one[32], two[32];
    double elements = (double)a->rows * a->cols;
    *out = (struct lapack_result){.method = "none", .true_residual = NAN, .normal_residual = NAN};
    if (!lapack_takes(a, b, out) || !lapack_is_there(&library, out))
        return VKS_OK;
    if (!elements || elements > INT32_MAX || memory_of(a) > (double)memory_limit) {
        snprintf(out->note, sizeof out->note, "A does not fit: it needs %s, the limit is %s",
                 lapack_bytes(memory_of(a), one), lapack_bytes((double)memory_limit, two));
        return VKS_OK;
    }
    out->method = "orthogonal (dgelsy)";
    out->memory_bytes = memory_of(a);
    return solve(m, &library, a, b, x, out);
}
