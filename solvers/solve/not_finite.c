/* Locates the NaN or infinity in a system that is not finite from the start, on the host. */
#include "operator/operator.h"
#include "solvers/solve/solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns the index of the first element that is not finite; n: none. */
static size_t find(const double *value, size_t n)
{
    size_t i = 0;
    while (i < n && isfinite(value[i]))
        i++;
    return i;
}

/* Returns the first element that is not finite; UINT32_MAX: none, or no memory for the search. */
static uint32_t row_of_vector(const vks_vector *v)
{
    double *value = malloc(8 * (size_t)v->n + 1);
    size_t at = value && !vks_vector_read(v, 0, v->n, VKS_F64, value) ? find(value, v->n) : v->n;
    free(value);
    return at < v->n ? (uint32_t)at : UINT32_MAX;
}

static uint32_t row_of_matrix(const vks_matrix *A)
{
    size_t entries = A->csr.entries, at = entries;
    struct host_csr a;
    uint32_t i = 0;
    if (!matrix_to_host(A, &a))
        at = find(a.val, entries);
    while (at < entries && a.row[i + 1] <= at)
        i++;
    host_csr_free(&a);
    return at < entries ? i : UINT32_MAX;
}

/* Returns the first row or unknown that is not finite; *what names the operand. */
static uint32_t find_not_finite(const struct solve *s, const char **what)
{
    const vks_matrix *A = s->equation.A;
    *what = "b";
    uint32_t at = row_of_vector(s->equation.b);
    if (at != UINT32_MAX || !isfinite(s->it.column.b_norm))
        return at;
    *what = "x";
    at = row_of_vector(s->equation.x);
    if (at != UINT32_MAX || operator_of(A) || matrix_in_pairs(A))
        return at;
    *what = "A";
    return row_of_matrix(A);
}

void report_not_finite(struct solve *s)
{
    const struct iteration *it = &s->it;
    vks_solve_report *r = it->column.report;
    uint32_t rows = s->equation.A->csr.n;
    bool is_of_b = !isfinite(it->column.b_norm);
    const char *what = "";
    r->reason = VKS_REASON_NOT_FINITE;
    r->row = UINT32_MAX;
    int used = snprintf(r->detail, sizeof r->detail, "%s not finite from the start",
                        is_of_b ? "the norm of b is" : "b - A x is");
    if (s->options.partners)
        return;
    char *rest = r->detail + used;
    size_t left = sizeof r->detail - (size_t)used;
    uint32_t at = find_not_finite(s, &what);
    it->message->text[0] = 0;
    if (at < rows && it->options->order)
        at = it->options->order[at];
    if (at != UINT32_MAX)
        snprintf(rest, left, ": %s %u of %s is not finite", *what == 'x' ? "unknown" : "row", at + 1, what);
    else if (is_of_b)
        snprintf(rest, left, ": it is beyond the range of doubles");
    if (at < rows) /* false for an unknown of a rectangular A, or none */
        r->row = at;
}
