/* Sparse LU factors by UMFPACK on the host as a method of vks_solve. */
#include "direct/direct.h"
#include "report/clock.h"
#include "solvers/method.h"
#include "sparse/matrix.h"
#include "vksolve/vector.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The system in host memory, in doubles. */
struct copy {
    struct host_csr a;
    double *b, *x;
};

static vks_status make_room(struct message *m, const vks_matrix *A, struct copy *c)
{
    size_t n = A->csr.n, entries = A->csr.entries;
    c->a.rows = c->a.cols = A->csr.n;
    c->a.row = malloc((n + 1) * sizeof *c->a.row);
    c->a.col = malloc((entries + 1) * sizeof *c->a.col);
    c->a.val = malloc((entries + 1) * sizeof *c->a.val);
    c->b = malloc((n + 1) * sizeof *c->b);
    c->x = malloc((n + 1) * sizeof *c->x);
    if (c->a.row && c->a.col && c->a.val && c->b && c->x)
        return VKS_OK;
    return fail_memory(m, "a copy of the system for UMFPACK", n * 20 + entries * 12);
}

static vks_status download(const struct equation *q, struct copy *c)
{
    TRY(make_room(&q->A->context->message, q->A, c));
    TRY(vks_matrix_to_csr(q->A, c->a.row, c->a.col, VKS_F64, c->a.val));
    return vks_vector_read(q->b, 0, q->A->csr.n, VKS_F64, c->b);
}

/* An x in f32 holds less than the doubles that were found. */
static void refuse_what_overflows(const struct equation *q, const double *x, struct direct_report *told)
{
    double largest = q->x->precision == VKS_F32 ? FLT_MAX : DBL_MAX;
    for (uint32_t i = 0; told->reason == VKS_REASON_CONVERGED && i < q->x->n; i++)
        if (fabs(x[i]) > largest) {
            told->reason = VKS_REASON_NOT_FINITE;
            snprintf(told->detail, sizeof told->detail, "the solution overflows in row %u", i + 1);
            told->row = i;
        }
}

static void take_report(const struct direct_report *told, struct direct_solution *w, struct diagnosis *f)
{
    w->solved = told->reason == VKS_REASON_CONVERGED;
    w->iterations = w->solved ? told->refinements : 0;
    w->residual = w->solved ? told->residual : NAN;
    if (!w->solved)
        diagnosis_refuse(f, told->reason, told->row, "%s", told->detail);
    diagnosis_warn(f, "%s", told->warning);
}

static vks_status solve_direct(const struct equation *q, struct direct_solution *w, struct diagnosis *f)
{
    struct message *m = &q->A->context->message;
    struct direct_report told;
    struct copy c = {0};
    vks_status status = download(q, &c);
    if (!status)
        status = direct_solve(m, &c.a, c.b, c.x, &told);
    if (!status)
        refuse_what_overflows(q, c.x, &told);
    if (!status)
        take_report(&told, w, f);
    if (!status && w->solved)
        status = vks_vector_write(q->x, 0, q->A->csr.n, VKS_F64, c.x);
    w->seconds_solve = status ? 0 : told.seconds_solve;
    host_csr_free(&c.a);
    free(c.b);
    free(c.x);
    return status;
}

const struct method method_direct = {.solve_direct = solve_direct};
