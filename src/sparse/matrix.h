/* Internals of a vks_matrix, and the product in any format. */
#ifndef VKS_SPARSE_MATRIX_H
#define VKS_SPARSE_MATRIX_H

#include "device/context.h"
#include "sparse/csr.h"
#include "sparse/format.h"
#include "sparse/long.h"
#include "sparse/transposed.h"

#include <assert.h>

/* An entry that f32 cannot represent exactly. */
struct lost_value {
    bool is;
    uint32_t row, col;
    double value;
};

struct statistics;

struct vks_matrix {
    vks_context *context;
    vks_precision precision;
    bool narrow;            /* VKS_MIXED with all arrays of values in f32: sparse/narrow.h */
    struct lost_value lost; /* VKS_MIXED: why it is not narrow */
    uint32_t lanes;         /* vks_matrix_options.lanes */
    uint32_t *order; /* position of each value in the caller's order (entries/unsorted.h); NULL: same order */
    vks_format_options storage; /* its format, with defaults filled in; AUTO only for an operator */
    char format_reason[128];
    const struct format_ops *ops;
    void *stored;             /* private to the format */
    uint32_t kinds;           /* number of kinds if the format stores codes (sparse/coded.h), else 0 */
    struct statistics *known; /* set only while its format is made */
    struct long_rows long_rows;
    struct csr csr; /* complete, except columns and values of a lean A (csr_acquire); only the size of an
                       operator (operator/operator.h) */
    struct memory row, col, val;
    bool lean;
    uint32_t held;      /* holders of a lean matrix's CSR */
    uint32_t held_wide; /* holders of a narrow matrix's CSR with values of full width, in `wide` */
    struct memory wide;
    vks_matrix *rounded;          /* its f32 copy, for iterations, if A is in pairs of floats; else NULL */
    struct transposed transposed; /* made by vks_spmv_transpose */
    bool transposed_is_stale;     /* its values are out of date */
    uint32_t values_taken;        /* number of updates of the values */
    uint32_t layout;              /* number of replacements of its arrays; each invalidates recordings */
    uint32_t kept;                /* holders in addition to its owner; the last holder destroys the matrix */
};

/* Whether the values are pairs of floats. Such a matrix is CSR, and no kernel for other matrices accepts it;
 * A->rounded has its format. */
static inline bool matrix_in_pairs(const vks_matrix *A)
{
    return in_pairs(A->context->device, A->precision);
}

/* The precision of recordings with products of A, and of recordings that only move its values. */
static inline enum precision matrix_precision(const vks_matrix *A)
{
    return A->narrow ? PRECISION_MIXED : precision_of(A->precision);
}

static inline enum precision values_precision(const vks_matrix *A)
{
    return stored_precision(matrix_precision(A));
}

/* The precision of a result of both; their vectors have the same precision. */
static inline vks_precision joint_precision(const vks_matrix *A, const vks_matrix *B)
{
    return A->precision == VKS_MIXED ? A->precision : B->precision;
}

/* Casts const away: the matrix was allocated by calloc. */
static inline vks_matrix *own_matrix(const vks_matrix *A)
{
    return (vks_matrix *)(uintptr_t)A;
}

/* matrix.c: matrix_begin makes a matrix with room for row offsets; matrix_room allocates the entries. Kernels
 * fill the arrays. Pass *matrix to matrix_end or vks_matrix_destroy even after a failure. */
vks_status matrix_begin(vks_context *context, vks_precision precision, uint32_t rows, uint32_t cols,
                        vks_matrix **matrix);
vks_status matrix_room(vks_matrix *A, uint32_t entries);

/* lean.c: csr_acquire rebuilds the columns and values of A->csr, which a lean matrix does not keep;
 * csr_release drops them. Each csr_acquire needs a csr_release, even after a failure. Calls may be nested.
 * VKS_UNSUPPORTED: A is an operator, or its values are pairs of floats. */
vks_status csr_acquire(const vks_matrix *A);
void csr_release(const vks_matrix *A);
/* Copies A to host memory, as doubles. The caller frees *out, which is empty after a failure. */
vks_status matrix_to_host(const vks_matrix *A, struct host_csr *out);
/* Makes A lean if its options request it and its format can restore the entries. */
vks_status csr_give_up(vks_matrix *A);

/* finish.c: stores the values in f32 if A is mixed and f32 represents them exactly, makes its format and
 * returns A in *matrix. If s is a failure or one occurs, destroys A, which may be NULL, and sets *matrix to
 * NULL. */
