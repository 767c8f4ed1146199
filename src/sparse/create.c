/* Matrices from arrays, triplets and files. */
#include "abi/abi.h"
#include "entries/check.h"
#include "entries/unsorted.h"
#include "files/files.h"
#include "sparse/matrix.h"
#include "sparse/narrow.h"
#include "vector/vector.h"

#include <stdio.h>
#include <stdlib.h>

vks_status matrix_upload_values(vks_matrix *A, struct memory *to, vks_precision of_values, const void *val)
{
    uint32_t row = 0, col = 0, entries = A->csr.entries;
    uint64_t bad = matrix_in_pairs(A) ? first_out_of_range(of_values, val, entries) : entries;
    if (bad == entries)
        return upload_values(A->context->device, to, vector_precision(A->precision), 0, entries, of_values,
                             val);
    char what[64];
    vks_status s = entry_place(A, (uint32_t)bad, &row, &col);
    snprintf(what, sizeof what, "row %u, column %u, counted from 1", row + 1, col + 1);
    return s ? s : fail_range(A->context, what, ((const double *)val)[bad]);
}

static vks_status upload(struct device *d, vks_matrix *A, const uint32_t *row, const uint32_t *col,
                         const void *val, vks_precision of_values)
{
    uint32_t rows = A->csr.n, entries = A->csr.entries;
    static const uint32_t no_rows = 0;
    TRY(device_write(d, &A->row, 0, rows ? row : &no_rows, 4 * ((uint64_t)rows + 1)));
    TRY(device_write(d, &A->col, 0, col, 4 * (uint64_t)entries));
    return matrix_upload_values(A, &A->val, of_values, val);
}

/* From arrays that have been checked. */
static vks_status make(vks_context *context, const struct host_csr *a, const void *val,
                       vks_precision of_values, const vks_matrix_options *o, vks_matrix **matrix)
{
    vks_matrix *A = NULL;
    vks_status s = matrix_begin(context, o->precision, a->rows, a->cols, &A);
    if (!s) {
        A->lanes = o->lanes;
        s = matrix_room(A, (uint32_t)host_csr_entries(a));
    }
    if (!s)
        s = upload(context->device, A, a->row, a->col, val, of_values);
    return matrix_end_as(A, s, &o->storage, matrix);
}

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

/* From rows in any order. A->order stays NULL if they are sorted. */
static vks_status from_unsorted(vks_context *context, const struct host_csr *a, const void *val,
                                const vks_matrix_options *o, vks_matrix **matrix)
{
    struct message *m = &context->message;
    struct unsorted u = {0};
    void *sorted = NULL;
    struct host_csr b = *a;
    vks_status s = unsorted_sort(m, a, &u);
    if (!s)
        s = check_values(m, a, val);
    if (!s && u.order) {
        b.col = u.col;
        s = unsorted_values(m, u.order, a->row[a->rows], o->of_values, val, &sorted);
    }
    if (!s)
        s = make(context, &b, sorted ? sorted : val, o->of_values, o, matrix);
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
    /* only read from here on */
    struct host_csr a = {rows, cols, (uint32_t *)(uintptr_t)row, (uint32_t *)(uintptr_t)col, NULL};
    if (o.unsorted)
        return from_unsorted(context, &a, val, &o, matrix);
    TRY(csr_arrays_check(m, rows, cols, row, col));
    TRY(check_values(m, &a, val));
    return make(context, &a, val, o.of_values, &o, matrix);
}

vks_status matrix_from_triplets(vks_context *context, const struct triplets *t, const vks_matrix_options *o,
                                vks_matrix **matrix)
{
    struct host_csr a = {0};
    vks_status s = host_csr_assemble(&context->message, t, &a);
    if (!s)
        s = make(context, &a, a.val, VKS_F64, o, matrix);
    host_csr_free(&a);
    return s;
}

vks_status vks_matrix_from_coo_as(uint32_t header, vks_context *context, uint32_t rows, uint32_t cols,
                                  size_t count, const uint32_t *row, const uint32_t *col, const void *val,
                                  const vks_matrix_options *options, vks_matrix **matrix)
{
    const vks_matrix_options o = vks_matrix_options_in(header, options);
    struct message *m = &context->message;
    *matrix = NULL;
    vks_status s = context_begin_as(context, header);
    if (!s)
        s = check_options(context, &o);
    if (s)
        return s;
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
    /* only read from here on */
    struct triplets t = {rows,
                         cols,
                         count,
                         (uint32_t *)(uintptr_t)row,
                         (uint32_t *)(uintptr_t)col,
                         wide ? wide : (double *)(uintptr_t)val,
                         NULL};
    s = matrix_from_triplets(context, &t, &o, matrix);
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
    if (!s)
        s = check_options(context, &o);
    if (!s)
        s = files_read_matrix(&context->message, path, &file);
    if (!s)
        s = matrix_from_triplets(context, &file.entries, &o, matrix);
    market_free(&file);
    return s;
}
