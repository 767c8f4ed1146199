#include "files/files.h"
#include "files/kinds.h"
#include "market/text.h"
#include "report/memory.h"

#include <math.h>
#include <stdlib.h>

static vks_status parse(struct message *m, const struct text *t, struct market *out)
{
    switch (t->kind) {
    case TEXT_BOEING:
        return read_boeing(m, t, out);
    case TEXT_COLUMNS:
        return read_columns(m, t, out);
    case TEXT_NUMPY:
        return read_numpy(m, t, out);
    case TEXT_ZIP:
        return read_archive(m, t, out);
    default:
        return market_parse(m, t, out);
    }
}

/* Whether each diagonal element exceeds the sum of the other magnitudes in its row. */
static bool is_dominant(const struct triplets *e)
{
    for (uint32_t i = 0; i < e->rows; i++) {
        double rest = 0;
        for (uint32_t j = 0; j < e->cols; j++)
            rest += (i == j ? -1 : 1) * fabs(e->val[(size_t)j * e->rows + i]);
        if (rest >= 0)
            return false;
    }
    return e->rows == e->cols;
}

/* Whether there are two or three columns, and the first two hold indices from 0 or from 1. */
static bool looks_like_entries(const struct market *a)
{
    const struct triplets *e = &a->entries;
    if ((e->cols != 2 && e->cols != 3) || is_dominant(e))
        return false;
    for (size_t k = 0; k < 2 * (size_t)e->rows; k++)
        if (!(e->val[k] >= 0 && e->val[k] < VKS_MAX_ROWS && e->val[k] == floor(e->val[k])))
            return false;
    return true;
}

static vks_status read(struct message *m, const char *path, bool is_matrix, struct market *out)
{
    struct text text;
    *out = (struct market){0};
    vks_status status = text_load(m, path, &text);
    IF_OK(status, parse(m, &text, out));
    if (!status && is_matrix && text.kind == TEXT_COLUMNS && looks_like_entries(out))
        status =
            fail(m, VKS_FORMAT,
                 "%s: its %u columns may be a list of entries or a dense matrix: a Matrix Market banner, "
                 "coordinate or array, says which",
                 text.name, out->entries.cols);
    if (status)
        market_free(out);
    else
        out->entries.name = text.name;
    text_free(&text);
    return status;
}

vks_status files_read(struct message *m, const char *path, struct market *out)
{
    return read(m, path, false, out);
}

vks_status files_read_matrix(struct message *m, const char *path, struct market *out)
{
    return read(m, path, true, out);
}

/* Assigns to zeros: adding would lose the sign of a negative zero. */
static void scatter(const struct triplets *e, double *to)
{
    for (size_t k = 0; k < e->count; k++) {
        double *cell = &to[(size_t)e->col[k] * e->rows + e->row[k]];
        *cell = *cell == 0 ? e->val[k] : *cell + e->val[k];
    }
}

vks_status files_to_dense(struct message *m, const char *path, struct market *a, double **column_major)
{
    uint64_t cells = (uint64_t)a->entries.rows * a->entries.cols;
    if (cells > UINT64_C(1) << 32)
        return fail(m, VKS_LIMIT, "%s: %u x %u values are more than the limit of 2^32 for dense ones", path,
                    a->entries.rows, a->entries.cols);
    if (a->is_array && a->symmetry == MARKET_GENERAL) {
        *column_major = a->entries.val; /* already column-major */
        a->entries.val = NULL;
        return VKS_OK;
    }
    TRY(memory_check(m, path, "its values", cells * sizeof(double)));
    double *values = calloc(cells ? cells : 1, sizeof *values);
    if (!values)
        return memory_lacks(m, path, "its values", cells * sizeof *values);
    scatter(&a->entries, values);
    *column_major = values;
    return VKS_OK;
}

vks_status files_read_dense(struct message *m, const char *path, uint32_t *rows, uint32_t *cols,
                            double **column_major)
{
    struct market a;
    *rows = *cols = 0;
    *column_major = NULL;
    vks_status status = files_read(m, path, &a);
    IF_OK(status, files_to_dense(m, path, &a, column_major));
    if (!status) {
        *rows = a.entries.rows;
        *cols = a.entries.cols;
    }
    market_free(&a);
    return status;
}
