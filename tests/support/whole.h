/* A system that one process solves with all rows, and then several processes that share the rows. */
#ifndef VKS_TESTS_WHOLE_H
#define VKS_TESTS_WHOLE_H

#include "tests/support/data.h"
#include "tests/support/partners.h"

enum { LIMIT = 30 };

/* A grid of w x w x layers points: seven-point stencil, with a varying diagonal. */
static inline struct host_csr grid(uint32_t w, uint32_t layers)
{
    uint32_t n = w * w * layers, at = 0;
    struct host_csr A = new_csr(n, n, 7 * (size_t)n);
    uint64_t seed = 5;
    A.row[0] = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = i % w, y = i / w % w, z = i / w / w;
        const bool is[7] = {z > 0, y > 0, x > 0, true, x + 1 < w, y + 1 < w, z + 1 < layers};
        const int64_t to[7] = {-(int64_t)w * w, -(int64_t)w, -1, 0, 1, w, (int64_t)w * w};
        for (int k = 0; k < 7; k++)
            if (is[k]) {
                A.col[at] = (uint32_t)(i + to[k]);
                A.val[at++] = k == 3 ? 6 + (double)random_below(&seed, 1000) / 512 : -1;
            }
        A.row[i + 1] = at;
    }
    return A;
}

struct whole {
    struct host_csr A;
    double *b, *x, *history;
    uint32_t lanes;
    vks_solve_report report;
};

static inline double *numbers(uint32_t n, uint64_t seed)
{
    double *b = malloc(n * sizeof *b + 1);
    for (uint32_t i = 0; i < n; i++)
        b[i] = (double)random_below(&seed, 1 << 20) / (1 << 19) - 1;
    return b;
}

/* One process has all rows. */
static inline void solve_alone(struct whole *w, const char *device, vks_precision precision,
                               const vks_precond_options *M, vks_solve_options options)
{
    OWNED(vks_context) *c = !strcmp(device, "host") ? open_host() : open_gpu();
    uint32_t n = w->A.rows;
    OWNED(vks_matrix) *A = NULL;
    OWNED(vks_vector) *b = NULL, *x = NULL;
    const vks_matrix_options o = {.precision = precision, .lanes = w->lanes};
    options.precond = VKS_PRECOND_NONE;
    if (M)
        options.precond = VKS_PRECOND_AUTO, options.precond_options = M;
    options.history = w->history;
    cr_assert_eq(vks_matrix_from_csr(c, n, n, w->A.row, w->A.col, w->A.val, &o, &A), VKS_OK);
    cr_assert_eq(vks_vector_create(c, n, precision, &b), VKS_OK);
    cr_assert_eq(vks_vector_create(c, n, precision, &x), VKS_OK);
    cr_assert_eq(vks_vector_write(b, 0, n, VKS_F64, w->b), VKS_OK);
    cr_assert_eq(vks_cg_solve(A, b, x, &options, &w->report), VKS_OK, "%s", vks_context_message(c));
    cr_assert_eq(vks_vector_read(x, 0, n, VKS_F64, w->x), VKS_OK);
}

static inline void solve_together(struct play *p, const struct whole *w, const char *device,
                                  uint32_t processes, const uint64_t *first)
{
    uint32_t n = w->A.rows;
    p->device = device;
    p->A = &w->A;
    p->b = w->b;
    p->x = calloc(n + 1, sizeof *p->x);
    p->history = calloc(LIMIT + 2, sizeof *p->history);
    p->processes = processes;
    p->first = first;
    p->options.history_capacity = LIMIT + 1;
    play(p);
}

static inline void expect_same(struct play *p, const struct whole *w)
{
    for (uint32_t q = 0; q < p->processes; q++) {
        const struct actor *a = &p->actor[q];
        cr_assert_eq(a->status, VKS_OK, "process %u: %s", q, a->message);
        cr_expect_eq(a->report.reason, w->report.reason, "process %u: %s", q, a->report.detail);
        cr_expect_eq(a->report.iterations, w->report.iterations);
        cr_expect_eq(a->report.true_residual, w->report.true_residual, "%.17g, alone %.17g",
                     a->report.true_residual, w->report.true_residual);
        cr_expect(same_bits(a->report.scaled_residual, w->report.scaled_residual), "%.17g, alone %.17g",
                  a->report.scaled_residual, w->report.scaled_residual);
        cr_expect(same_bits(a->report.rounding_level, w->report.rounding_level));
        cr_expect(same_bits(a->report.backward_error, w->report.backward_error));
        cr_expect_eq(a->report.row_range, w->report.row_range);
        cr_expect_eq(a->messages, 0);
    }
    cr_expect_eq(p->actor[0].report.history_count, w->report.history_count);
    cr_expect_arr_eq(p->history, w->history, w->report.history_count * sizeof *w->history);
    cr_expect_arr_eq(p->x, w->x, w->A.rows * sizeof *w->x);
}

static inline void play_free(struct play *p)
{
    play_end(p);
    free(p->x);
    free(p->history);
}

/* D A D, where D is 1 in the first half of the rows and 2^-`bits` in the others. */
static inline void scale_second_half(struct host_csr *A, int bits)
{
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            A->val[k] = ldexp(A->val[k], -bits * ((i >= A->rows / 2) + (A->col[k] >= A->rows / 2)));
}

/* The rows of the second half are smaller by 2^-(2 bits). */
static inline struct whole whole_scaled(uint32_t width, uint32_t layers, int bits)
{
    struct whole w = {.A = grid(width, layers)};
    scale_second_half(&w.A, bits);
    w.b = numbers(w.A.rows, 3);
    w.x = calloc(w.A.rows + 1, sizeof *w.x);
    w.history = calloc(LIMIT + 2, sizeof *w.history);
    return w;
}

static inline struct whole whole_of(uint32_t width, uint32_t layers)
{
    return whole_scaled(width, layers, 0);
}

static inline void whole_free(struct whole *w)
{
    host_csr_free(&w->A);
    free(w->b);
    free(w->x);
    free(w->history);
}

static const vks_precond_options diagonal = {.kind = VKS_PRECOND_JACOBI};

#endif
