/* Dense matrices as Matrix Market files, which have them by columns. */
#include "dense/dense.h"
#include "market/market.h"

#include <stdlib.h>

enum { TILE = 32 /* rows and columns that are transposed at a time */ };

/* to (cols x rows) = from (rows x cols) transposed, both by rows */
static void transpose(const double *from, size_t rows, size_t cols, double *to)
{
#pragma omp parallel for schedule(static)
    for (size_t i0 = 0; i0 < rows; i0 += TILE)
        for (size_t j0 = 0; j0 < cols; j0 += TILE)
            for (size_t i = i0; i < i0 + TILE && i < rows; i++)
                for (size_t j = j0; j < j0 + TILE && j < cols; j++)
                    to[j * rows + i] = from[i * cols + j];
}

static vks_status room(struct message *m, size_t count, double **values)
{
    *values = malloc((count + 1) * sizeof **values); /* + 1: so that NULL is a failure */
    return *values ? VKS_OK : fail_memory(m, "a copy of a dense matrix", count * sizeof **values);
}

vks_status vks_dense_read(vks_context *context, const char *path, vks_precision precision, vks_dense **A)
{
    struct message *m = context_begin(context);
    uint32_t rows, cols;
    double *by_columns = NULL, *by_rows = NULL;
    *A = NULL;
    vks_status s = context_check_arithmetic(context, precision);
    if (!s)
        s = market_read_dense(m, path, &rows, &cols, &by_columns);
    if (!s)
        s = room(m, (size_t)rows * cols, &by_rows);
    if (!s) {
        transpose(by_columns, cols, rows, by_rows);
        s = vks_dense_from_array(context, rows, cols, precision, VKS_F64, by_rows, 0, A);
    }
    free(by_columns);
    free(by_rows);
    return s;
}

vks_status vks_dense_write(const vks_dense *A, const char *path)
{
    struct message *m = context_begin(A->context);
    double *by_columns = NULL, *by_rows = NULL;
    vks_status s = room(m, (size_t)A->rows * A->cols, &by_columns);
    if (!s)
        s = room(m, (size_t)A->rows * A->cols, &by_rows);
    if (!s)
        s = vks_dense_get(A, VKS_F64, by_rows, 0);
    if (!s) {
        transpose(by_rows, A->rows, A->cols, by_columns);
        s = market_write_dense(m, path, A->rows, A->cols, by_columns);
    }
    free(by_columns);
    free(by_rows);
    return s;
}
