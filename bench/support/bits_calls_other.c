/* The calls of bench_solve_bits on operators and dense matrices. */
#include "support/bits_inside.h"
#include "vksolve/gauss_jordan.h"
#include "vksolve/operator.h"

#include <stdio.h>
#include <stdlib.h>

/* Arrays 0, 1 and 2 are the offsets, columns and values of compressed sparse rows; values are f32 if word 0
 * says so. */
#define ROWS(name, real)                                                                                 \
    static void name(const vks_operator_view *A, uint32_t first, uint32_t count, const real *x, real *y) \
    {                                                                                                    \
        const uint32_t *row = A->array[0], *col = A->array[1];                                           \
        const double *wide = A->array[2];                                                                \
        const float *narrow = A->array[2];                                                               \
        for (uint32_t i = first; i < first + count; i++) {                                               \
            real sum = 0;                                                                                \
            for (uint32_t k = row[i]; k < row[i + 1]; k++)                                               \
                sum = sum + (A->word[0] ? (real)narrow[k] : (real)wide[k]) * x[col[k]];                  \
            y[i] = sum;                                                                                  \
        }                                                                                                \
    }
ROWS(rows_f64, double)
ROWS(rows_f32, float)

static vks_status make_array(struct bits_job *j, uint32_t n, vks_type type, const void *values,
                             vks_array **out)
{
    vks_status s = bits_checked(j, vks_array_create(j->context, n, type, out));
    return s ? s : bits_checked(j, vks_array_write(*out, 0, n, values));
}

/* In the precision of the vectors. */
static vks_status make_values(struct bits_job *j, vks_array **out)
{
    uint32_t entries = j->a->row[j->a->rows];
    if (j->of_vectors == VKS_F64)
        return make_array(j, entries, VKS_TYPE_F64, j->values, out);
    float *narrow = bits_room(entries, sizeof *narrow);
    for (uint32_t k = 0; k < entries; k++)
        narrow[k] = (float)j->values[k];
    vks_status s = make_array(j, entries, VKS_TYPE_F32, narrow, out);
    free(narrow);
    return s;
}

static vks_status make_diagonal(struct bits_job *j, vks_vector **out)
{
    const struct bits_csr *a = j->a;
    double *diagonal = bits_room(a->rows, sizeof *diagonal);
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
            if (a->col[k] == i)
                diagonal[i] = j->values[k];
    vks_status s = bits_checked(j, vks_vector_create(j->context, a->rows, j->of_vectors, out));
    if (!s)
        s = bits_checked(j, vks_vector_write(*out, 0, a->rows, VKS_F64, diagonal));
    free(diagonal);
    return s;
}

vks_status solve_operator(struct bits_job *j)
{
    const struct bits_csr *a = j->a;
    vks_array *row = NULL, *col = NULL, *val = NULL;
    vks_vector *diagonal = NULL;
    vks_status s = make_array(j, a->rows + 1, VKS_TYPE_U32, a->row, &row);
    if (!s)
        s = make_array(j, a->row[a->rows], VKS_TYPE_U32, a->col, &col);
    if (!s)
        s = make_values(j, &val);
    if (!s && j->c->call == CALL_OPERATOR_D)
        s = make_diagonal(j, &diagonal);
    vks_operator d = {.precision = j->of_vectors,
                      .rows_f64 = rows_f64,
                      .rows_f32 = rows_f32,
                      .array = {row, col, val},
                      .word = {j->of_vectors == VKS_F32},
                      .diagonal = diagonal};
    if (!s)
        s = bits_checked(j, vks_operator_create(j->context, a->rows, &d, &j->A));
    if (!s)
        s = solve_once(j);
    vks_matrix_destroy(j->A);
    j->A = NULL;
    vks_vector_destroy(diagonal);
    vks_array_destroy(val);
    vks_array_destroy(col);
    vks_array_destroy(row);
    return s;
}

/* Copies the figures of an elimination to the report of a solve. */
static void take_report(struct bits_job *j, const vks_gauss_jordan_report *g)
{
    vks_solve_report *r = &j->out.report;
    *r = (vks_solve_report){.reason = g->reason,
                            .refinements = g->refinements,
                            .row = g->column,
                            .blocks = g->least_pivot_column,
                            .largest_block = (uint32_t)(g->determinant_sign + 1),
                            .initial_residual = g->reciprocal_condition,
                            .residual = g->residual,
                            .true_residual = g->backward_error,
                            .contraction = g->determinant_log,
                            .null_component = g->least_pivot,
                            .weight = g->largest_pivot};
    snprintf(r->detail, sizeof r->detail, "%s", g->detail);
    snprintf(r->warning, sizeof r->warning, "%s", g->warning);
}

static vks_status take_dense(struct bits_job *j, const vks_dense *X)
{
    uint64_t count = (uint64_t)vks_dense_rows(X) * vks_dense_cols(X);
    double *values = bits_room(count, sizeof *values);
    vks_status s = bits_checked(j, vks_dense_get(X, VKS_F64, values, 0));
    if (!s)
        bits_hash_doubles(&j->out.x, values, count);
    free(values);
    return s;
}

vks_status eliminate_dense(struct bits_job *j)
{
    enum { SIDES = 3 };
    uint32_t n = j->a->rows;
    double *sides = bits_room((uint64_t)SIDES * n, sizeof *sides);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < SIDES; k++)
            sides[SIDES * i + k] = j->b[i] * (k + 1) + k;
    vks_dense *A = NULL, *B = NULL;
    vks_gauss_jordan_report g;
    vks_status s = bits_checked(j, vks_dense_from_matrix(j->A, &A));
    if (!s)
        s = bits_checked(j, vks_dense_from_array(j->context, n, SIDES, j->of_vectors, VKS_F64, sides, 0, &B));
    if (!s)
        s = bits_checked(j, vks_gauss_jordan_solve(A, B, &(vks_gauss_jordan_options){.condition = 1}, &g));
    if (!s)
        take_report(j, &g);
    if (!s)
        s = take_dense(j, B);
    vks_dense_destroy(B);
    vks_dense_destroy(A);
    free(sides);
    return s;
}

vks_status invert(struct bits_job *j)
{
    vks_dense *A = NULL, *inverse = NULL;
    vks_gauss_jordan_report g;
    vks_status s = bits_checked(j, vks_dense_from_matrix(j->A, &A));
    if (!s)
        s = bits_checked(j, vks_gauss_jordan_invert(A, &inverse, NULL, &g));
    if (!s)
        take_report(j, &g);
    if (!s && inverse)
        s = take_dense(j, inverse);
    vks_dense_destroy(inverse);
    vks_dense_destroy(A);
    return s;
}