vks_status matrix_end(vks_matrix *A, vks_status s, vks_format format, vks_matrix **matrix);
vks_status matrix_end_as(vks_matrix *A, vks_status s, const vks_format_options *o, vks_matrix **matrix);

/* create.c: uploads all values of A, whose row offsets and columns are on the device, into `to`. VKS_LIMIT:
 * an entry, which the message names, does not fit into a pair of floats; nothing is written. */
vks_status matrix_upload_values(vks_matrix *A, struct memory *to, vks_precision of_values, const void *val);

/* round.c: *B = A in VKS_F32, stored by the options. The CSR of A must be held, and its values stored in f64
 * or in pairs of floats. Values are rounded to nearest, possibly to zero or infinity. After a failure *B is
 * NULL. */
vks_status matrix_round(const vks_matrix *A, const vks_format_options *o, vks_matrix **B);
/* Rounds new values of A, whose CSR must be held. */
vks_status matrix_round_again(const vks_matrix *A, vks_matrix *B);

/* product.c: makes A->transposed.T, or updates its values from A. It lives as long as A. */
vks_status matrix_transposed(const vks_matrix *A);

/* Whether all rows are long and the format does not handle them. */
static inline bool only_long_rows(const vks_matrix *A)
{
    return A->csr.longs && A->csr.longs->rows == A->csr.n && !A->ops->long_rows;
}

/* The precision of a product of A with vectors of precision p. A matrix in f32 takes vectors in f32, a matrix
 * in f64 vectors in f64, a narrow matrix either. An operator takes the precisions of its products. */
static inline enum precision product_precision(const vks_matrix *A, enum precision p)
{
    assert(!A->csr.row || A->narrow || p == real_precision(precision_of(A->precision)));
    return A->narrow && p == PRECISION_F64 ? PRECISION_MIXED : p;
}

/* y of long rows that the format does not handle */
static inline void spmv_rest(struct rec *r, const vks_matrix *A, struct vec x, struct vec y)
{
    if (A->csr.longs && !A->ops->long_rows)
        spmv_long(r, &A->csr, x, y);
}

/* y = A x */
static inline void spmv(struct rec *r, const vks_matrix *A, struct vec x, struct vec y)
{
    assert(x.n == A->csr.cols && y.n == A->csr.n && x.precision == y.precision);
    enum precision before = rec_precision(r, product_precision(A, x.precision));
    spmv_rest(r, A, x, y);
    if (!only_long_rows(A))
        A->ops->spmv(r, A, x, y);
    r->precision = before;
}

/* q = A x and sums of p . q in row 0; p is the part of x that belongs to the rows. Returns true for sums of
 * stripes, false for sums of tiles. */
static inline bool spmv_sums(struct rec *r, const vks_matrix *A, const struct reduction *w, struct vec x,
                             struct vec p, struct vec q)
{
    assert(x.n == A->csr.cols && q.n == A->csr.n && vecs_fit(p, q));
    enum precision before = rec_precision(r, product_precision(A, x.precision));
    bool rest = !only_long_rows(A), in_tiles = false;
    spmv_rest(r, A, x, q);
    if (rest && A->ops->spmv_dot)
        in_tiles = A->ops->spmv_dot(r, A, x, p, q, reduction_sums(w));
    if (rest && !in_tiles)
        A->ops->spmv(r, A, x, q);
    if (!in_tiles)
        dot_stripes(r, w, 0, p, q);
    r->precision = before;
    return !in_tiles;
}

/* spmv_sums for a square A, followed by the reduction levels of its sums. */
static inline bool spmv_dot(struct rec *r, const vks_matrix *A, const struct reduction *w, struct vec p,
                            struct vec q)
{
    bool striped = spmv_sums(r, A, w, p, p, q);
    if (striped)
        stripe_levels(r, w, p.n, 0, 1);
    else
        tile_levels(r, w, p.n, 0, 1);
    return striped;
}

/* create.c: uploads validated arrays; assembles triplets and uploads the result. */
struct host_csr;
struct triplets;
vks_status matrix_from_arrays(vks_context *context, const struct host_csr *a, const void *val,
                              vks_precision of_values, const vks_matrix_options *o, vks_matrix **matrix);
vks_status matrix_from_triplets(vks_context *context, const struct triplets *t, const vks_matrix_options *o,
                                vks_matrix **matrix);

#endif
