/* Where a system that is not finite from the start has a NaN or an infinity. It is looked for on the host,
 * after the failure. */
#include "operator/operator.h"
#include "solvers/solve/solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The first element of n that is not finite; n: none is. */
static size_t find(const double *value, size_t n)
{
    size_t i = 0;
    while (i < n && isfinite(value[i]))
        i++;
    return i;
}

/* UINT32_MAX: there is none, or no memory to find it. */
static uint32_t row_of_vector(const vks_vector *v)
{
    double *value = malloc(8 * (size_t)v->n + 1);
    size_t at = value && !vks_vector_read(v, 0, v->n, VKS_F64, value) ? find(value, v->n) : v->n;
    free(value);
    return at < v->n ? (uint32_t)at : UINT32_MAX;
}

static uint32_t row_of_matrix(const vks_matrix *A)
{
    size_t n = A->csr.n, entries = A->csr.entries, at = entries;
    uint32_t *row = malloc(4 * (n + 1)), *col = malloc(4 * entries + 1), i = 0;
    double *val = malloc(8 * entries + 1);
    if (row && col && val && !vks_matrix_to_csr(A, row, col, VKS_F64, val))
        at = find(val, entries);
    while (at < entries && row[i + 1] <= at)
        i++;
    free(row);
    free(col);
    free(val);
    return at < entries ? i : UINT32_MAX;
}

void report_not_finite(struct solve *s)
{
    const struct iteration *it = &s->it;
    vks_solve_report *r = it->report;
    const vks_matrix *A = s->equation.A;
    bool is_of_b = !isfinite(it->progress.b_norm), has_entries = !operator_of(A) && !matrix_in_pairs(A);
    const char *what = "b is not in row";
    r->reason = VKS_REASON_NOT_FINITE;
    r->row = s->options.partners ? UINT32_MAX : row_of_vector(s->equation.b);
    if (r->row == UINT32_MAX && !is_of_b && !s->options.partners) {
        r->row = row_of_vector(s->equation.x);
        what = "x is not in unknown";
    }
    if (r->row == UINT32_MAX && !is_of_b && !s->options.partners && has_entries) {
        r->row = row_of_matrix(A);
        what = "A is not in row";
    }
    it->message->text[0] = 0;
    int used = snprintf(r->detail, sizeof r->detail, "%s not finite from the start",
                        is_of_b ? "the norm of b is" : "b - A x is");
    if (r->row == UINT32_MAX && is_of_b && !s->options.partners)
        snprintf(r->detail + used, sizeof r->detail - (size_t)used, ": it is beyond the range of doubles");
    if (r->row == UINT32_MAX)
        return;
    if (it->options->order && r->row < A->csr.n)
        r->row = it->options->order[r->row];
    snprintf(r->detail + used, sizeof r->detail - (size_t)used, ": %s %u", what, r->row + 1);
    if (r->row >= A->csr.n) /* of a rectangular A */
        r->row = UINT32_MAX;
}
