/* The last steps of making a matrix: the width of its values, and its format. */
#include "sparse/narrow.h"

vks_status matrix_end(vks_matrix *A, vks_status s, vks_format format, vks_matrix **matrix)
{
    return matrix_end_as(A, s, &(vks_format_options){.format = format}, matrix);
}

/* The f32 copy has the format; the pairs themselves are stored as CSR. */
static vks_status set_up_in_pairs(vks_matrix *A, const vks_format_options *o)
{
    TRY(format_set_up(A, &(vks_format_options){.format = VKS_FORMAT_CSR}));
    return matrix_round(A, o, &A->rounded);
}

vks_status matrix_end_as(vks_matrix *A, vks_status s, const vks_format_options *o, vks_matrix **matrix)
{
    IF_OK(s, values_narrow(A));
    IF_OK(s, matrix_in_pairs(A) ? set_up_in_pairs(A, o) : format_set_up(A, o));
    if (s)
        vks_matrix_destroy(A);
    *matrix = s ? NULL : A;
    return s;
}
