/* What the calls of assembly refuse. */
#include "tests/support/arrays.h"
#include "tests/support/device_matrix.h"
#include "vksolve/assembly.h"

static const uint32_t good_row[] = {2, 0, 1, 2}, good_col[] = {0, 1, 1, 0};

static vks_assembly *good_assembly(vks_context *c)
{
    OWNED(vks_array) *row = words(c, good_row, 4), *col = words(c, good_col, 4);
    vks_assembly *a = NULL;
    must_work(c, vks_assembly_create(c, 3, 2, row, col, &a));
    cr_expect_eq(vks_assembly_entries(a), 3);
    return a;
}

static void must_refuse_coordinates(vks_context *c, uint32_t rows, uint32_t cols, const uint32_t *row,
                                    const uint32_t *col, vks_status expected, const char *part)
{
    OWNED(vks_array) *i = words(c, row, 4), *j = words(c, col, 4);
    vks_assembly *a = (vks_assembly *)(uintptr_t)c;
    must_refuse(c, vks_assembly_create(c, rows, cols, i, j, &a), expected, part);
    cr_expect_null(a);
}

static void refuse_coordinates(vks_context *c)
{
    vks_status bad = VKS_INVALID_ARGUMENT;
    must_refuse_coordinates(c, 2, 2, good_row, good_col, bad, "triplet 0: row 2 is outside 0..1");
    must_refuse_coordinates(c, 3, 2, (uint32_t[]){2, 0, 3, 7}, (uint32_t[]){0, 1, 9, 9}, bad,
                            "triplet 2: row 3 is outside 0..2");
    must_refuse_coordinates(c, 3, 2, good_row, (uint32_t[]){0, UINT32_MAX, 9, 0}, bad,
                            "triplet 1: column 4294967295 is outside 0..1");
    must_refuse_coordinates(c, 0, 2, good_row, good_col, bad, "triplet 0: row 2, but the matrix has no rows");
    must_refuse_coordinates(c, 3, 0, good_row, good_col, bad,
                            "triplet 0: column 0, but the matrix has no columns");
    must_refuse_coordinates(c, VKS_LARGEST_INDEX + 1, 2, good_row, good_col, VKS_LIMIT, "4278190081 rows");
    must_refuse_coordinates(c, 2, UINT32_MAX, good_row, good_col, VKS_LIMIT, "4294967295 columns");
    close_context(c);
}

Test(assembly_refuse, coordinates_out_of_range_on_the_host)
{
    refuse_coordinates(open_host());
}

Test(assembly_refuse, coordinates_out_of_range_on_lavapipe)
{
    refuse_coordinates(open_gpu());
}

Test(assembly_refuse, arrays_that_do_not_fit)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    OWNED(vks_array) *row = words(c, good_row, 4), *col = words(c, good_col, 3),
                     *foreign = words(other, good_row, 4), *narrow = new_array(c, VKS_TYPE_F32, 4),
                     *wide = new_array(c, VKS_TYPE_U64, 4);
    const struct {
        vks_array *row, *col;
        const char *part;
    } cases[] = {{row, col, "the columns: 3 elements instead of 4"},
                 {narrow, row, "the rows cannot be 32-bit floats"},
                 {row, wide, "the columns cannot be 64-bit unsigned words"},
                 {foreign, row, "the rows: of a different context"},
                 {row, foreign, "the columns: of a different context"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        vks_assembly *a = (vks_assembly *)(uintptr_t)c;
        must_refuse(c, vks_assembly_create(c, 3, 2, cases[k].row, cases[k].col, &a), VKS_INVALID_ARGUMENT,
                    cases[k].part);
        cr_expect_null(a);
    }
}

static void must_refuse_values(vks_context *c, const vks_assembly *a, const vks_array *val, vks_format format,
                               vks_status expected, const char *part)
{
    vks_matrix *A = (vks_matrix *)(uintptr_t)c;
    must_refuse(c, vks_assembly_matrix(a, val, format, &A), expected, part);
    cr_expect_null(A);
}

Test(assembly_refuse, values_that_do_not_fit)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    OWNED(vks_assembly) *a = good_assembly(c);
    OWNED(vks_array) *val = new_array(c, VKS_TYPE_F64, 4), *few = new_array(c, VKS_TYPE_F32, 3),
                     *foreign = new_array(other, VKS_TYPE_F64, 4), *integers = new_array(c, VKS_TYPE_U32, 4);
    vks_status bad = VKS_INVALID_ARGUMENT;
    must_refuse_values(c, a, few, VKS_FORMAT_AUTO, bad, "the values: 3 elements instead of 4");
    must_refuse_values(c, a, foreign, VKS_FORMAT_AUTO, bad, "the values: of a different context");
    must_refuse_values(c, a, integers, VKS_FORMAT_AUTO, bad, "the values cannot be 32-bit unsigned words");
    must_refuse_values(c, a, val, VKS_FORMAT_COUNT_, bad, "not a vks_format");
    c->device->info.f64 = false; /* such a device cannot even have arrays of doubles */
    must_refuse_values(c, a, val, VKS_FORMAT_AUTO, VKS_UNSUPPORTED, "no 64-bit floats");
    c->device->info.f64 = true;
}

static vks_matrix *matrix_like(vks_context *c, enum precision p, uint32_t rows, uint32_t cols, bool fewer)
{
    static const uint32_t row[] = {0, 1, 2, 3}, row_of_two[] = {0, 1, 2, 2}, col[] = {1, 1, 0};
    static const double val[] = {1, 2, 3};
    struct host_csr a = {rows, cols, (uint32_t *)(uintptr_t)(fewer ? row_of_two : row),
                         (uint32_t *)(uintptr_t)col, (double *)(uintptr_t)val};
    return put_on(c, &a, p, VKS_FORMAT_AUTO);
}

Test(assembly_refuse, to_update_a_matrix_that_does_not_fit)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    OWNED(vks_assembly) *a = good_assembly(c);
    OWNED(vks_array) *val = new_array(c, VKS_TYPE_F64, 4), *few = new_array(c, VKS_TYPE_F64, 3);
    const struct {
        vks_matrix *A;
        const char *part;
    } cases[] = {
        {matrix_like(other, PRECISION_F64, 3, 2, false), "the matrix is of a different context"},
        {matrix_like(c, PRECISION_F32, 3, 2, false), "differ in precision"},
        {matrix_like(c, PRECISION_F64, 2, 2, false), "2 x 2 with 2 entries, the assembly 3 x 2 with 3"},
        {matrix_like(c, PRECISION_F64, 3, 3, false), "3 x 3 with 3 entries, the assembly 3 x 2 with 3"},
        {matrix_like(c, PRECISION_F64, 3, 2, true), "3 x 2 with 2 entries, the assembly 3 x 2 with 3"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        must_refuse(c, vks_assembly_update(a, val, cases[k].A), VKS_INVALID_ARGUMENT, cases[k].part);
        vks_matrix_destroy(cases[k].A);
    }
    OWNED(vks_matrix) *A = matrix_like(c, PRECISION_F64, 3, 2, false);
    must_refuse(c, vks_assembly_update(a, few, A), VKS_INVALID_ARGUMENT,
                "the values: 3 elements instead of 4");
    must_work(c, vks_assembly_update(a, val, A)); /* made differently, with the same pattern */
}

Test(assembly_refuse, nothing_where_there_is_nothing)
{
    vks_assembly_destroy(NULL);
}
