/* Files of dense matrices, stored column-major, and files of either kind of matrix. */
#include "dense/dense.h"
#include "files/files.h"
#include "sparse/matrix.h"
#include "team/team.h"

#include <stdlib.h>

enum { TILE = 32 /* rows and columns transposed at a time */ };

struct transposition {
    const double *from;
    size_t rows, cols;
    double *to;
};

static void transpose_tiles(const void *transposition, struct member *me)
{
    const struct transposition *t = transposition;
    uint32_t strips = (uint32_t)((t->rows + TILE - 1) / TILE);
    TEAM_FOR(me, s, strips, t->rows * t->cols >= 65536 ? 2 : UINT32_MAX, 1)
    for (size_t i0 = (size_t)TILE * s, j0 = 0; j0 < t->cols; j0 += TILE)
        for (size_t i = i0; i < i0 + TILE && i < t->rows; i++)
            for (size_t j = j0; j < j0 + TILE && j < t->cols; j++)
                t->to[j * t->rows + i] = t->from[i * t->cols + j];
}

/* to (cols x rows) = from (rows x cols) transposed, both row-major */
static void transpose(struct team *team, const double *from, size_t rows, size_t cols, double *to)
{
    team_run(team, transpose_tiles, &(struct transposition){from, rows, cols, to});
}

static vks_status room(struct message *m, size_t count, double **values)
{
    *values = malloc((count + 1) * sizeof **values); /* + 1: so that NULL is a failure */
    return *values ? VKS_OK : fail_memory(m, "a copy of a dense matrix", count * sizeof **values);
}

/* Moves the values out of the file. */
static vks_status from_file(vks_context *context, const char *path, struct market *file,
                            vks_precision precision, vks_dense **A)
{
    struct message *m = &context->message;
    uint32_t rows = file->entries.rows, cols = file->entries.cols;
    double *by_columns = NULL, *by_rows = NULL;
    vks_status s = files_to_dense(m, path, file, &by_columns);
    IF_OK(s, room(m, (size_t)rows * cols, &by_rows));
    if (!s) {
        transpose(team_of(m), by_columns, cols, rows, by_rows);
        s = vks_dense_from_array(context, rows, cols, precision, VKS_F64, by_rows, 0, A);
    }
    free(by_columns);
    free(by_rows);
    return s;
}

vks_status vks_dense_read(vks_context *context, const char *path, vks_precision precision, vks_dense **A)
{
    struct message *m = context_begin(context);
    struct market file = {0};
    *A = NULL;
    vks_status s = context_check_arithmetic(context, precision);
    IF_OK(s, files_read(m, path, &file));
    IF_OK(s, from_file(context, path, &file, precision, A));
    market_free(&file);
    return s;
}

vks_status vks_file_read(vks_context *context, const char *path, vks_matrix **matrix, vks_dense **array)
{
    struct message *m = context_begin(context);
    struct market file;
    *matrix = NULL;
    *array = NULL;
    vks_status s = files_read(m, path, &file);
    if (!s && file.is_array)
        s = from_file(context, path, &file, VKS_F64, array);
    else if (!s)
        s = matrix_from_triplets(context, &file.entries, &(vks_matrix_options){.of_values = VKS_F64}, matrix);
    market_free(&file);
    return s;
}

vks_status vks_dense_write(const vks_dense *A, const char *path)
{
    struct message *m = context_begin(A->context);
    double *by_columns = NULL, *by_rows = NULL;
    vks_status s = room(m, (size_t)A->rows * A->cols, &by_columns);
    IF_OK(s, room(m, (size_t)A->rows * A->cols, &by_rows));
    IF_OK(s, vks_dense_get(A, VKS_F64, by_rows, 0));
    if (!s) {
        transpose(team_of(m), by_rows, A->rows, A->cols, by_columns);
        s = market_write_dense(m, path, A->rows, A->cols, by_columns);
    }
    free(by_columns);
    free(by_rows);
    return s;
}
