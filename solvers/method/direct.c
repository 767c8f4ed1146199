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

/* Share of the largest pivot below which a pivot may be that of a singular matrix after rounding. */
static const double small_pivot = 0x1p-43;

/* A in host memory, in doubles, with its factors. */
struct kept {
    struct host_csr a;
    double *b, *x;
    struct direct direct;
    uint32_t values; /* A->values_taken of these values */
    bool is_factored;
};

static vks_status make_room(struct message *m, const vks_matrix *A, struct kept *c)
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

static vks_status take_values(const vks_matrix *A, struct kept *c)
{
    c->is_factored = false;
    TRY(vks_matrix_to_csr(A, c->a.row, c->a.col, VKS_F64, c->a.val));
    c->values = A->values_taken;
    return VKS_OK;
}

static void forget(void *of)
{
    struct kept *c = of;
    if (!c)
        return;
    direct_close(&c->direct);
    host_csr_free(&c->a);
    free(c->b);
    free(c->x);
    free(c);
}

static vks_status open_copy(struct message *m, const vks_matrix *A, struct kept *c)
{
    TRY(make_room(m, A, c));
    TRY(take_values(A, c));
    return direct_open(m, &c->a, &c->direct);
}

/* Opens the data kept about A, and updates them to the current values. */
static vks_status open_kept(const struct equation *q, void **kept, struct kept **out)
{
    struct message *m = &q->A->context->message;
    struct kept *c = *out = *kept;
    if (c)
        return c->values == q->A->values_taken ? VKS_OK : take_values(q->A, c);
    c = *out = calloc(1, sizeof *c);
    if (!c)
        return fail_memory(m, "a copy of the system for UMFPACK", sizeof *c);
    vks_status status = open_copy(m, q->A, c);
    if (status)
        forget(c);
    *kept = *out = status ? NULL : c;
    return status;
}

static vks_status promise(const struct equation *q, void **kept, struct factors_promise *out)
{
    struct kept *c;
    TRY(open_kept(q, kept, &c));
    const struct lu_counts *counts = &c->direct.lu.promised;
    *out = (struct factors_promise){counts->entries, counts->flops, counts->bytes};
    return VKS_OK;
}

/* Refuses a solution in doubles that overflows an x in f32. */
static void refuse_what_overflows(const struct equation *q, const double *x, struct direct_report *found)
{
    double largest = scalar_types[precision_of(q->x->precision)].largest;
    for (uint32_t i = 0; found->reason == VKS_REASON_CONVERGED && i < q->x->n; i++)
        if (fabs(x[i]) > largest) {
            found->reason = VKS_REASON_NOT_FINITE;
            snprintf(found->detail, sizeof found->detail, "the solution overflows in row %u", i + 1);
            found->row = i;
        }
}

static void take_report(const struct direct_report *found, struct direct_solution *w, struct diagnosis *f)
{
    w->solved = found->reason == VKS_REASON_CONVERGED;
    w->is_sure = w->solved && found->reciprocal_condition >= small_pivot;
    w->iterations = w->solved ? found->refinements : 0;
    w->residual = w->solved ? found->residual : NAN;
    w->seconds_solve = found->seconds_solve;
    if (!w->solved)
        diagnosis_refuse(f, found->reason, found->row, "%s", found->detail);
    diagnosis_warn(f, "%s", found->warning);
}

static vks_status solve_kept(const struct equation *q, struct kept *c, struct direct_report *found)
{
    struct message *m = &q->A->context->message;
    if (!c->is_factored)
        TRY(direct_factor(m, &c->direct));
    c->is_factored = true;
    TRY(vks_vector_read(q->b, 0, q->A->csr.n, VKS_F64, c->b));
    TRY(direct_apply(m, &c->direct, c->b, c->x, found));
    refuse_what_overflows(q, c->x, found);
    return VKS_OK;
}

static vks_status solve_direct(const struct equation *q, void **kept, struct direct_solution *w,
                               struct diagnosis *f)
{
    struct direct_report found;
    struct kept *c;
    TRY(open_kept(q, kept, &c));
    TRY(solve_kept(q, c, &found));
    take_report(&found, w, f);
    return w->solved ? vks_vector_write(q->x, 0, q->A->csr.n, VKS_F64, c->x) : VKS_OK;
}

const struct method method_direct = {.solve_direct = solve_direct, .promise = promise, .forget = forget};
