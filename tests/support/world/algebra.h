/* The calls of vksolve/algebra.h and similar ones. world.h includes this after defining its world. */
#ifndef VKS_TESTS_WORLD_ALGEBRA_H
#define VKS_TESTS_WORLD_ALGEBRA_H

#include "vksolve/algebra.h"
#include "vksolve/transfer.h"
#include "vksolve/vector_algebra.h"

static inline vks_status add_matrices(struct world *w)
{
    vks_matrix *m = w->A;
    vks_status s = vks_matrix_add(2, w->A, -1, w->A, VKS_FORMAT_SELL, &m);
    return destroy_made(s, m);
}

static inline vks_status scale_slices(struct world *w)
{
    vks_matrix *m = w->A;
    vks_matrix_options o = {.storage.format = VKS_FORMAT_SELL};
    vks_status s = vks_matrix_from_csr(w->c, N, N, w->host.row, w->host.col, w->host.val, &o, &m);
    if (!s)
        s = vks_matrix_scale(m, w->b, w->x);
    return s ? (vks_matrix_destroy(m), s) : destroy_made(s, m);
}

static inline vks_status drop_entries(struct world *w)
{
    vks_matrix *m = w->A;
    vks_status s = vks_matrix_drop(w->A, 0.25, VKS_FORMAT_SELL, &m);
    return destroy_made(s, m);
}

/* Operations on vectors, with a view that outlives its vector. */
static inline vks_status compute_with_vectors(struct world *w)
{
    double results[40];
    const vks_vector *several[40];
    vks_vector *whole = NULL, *view = NULL;
    for (int k = 0; k < 40; k++)
        several[k] = k % 2 ? w->b : w->x;
    vks_status s = vks_vector_create(w->c, N + 5, VKS_F64, &whole);
    if (!s)
        s = vks_vector_view(whole, 5, N, &view);
    vks_vector_destroy(whole);
    if (!s)
        s = vks_vector_copy(w->b, view);
    if (!s)
        s = vks_vector_scale(2, view);
    if (!s)
        s = vks_vector_axpby(2, w->b, -1, view);
    if (!s)
        s = vks_vector_axpy_aypx(2, view, w->x, -1, w->b);
    if (!s)
        s = vks_vector_axpy_multiply(2, w->b, w->x, w->b, view, results);
    if (!s)
        s = vks_vector_divide(w->b, w->b, view);
    if (!s)
        s = vks_vector_reciprocal(w->b, view);
    if (!s)
        s = vks_vector_dots(w->b, 40, several, results);
    if (!s)
        s = vks_vector_chunk_dots(w->b, view, results);
    vks_vector_destroy(view);
    return s;
}

/* With one kernel, with two, and with long rows. */
static inline vks_status multiply_in_parts(struct world *w)
{
    OWNED(vks_vector) *x = NULL, *y = NULL;
    vks_status s = vks_vector_create(w->c, 1100, VKS_F64, &x);
    if (!s)
        s = vks_vector_create(w->c, 20, VKS_F64, &y);
    if (!s)
        s = vks_spmv_add(w->with_long_row, x, y);
    if (!s)
        s = vks_spmv_rows(w->with_long_row, 2, 9, x, y);
    if (!s)
        s = vks_spmv_add(w->A, w->b, w->x);
    if (!s)
        s = vks_spmv_rows(w->A, 2, 9, w->b, w->x);
    return s;
}

/* Descending rows; some are too long for insertion sort. */
static inline vks_status matrix_from_unsorted(struct world *w)
{
    enum { FULL = 40 };
    uint32_t row[FULL + 1], col[FULL * FULL];
    double val[FULL * FULL] = {0};
    vks_matrix *m = w->A;
    vks_matrix_options o = {.unsorted = true};
    for (uint32_t i = 0; i <= FULL; i++)
        row[i] = i * FULL;
    for (uint32_t k = 0; k < FULL * FULL; k++)
        col[k] = FULL - 1 - k % FULL;
    vks_status s = vks_matrix_from_csr(w->c, FULL, FULL, row, col, val, &o, &m);
    if (!s)
        s = vks_matrix_set_values(m, VKS_F64, val);
    return s ? (vks_matrix_destroy(m), s) : destroy_made(s, m);
}

/* In memory of the library, and in pages of the test. */
static inline vks_status transfer_vector(struct world *w)
{
    static _Alignas(4096) unsigned char pages[4096];
    OWNED(vks_transfer) *made = NULL, *in_pages = NULL;
    vks_status s = vks_transfer_create(w->c, sizeof pages, &made);
    if (!s)
        s = vks_transfer_create_in(w->c, pages, sizeof pages, &in_pages);
    if (!s)
        s = vks_transfer_read(made, 0, w->b, 0, N);
    if (!s)
        s = vks_transfer_wait(made);
    if (!s)
        s = vks_transfer_write(in_pages, 8, w->x, 1, 7);
    if (!s)
        s = vks_transfer_wait(in_pages);
    return s;
}

/* X(call, the least number of operations that it needs) */
#define ALGEBRA_CALLS(X)        \
    X(compute_with_vectors, 20) \
    X(multiply_in_parts, 12)    \
    X(matrix_from_unsorted, 6)  \
    X(transfer_vector, 8)       \
    X(add_matrices, 25)         \
    X(scale_slices, 15)         \
    X(drop_entries, 25)

#endif
