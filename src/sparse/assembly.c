/* Matrices from triplets on the device. (Triplets from a file or a host array are assembled by
 * src/entries/assemble.c.) */
#include "sparse/assembly.h"
#include "sparse/narrow.h"

#include <stdlib.h>

static vks_status check_triplets(vks_context *context, uint32_t rows, uint32_t cols, const vks_array *row,
                                 const vks_array *col)
{
    struct message *m = context_begin(context);
    if (rows > VKS_LARGEST_INDEX || cols > VKS_LARGEST_INDEX)
        return fail(m, VKS_LIMIT, "%u rows, %u columns: the limit is %u", rows, cols, VKS_LARGEST_INDEX);
    TRY(array_check(row, context, 1u << VKS_TYPE_U32, "the rows"));
    TRY(array_check(col, context, 1u << VKS_TYPE_U32, "the columns"));
    return array_check_length(col, row->n, "the columns");
}

vks_status assembly_create(vks_context *context, uint32_t rows, uint32_t cols, const vks_array *row,
                           const vks_array *col, enum assembly_way way, vks_assembly **assembly)
{
    *assembly = NULL;
    TRY(check_triplets(context, rows, cols, row, col));
    vks_assembly *a = calloc(1, sizeof *a);
    if (!a)
        return fail_memory(&context->message, "an assembly", sizeof *a);
    context_retain(context);
    *a = (vks_assembly){.context = context, .rows = rows, .cols = cols};
    room_open(&a->room, context->device);
    vks_status s = assembly_sort(a, row, col, way);
    if (s)
        vks_assembly_destroy(a);
    else
        *assembly = a;
    return s;
}

vks_status vks_assembly_create(vks_context *context, uint32_t rows, uint32_t cols, const vks_array *row,
                               const vks_array *col, vks_assembly **assembly)
{
    return assembly_create(context, rows, cols, row, col, ASSEMBLY_WAY_AUTO, assembly);
}

void vks_assembly_destroy(vks_assembly *assembly)
{
    if (!assembly)
        return;
    room_close(&assembly->room);
    context_release(assembly->context);
    free(assembly);
}

uint32_t vks_assembly_entries(const vks_assembly *assembly)
{
    return assembly->entries;
}

static vks_status check_values(const vks_assembly *a, const vks_array *val)
{
    context_begin(a->context);
    TRY(array_check(val, a->context, 1u << VKS_TYPE_F64 | 1u << VKS_TYPE_F32, "the values"));
    return array_check_length(val, a->triplets, "the values");
}

/* The float types have the same values as vks_precision. */
static vks_precision precision_of_values(const vks_array *val)
{
    return (vks_precision)val->type;
}

static void sum_terms(struct rec *r, const vks_assembly *a, const vks_array *val, reals sum)
{
    assemble_values(r, assembly_words(&a->start), assembly_words(&a->place), array_reals(val), sum,
                    a->entries, a->triplets);
}

static vks_status fill_in(const vks_assembly *a, const vks_array *val, const vks_matrix *A)
{
    struct rec r = rec_once(a->context->device, precision_of(A->precision));
    copy_words(&r, assembly_words(&a->row), A->csr.row, a->rows + 1);
    copy_words(&r, assembly_words(&a->col), A->csr.col, a->entries);
    sum_terms(&r, a, val, reals_of(&r, A->csr.val));
    return rec_run_once(&r, VKS_OK);
}

vks_status vks_assembly_matrix(const vks_assembly *assembly, const vks_array *val, vks_format format,
                               vks_matrix **matrix)
{
    vks_context *c = assembly->context;
    vks_matrix *A = NULL;
    *matrix = NULL;
    TRY(check_values(assembly, val));
    TRY(format_check(&c->message, format));
    TRY(context_check_arithmetic(c, precision_of_values(val)));
    vks_status s = matrix_begin(c, precision_of_values(val), assembly->rows, assembly->cols, &A);
    IF_OK(s, matrix_room(A, assembly->entries));
    IF_OK(s, fill_in(assembly, val, A));
    return matrix_end(A, s, format, matrix);
}

static vks_status check_update(const vks_assembly *a, const vks_array *val, const vks_matrix *A)
{
    TRY(check_values(a, val));
    struct message *m = &a->context->message;
    if (A->context != a->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix is of a different context");
    if (vector_precision(A->precision) != precision_of_values(val))
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and the values differ in precision");
    if (A->csr.n != a->rows || A->csr.cols != a->cols || A->csr.entries != a->entries)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "the matrix is %u x %u with %u entries, the assembly %u x %u with %u", A->csr.n,
                    A->csr.cols, A->csr.entries, a->rows, a->cols, a->entries);
    return VKS_OK;
}

vks_status vks_assembly_update(const vks_assembly *assembly, const vks_array *val, vks_matrix *matrix)
{
    TRY(check_update(assembly, val, matrix));
    vks_status s = csr_acquire_wide(matrix);
    struct rec r = rec_once(assembly->context->device, precision_of(matrix->precision));
    sum_terms(&r, assembly, val, reals_of(&r, matrix->csr.val));
    s = rec_run_once(&r, s);
    return values_end(matrix, s);
}
