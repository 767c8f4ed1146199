/* Matrices from a program's arrays and from files. */
#include "abi/abi.h"
#include "entries/check.h"
#include "entries/unsorted.h"
#include "files/files.h"
#include "sparse/matrix.h"
#include "sparse/rehearse.h"

#include <stdlib.h>

static vks_status check_options(vks_context *context, const vks_matrix_options *o)
{
    TRY(context_check_values(context, o->of_values));
    TRY(storage_check(&context->message, &o->storage));
    if (o->lanes > 32 || (o->lanes & (o->lanes - 1)))
        return fail(&context->message, VKS_INVALID_ARGUMENT,
                    "%u lanes to sum a row: 1, 2, 4, 8, 16 or 32 are allowed", o->lanes);
    return context_check_precision(context, o->precision == VKS_MIXED ? VKS_F64 : o->precision);
}

static vks_status check_values(struct message *m, const struct host_csr *a, const void *val)
{
    return a->rows && a->row[a->rows] && !val ? fail(m, VKS_INVALID_ARGUMENT, "the values are NULL") : VKS_OK;
}

/* Makes a matrix from rows in any order. A->order stays NULL if they are sorted. */
static vks_status from_unsorted(vks_context *context, const struct host_csr *a, const void *val,
                                const vks_matrix_options *o, vks_matrix **matrix)
{
    struct message *m = &context->message;
    struct unsorted u = {0};
    void *sorted = NULL;
    struct host_csr b = *a;
    vks_status s = unsorted_sort(m, a, &u);
    IF_OK(s, check_values(m, a, val));
    if (!s && u.order) {
        b.col = u.col;
        s = unsorted_values(m, u.order, a->row[a->rows], o->of_values, val, &sorted);
    }
    IF_OK(s, matrix_from_arrays(context, &b, sorted ? sorted : val, o->of_values, o, matrix));
    free(sorted);
    free(u.col);
    if (s)
        free(u.order);
    else
        (*matrix)->order = u.order;
    return s;
}

vks_status vks_matrix_from_csr_as(uint32_t header, vks_context *context, uint32_t rows, uint32_t cols,
                                  const uint32_t *row, const uint32_t *col, const void *val,
                                  const vks_matrix_options *options, vks_matrix **matrix)
{
    const vks_matrix_options o = vks_matrix_options_in(header, options);
    struct message *m = &context->message;
    *matrix = NULL;
    TRY(context_begin_as(context, header));
    TRY(check_options(context, &o));
    /* only read below */
    struct host_csr a = {rows, cols, (uint32_t *)(uintptr_t)row, (uint32_t *)(uintptr_t)col, NULL};
    if (o.unsorted)
        return from_unsorted(context, &a, val, &o, matrix);
    TRY(csr_arrays_check(m, rows, cols, row, col));
    TRY(check_values(m, &a, val));
    rehearse_format(context, &a, &o);
    return matrix_from_arrays(context, &a, val, o.of_values, &o, matrix);
}

vks_status vks_matrix_from_coo_as(uint32_t header, vks_context *context, uint32_t rows, uint32_t cols,
                                  size_t count, const uint32_t *row, const uint32_t *col, const void *val,
                                  const vks_matrix_options *options, vks_matrix **matrix)
{
    const vks_matrix_options o = vks_matrix_options_in(header, options);
    struct message *m = &context->message;
    *matrix = NULL;
    TRY(context_begin_as(context, header));
    TRY(check_options(context, &o));
    if (count > VKS_MAX_ENTRIES)
        return fail(m, VKS_LIMIT, "%zu entries; the most is %u", count, VKS_MAX_ENTRIES);
    if (count && (!row || !col || !val))
        return fail(m, VKS_INVALID_ARGUMENT, "the %s are NULL", !row ? "rows" : !col ? "columns" : "values");
    double *wide = NULL;
    if (o.of_values == VKS_F32 && count) {
        wide = malloc(count * sizeof *wide);
        if (!wide)
            return fail_memory(m, "the values", count * sizeof *wide);
        convert_values(VKS_F32, val, VKS_F64, wide, count);
    }
    /* only read below */
    struct triplets t = {rows,
                         cols,
                         count,
                         (uint32_t *)(uintptr_t)row,
                         (uint32_t *)(uintptr_t)col,
                         wide ? wide : (double *)(uintptr_t)val,
                         NULL};
    vks_status s = matrix_from_triplets(context, &t, &o, matrix);
    free(wide);
    return s;
}

vks_status vks_matrix_read_as(uint32_t header, vks_context *context, const char *path,
                              const vks_matrix_options *options, vks_matrix **matrix)
{
    vks_matrix_options o = vks_matrix_options_in(header, options);
    struct market file = {0};
    o.of_values = VKS_F64;
    *matrix = NULL;
    vks_status s = context_begin_as(context, header);
    IF_OK(s, check_options(context, &o));
    IF_OK(s, files_read_matrix(&context->message, path, &file));
    IF_OK(s, matrix_from_triplets(context, &file.entries, &o, matrix));
    market_free(&file);
    return s;
}
