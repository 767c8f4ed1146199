/* The calls on formats, conversion and lean matrices. world.h includes this after defining its world. */
#ifndef VKS_TESTS_WORLD_FORMAT_H
#define VKS_TESTS_WORLD_FORMAT_H

#include "tests/support/bsr_oracle.h"
#include "vksolve/multiply.h"
#include "vksolve/statistics.h"

static inline void make_long_row(struct world *w)
{
    uint32_t lengths[20] = {[3] = 1100, [4] = 2};
    w->long_row = csr_of_lengths(PRECISION_F64, 20, 1100, lengths, 1);
    must_work(w->c, vks_matrix_from_csr(w->c, 20, 1100, w->long_row.row, w->long_row.col, w->long_row.val,
                                        NULL, &w->with_long_row));
}

static inline void make_ones(struct world *w)
{
    w->ones = room(host_csr_entries(&w->host), sizeof *w->ones);
    for (size_t k = 0; k < host_csr_entries(&w->host); k++)
        w->ones[k] = 1;
}

static inline void make_choices(struct world *w)
{
    uint32_t lengths[512];
    for (uint32_t i = 0; i < 512; i++)
        lengths[i] = 40;
    w->of_even_rows = csr_of_lengths(PRECISION_F64, 512, 600, lengths, 3);
    w->in_blocks = kron_csr(&w->host, 4);
}

static inline void free_choices(struct world *w)
{
    host_csr_free(&w->in_blocks);
    host_csr_free(&w->of_even_rows);
}

/* Lean in slices, back to CSR, and operations that need CSR. */
static inline vks_status convert_matrix(struct world *w)
{
    vks_matrix *lean = NULL, *m = w->A;
    vks_format_options o = {.format = VKS_FORMAT_SELL, .lean = true};
    vks_status s = vks_matrix_convert(w->A, &o, &lean);
    if (!s)
        s = vks_matrix_set_values(lean, VKS_F64, w->host.val);
    if (!s)
        s = vks_matrix_to_csr(lean, w->back.row, w->back.col, VKS_F64, w->back.val);
    vks_status t = s ? s : vks_matrix_convert(lean, NULL, &m);
    vks_matrix_destroy(lean);
    return s ? s : destroy_made(t, m);
}

/* In slices and in blocks, with a long row of several pieces. */
static inline vks_status matrix_of_long_rows(struct world *w)
{
    vks_matrix *m = NULL, *other = w->A;
    vks_format_options o = {.format = VKS_FORMAT_SELL, .lean = true};
    vks_status s = vks_matrix_convert(w->with_long_row, &o, &m);
    if (!s)
        s = vks_matrix_set_values(m, VKS_F64, w->long_row.val);
    o.format = VKS_FORMAT_BALANCED;
    vks_status t = s ? s : vks_matrix_convert(m, &o, &other);
    vks_matrix_destroy(m);
    return s ? s : destroy_made(t, other);
}

/* With lean operands. */
static inline vks_status operate_on_lean(struct world *w)
{
    vks_matrix *lean = NULL, *m = NULL;
    vks_format_options o = {.format = VKS_FORMAT_SELL, .lean = true};
    vks_status s = vks_matrix_convert(w->A, &o, &lean);
    if (!s)
        s = vks_matrix_add(1, lean, 1, lean, VKS_FORMAT_CSR, &m);
    vks_matrix_destroy(m);
    m = NULL;
    if (!s)
        s = vks_matrix_multiply(lean, lean, NULL, &m);
    if (!s)
        s = vks_matrix_multiply_again(lean, lean, m);
    vks_matrix_destroy(m);
    if (!s)
        s = vks_matrix_scale(lean, w->b, NULL);
    vks_matrix_destroy(lean);
    return s;
}

/* The true residual and the diagonal need CSR. */
static inline vks_status solve_lean(struct world *w)
{
    OWNED(vks_matrix) *lean = NULL;
    vks_format_options o = {.format = VKS_FORMAT_SELL, .lean = true};
    vks_solve_options options = {.max_iterations = 3};
    vks_status s = vks_matrix_convert(w->A, &o, &lean);
    if (!s)
        s = vks_cg_solve(lean, w->b, w->x, &options, NULL);
    return s;
}

static inline vks_status matrix_in_sorted_slices(struct world *w)
{
    return matrix_stored(
        w, (vks_matrix_options){.storage = {.format = VKS_FORMAT_SELL, .slice_height = 8, .sigma = 100}});
}

