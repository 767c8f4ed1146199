/* The public calls: check arguments, run the elimination, and report it. */
#include "abi/abi.h"
#include "report/clock.h"
#include "solvers/dense/call.h"
#include "vector/verbs.h"

#include <stdio.h>

static vks_status check_matrix(const vks_dense *A)
{
    if (A->rows == A->cols)
        return VKS_OK;
    return fail(&A->context->message, VKS_INVALID_ARGUMENT, "A is %u x %u; elimination needs a square matrix",
                A->rows, A->cols);
}

static vks_status check_system(const vks_dense *A, const vks_dense *B)
{
    struct message *m = &A->context->message;
    TRY(check_matrix(A));
    if (B->context != A->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrices belong to different contexts");
    if (B->precision != A->precision)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrices differ in precision");
    if (B->rows != A->rows)
        return fail(m, VKS_INVALID_ARGUMENT, "A is %u x %u, and B %u x %u", A->rows, A->cols, B->rows,
                    B->cols);
    if (A == B)
        return fail(m, VKS_INVALID_ARGUMENT, "B is the same matrix as A");
    return VKS_OK;
}

/* A call by a program whose headers have version `header`. */
struct call_of {
    uint32_t header;
    vks_gauss_jordan_report own, *report; /* the library's; the program's */
    struct gauss_jordan g;
    double begun;
};

static vks_status begin(struct call_of *c, uint32_t header, const vks_dense *A,
                        const vks_gauss_jordan_options *options, vks_gauss_jordan_report *report)
{
    *c = (struct call_of){.header = header,
                          .own = gauss_jordan_not_run,
                          .report = report,
                          .g = {.context = A->context,
                                .options = vks_gauss_jordan_options_in(header, options),
                                .report = &c->own,
                                .A = dense_block(A),
                                .precision = A->precision},
                          .begun = clock_seconds()};
    vks_gauss_jordan_options *o = &c->g.options;
    if (o->refinements == 0)
        o->refinements = 20;
    if (o->no_refinement)
        o->refinements = 0;
    return context_begin_as(A->context, header);
}

static vks_status end(struct call_of *c, vks_status s)
{
    if (s)
        gauss_jordan_failed(&c->own, c->g.context->message.text);
    c->own.seconds = clock_seconds() - c->begun;
    vks_gauss_jordan_report_out(c->header, &c->own, c->report);
    return s;
}

vks_status vks_gauss_jordan_solve_as(uint32_t header, const vks_dense *A, vks_dense *B,
                                     const vks_gauss_jordan_options *options, vks_gauss_jordan_report *report)
{
    struct call_of c;
    vks_status s = begin(&c, header, A, options, report);
    IF_OK(s, check_system(A, B));
    IF_OK(s, solve_dense(&c.g, A, B));
    return end(&c, s);
}

static vks_status copy_column(struct gauss_jordan *g, reals from, reals to)
{
    struct rec r = rec_once(g->context->device, precision_of(g->precision));
    copy(&r, vec_at(from, g->A.rows, r.precision), vec_at(to, g->A.rows, r.precision));
    return rec_run_once(&r, VKS_OK);
}

static vks_status check_vectors(const vks_dense *A, const vks_vector *b, const vks_vector *x)
{
    struct message *m = &A->context->message;
    TRY(check_matrix(A));
    if (b->context != A->context || x->context != A->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and the vectors belong to different contexts");
    if (b->precision != A->precision || x->precision != A->precision)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and the vectors differ in precision");
    if (b->n != A->rows || x->n != A->rows)
        return fail(m, VKS_INVALID_ARGUMENT, "A is %u x %u, b has %u elements and x has %u", A->rows, A->cols,
                    b->n, x->n);
    return VKS_OK;
}

vks_status vks_gauss_jordan_solve_vector_as(uint32_t header, const vks_dense *A, const vks_vector *b,
                                            vks_vector *x, const vks_gauss_jordan_options *options,
                                            vks_gauss_jordan_report *report)
{
    struct call_of c;
    vks_dense *B = NULL;
    vks_status s = begin(&c, header, A, options, report);
    IF_OK(s, check_vectors(A, b, x));
    IF_OK(s, dense_new(A->context, A->rows, 1, 1, A->precision, &B));
    IF_OK(s, copy_column(&c.g, vector_address(b), block_reals(dense_block(B))));
    IF_OK(s, solve_dense(&c.g, A, B));
    if (!s && has_solution(&c.own))
        s = copy_column(&c.g, block_reals(dense_block(B)), vector_address(x));
    vks_dense_destroy(B);
    return end(&c, s);
}

/* Computes the norms of A and of its inverse, for the condition number, and to detect an overflow. */
static vks_status check_inverse(struct gauss_jordan *g, const struct elimination *e,
                                const struct memory *sums)
{
    double norm = 0, norm_of_inverse = 0;
    vks_status s = largest_sum(e->device, g->precision, sums, 0, e->n, &norm);
    IF_OK(s, largest_sum(e->device, g->precision, sums, e->n, e->n, &norm_of_inverse));
    if (s || e->n == 0)
        return s;
    if (!isfinite(norm_of_inverse)) {
        g->report->reason = VKS_REASON_NOT_FINITE;
        snprintf(g->report->detail, sizeof g->report->detail, "the inverse overflows");
    } else if (!g->options.no_condition) {
        report_condition(g, ordinary_norm(g->precision, norm), norm_of_inverse);
    }
    return VKS_OK;
}

/* Row j of the inverse of A is the row of pivot j; its column i is that of row i's pivot. */
static vks_status take_inverse(struct gauss_jordan *g, struct elimination *e, struct block inverse)
{
    struct device *d = e->device;
    struct memory sums = {0};
    uint64_t bytes = (uint64_t)e->n * real_bytes(e->precision);
    struct rec r = rec_once(d, e->precision);
    vks_status s = device_allocate(d, MEMORY_DEVICE, 2 * bytes, "norms", &sums);
    dense_rows(&r, e->W, (struct rows){.row_of = e->pivots.row_of, .column = e->pivots.step}, inverse);
    dense_column_sums(&r, g->A, (reals)(uintptr_t)sums.address);
    dense_column_sums(&r, inverse, (reals)(uintptr_t)(sums.address + bytes));
    s = rec_run_once(&r, s);
    IF_OK(s, check_inverse(g, e, &sums));
    device_release(d, &sums);
    return s;
}

vks_status invert_dense(struct gauss_jordan *g, struct block inverse)
{
    struct elimination e;
    vks_status s = elimination_create(&e, g->context, g->precision, g->A.rows, 0);
    IF_OK(s, elimination_run(&e, g->A, (struct block){0}, (struct block){0}, true));
    if (!s)
        report_pivots(g, &e);
    if (!s && !e.ending)
        s = take_inverse(g, &e, inverse);
    elimination_release(&e);
    return s;
}

vks_status vks_gauss_jordan_invert_as(uint32_t header, const vks_dense *A, vks_dense **inverse,
                                      const vks_gauss_jordan_options *options,
                                      vks_gauss_jordan_report *report)
{
    struct call_of c;
    *inverse = NULL;
    vks_status s = begin(&c, header, A, options, report);
    IF_OK(s, check_matrix(A));
    IF_OK(s, dense_new(A->context, A->rows, A->rows, A->rows, A->precision, inverse));
    IF_OK(s, invert_dense(&c.g, dense_block(*inverse)));
    if (!s && c.own.reason == VKS_REASON_SINGULAR)
        s = report_singular(&c.g, A, NULL);
    if (s || !has_solution(&c.own)) {
        vks_dense_destroy(*inverse);
        *inverse = NULL;
    }
    return end(&c, s);
}
