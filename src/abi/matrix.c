#include "abi/now.h"

#include "abi/header.h"
#include "abi/structs.h"
#include "dense/dense.h"
#include "sparse/matrix.h"

vks_status vks_matrix_from_csr_2(uint32_t header, vks_context *context, uint32_t rows, uint32_t cols,
                                 const uint32_t *row, const uint32_t *col, const void *val,
                                 const vks_matrix_options *options, vks_matrix **matrix)
{
    vks_matrix_options ours;
    *matrix = NULL;
    vks_status s = header_begin(context, header);
    return s ? s
             : vks_matrix_from_csr_now(context, rows, cols, row, col, val,
                                       vks_matrix_options_in(header, options, &ours), matrix);
}

vks_status vks_matrix_from_coo_2(uint32_t header, vks_context *context, uint32_t rows, uint32_t cols,
                                 size_t count, const uint32_t *row, const uint32_t *col, const void *val,
                                 const vks_matrix_options *options, vks_matrix **matrix)
{
    vks_matrix_options ours;
    *matrix = NULL;
    vks_status s = header_begin(context, header);
    return s ? s
             : vks_matrix_from_coo_now(context, rows, cols, count, row, col, val,
                                       vks_matrix_options_in(header, options, &ours), matrix);
}

vks_status vks_matrix_read_2(uint32_t header, vks_context *context, const char *path,
                             const vks_matrix_options *options, vks_matrix **matrix)
{
    vks_matrix_options ours;
    *matrix = NULL;
    vks_status s = header_begin(context, header);
    return s ? s : vks_matrix_read_now(context, path, vks_matrix_options_in(header, options, &ours), matrix);
}

vks_status vks_matrix_convert_2(uint32_t header, const vks_matrix *A, const vks_format_options *options,
                                vks_matrix **B)
{
    vks_format_options ours;
    *B = NULL;
    vks_status s = header_begin(A->context, header);
    return s ? s : vks_matrix_convert_now(A, vks_format_options_in(header, options, &ours), B);
}

vks_status vks_dense_to_matrix_2(uint32_t header, const vks_dense *A, const vks_matrix_options *options,
                                 vks_matrix **S)
{
    vks_matrix_options ours;
    *S = NULL;
    vks_status s = header_begin(A->context, header);
    return s ? s : vks_dense_to_matrix_now(A, vks_matrix_options_in(header, options, &ours), S);
}

vks_status vks_matrix_statistics_2(uint32_t header, const vks_matrix *A, vks_statistics *statistics)
{
    vks_statistics ours, *to = vks_statistics_room(header, statistics, &ours);
    vks_status s = header_begin(A->context, header);
    if (s)
        return s;
    s = vks_matrix_statistics_now(A, to);
    vks_statistics_out(header, to, statistics);
    return s;
}

vks_status vks_matrix_multiply_2(uint32_t header, const vks_matrix *A, const vks_matrix *B,
                                 const vks_multiply_options *options, vks_matrix **C)
{
    vks_multiply_options ours;
    *C = NULL;
    vks_status s = header_begin(A->context, header);
    return s ? s : vks_matrix_multiply_now(A, B, vks_multiply_options_in(header, options, &ours), C);
}

vks_status vks_matrix_triple_product_2(uint32_t header, const vks_matrix *R, const vks_matrix *A,
                                       const vks_matrix *P, const vks_multiply_options *options,
                                       vks_matrix **C)
{
    vks_multiply_options ours;
    *C = NULL;
    vks_status s = header_begin(R->context, header);
    return s ? s : vks_matrix_triple_product_now(R, A, P, vks_multiply_options_in(header, options, &ours), C);
}

vks_status vks_operator_create_2(uint32_t header, vks_context *context, uint32_t n,
                                 const vks_operator *description, vks_matrix **A)
{
    vks_operator ours;
    *A = NULL;
    vks_status s = header_begin(context, header);
    return s ? s : vks_operator_create_now(context, n, vks_operator_in(header, description, &ours), A);
}

vks_status vks_operator_compile_2(uint32_t header, vks_context *context, const vks_operator *description,
                                  void **compiled, size_t *bytes)
{
    vks_operator ours;
    *compiled = NULL;
    *bytes = 0;
    vks_status s = header_begin(context, header);
    return s ? s
             : vks_operator_compile_now(context, vks_operator_in(header, description, &ours), compiled,
                                        bytes);
}