CALL_OF(matrix_in_ell, matrix_stored(w, (vks_matrix_options){.storage.format = VKS_FORMAT_ELL}))

/* With as few kinds as diagonals, then with other ones, and then with too many. */
static inline vks_status matrix_in_codes(struct world *w)
{
    vks_matrix *m = w->A;
    vks_matrix_options o = {.storage = {.format = VKS_FORMAT_SELL, .lean = true}};
    vks_status s = vks_matrix_from_csr(w->c, N, N, w->host.row, w->host.col, w->ones, &o, &m);
    if (!s)
        cr_expect_gt(vks_matrix_entry_kinds(m), 0);
    if (!s)
        s = vks_matrix_set_values(m, VKS_F32, w->narrow); /* zeros */
    if (!s)
        s = vks_spmv(m, w->b, w->x);
    if (!s)
        s = vks_matrix_to_csr(m, w->back.row, w->back.col, VKS_F64, w->back.val);
    if (!s)
        s = vks_matrix_set_values(m, VKS_F64, w->host.val);
    if (!s)
        cr_expect_eq(vks_matrix_entry_kinds(m), 0);
    return s ? (vks_matrix_destroy(m), s) : destroy_made(s, m);
}

static inline vks_status matrix_in_blocks(struct world *w)
{
    vks_matrix *m = w->A;
    vks_matrix_options o = {.storage = {.format = VKS_FORMAT_BSR, .lean = true}};
    vks_status s = vks_matrix_from_csr(w->c, N, N, w->host.row, w->host.col, w->host.val, &o, &m);
    if (!s)
        s = vks_matrix_to_csr(m, w->back.row, w->back.col, VKS_F64, w->back.val);
    return s ? (vks_matrix_destroy(m), s) : destroy_made(s, m);
}

static inline vks_status statistics_of_matrix(struct world *w)
{
    OWNED(vks_matrix) *lean = NULL;
    vks_format_options o = {.format = VKS_FORMAT_SELL, .sigma = 64, .lean = true};
    vks_statistics s;
    vks_status status = vks_matrix_convert(w->A, &o, &lean);
    if (!status) {
        status = vks_matrix_statistics(lean, &s);
        cr_expect_eq(s.rows, status ? 0 : N);
    }
    return status;
}

/* The call of the device that is made to fail; 0 if none is. */
static inline uint32_t failing_call(const struct device *d)
{
    for (struct interposed *i = interposed_devices; i; i = i->next)
        if (i->device == d)
            return i->fail_call;
    return 0;
}

/* Chooses as on a GPU. If memory is short, the choice falls back to CSR, which here counts as the failure
 * that it was. */
static inline vks_status choose_as_gpu(struct world *w, const struct host_csr *A)
{
    enum device_kind kind = w->c->device->info.kind;
    vks_matrix *m = NULL;
    w->c->device->info.kind = DEVICE_DISCRETE;
    vks_status s = vks_matrix_from_csr(w->c, A->rows, A->cols, A->row, A->col, A->val, NULL, &m);
    w->c->device->info.kind = kind;
    if (!s && strstr(vks_matrix_format_reason(m), "no room")) {
        vks_matrix_destroy(m);
        set_message(w->c->device->message, "injected failure of call %u : no memory",
                    failing_call(w->c->device));
        return VKS_DEVICE_MEMORY;
    }
    if (!s)
        cr_expect_neq(vks_matrix_format(m), VKS_FORMAT_CSR);
    return destroy_made(s, m);
}

CALL_OF(choose_blocks, choose_as_gpu(w, &w->in_blocks))
CALL_OF(choose_slices, choose_as_gpu(w, &w->of_even_rows))

/* X(call, the least number of operations that it needs) */
#define FORMAT_CALLS(X)            \
    X(matrix_in_blocks, 15)        \
    X(statistics_of_matrix, 40)    \
    X(choose_blocks, 20)           \
    X(choose_slices, 15)           \
    X(matrix_in_sorted_slices, 20) \
    X(matrix_in_codes, 60)         \
    X(matrix_in_ell, 12)           \
    X(convert_matrix, 30)          \
    X(matrix_of_long_rows, 60)     \
    X(operate_on_lean, 60)         \
    X(solve_lean, 40)

#endif
