#include "market/mirror.h"
#include "report/memory.h"

#include <stdlib.h>

vks_status market_read(struct message *m, const char *path, struct market *out)
{
    struct text text;
    struct header header;
    struct body body = {0};
    *out = (struct market){0};
    vks_status status = text_load(m, path, &text);
    if (!status)
        status = header_read(m, &text, &header);
    if (!status)
        status = body_count(m, &text, &header, &body);
    if (!status)
        status = body_parse(m, &text, &header, &body, &out->entries);
    if (!status)
        status = mirror(m, &text, &header, &body, &out->entries);
    if (status) {
        market_free(out);
    } else {
        out->field = header.field;
        out->symmetry = header.symmetry;
        out->is_array = header.is_array;
        out->stored = header.entries;
        out->entries.name = text.name;
    }
    body_free(&body);
    text_free(&text);
    return status;
}

/* Adding to a zero would lose the sign of a negative zero. */
static void scatter(const struct triplets *e, double *to)
{
    for (size_t k = 0; k < e->count; k++) {
        double *cell = &to[(size_t)e->col[k] * e->rows + e->row[k]];
        *cell = *cell == 0 ? e->val[k] : *cell + e->val[k];
    }
}

static vks_status to_dense(struct message *m, const char *path, struct market *a, double **column_major)
{
    uint64_t cells = (uint64_t)a->entries.rows * a->entries.cols;
    if (cells > UINT64_C(1) << 32)
        return fail(m, VKS_LIMIT, "%s: %u x %u values are more than the limit of 2^32 for dense ones", path,
                    a->entries.rows, a->entries.cols);
    if (a->is_array && a->symmetry == MARKET_GENERAL) {
        *column_major = a->entries.val; /* stored by columns already */
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

vks_status market_read_dense(struct message *m, const char *path, uint32_t *rows, uint32_t *cols,
                             double **column_major)
{
    struct market a;
    *rows = *cols = 0;
    *column_major = NULL;
    vks_status status = market_read(m, path, &a);
    if (!status)
        status = to_dense(m, path, &a, column_major);
    if (!status) {
        *rows = a.entries.rows;
        *cols = a.entries.cols;
    }
    market_free(&a);
    return status;
}

void market_free(struct market *a)
{
    triplets_free(&a->entries);
    *a = (struct market){0};
}
