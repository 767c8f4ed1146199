#include "direct/lu.h"

#include <math.h>
#include <stdlib.h>

/* Peak memory per entry of the factors, including frontal matrices, and per row; measured on grids, beams and
 * circuits. */
static const double bytes_of_entry = 16, bytes_of_row = 550;

/* The usual fraction of UMFPACK's bounds for any pivots. */
static const double of_bound = 0.5, flops_of_bound = 0.3;

/* The status of an UMFPACK call; VKS_OK even if A is singular. */
static vks_status status_of(struct message *m, const char *step, int code)
{
    if (code == UMFPACK_OK || code == UMFPACK_WARNING_SINGULAR)
        return VKS_OK;
    if (code == UMFPACK_ERROR_OUT_OF_MEMORY)
        return fail(m, VKS_OUT_OF_MEMORY, "out of host memory: UMFPACK has no room for its %s", step);
    return fail(m, VKS_LIMIT, "UMFPACK's %s failed with code %d", step, code);
}

/* Widens the indices of A. */
static vks_status widen(struct message *m, const struct host_csr *a, struct lu *f)
{
    size_t n = a->rows, entries = host_csr_entries(a);
    f->start = malloc((n + 1) * sizeof *f->start);
    f->index = malloc((entries + 1) * sizeof *f->index);
    if (!f->start || !f->index)
        return fail_memory(m, "UMFPACK's copy of the structure of A", (n + entries) * sizeof *f->index);
    for (size_t i = 0; i <= n; i++)
        f->start[i] = a->row[i];
    for (size_t k = 0; k < entries; k++)
        f->index[k] = a->col[k];
    f->n = a->rows;
    return VKS_OK;
}

static struct lu_counts promised(const struct lu *f)
{
    const double *info = f->info;
    double bound = info[UMFPACK_PEAK_MEMORY_ESTIMATE] * info[UMFPACK_SIZE_OF_UNIT];
    bool on_diagonal = info[UMFPACK_STRATEGY_USED] == UMFPACK_STRATEGY_SYMMETRIC;
    double entries = on_diagonal ? info[UMFPACK_SYMMETRIC_LUNZ] + f->n
                                 : of_bound * (info[UMFPACK_LNZ_ESTIMATE] + info[UMFPACK_UNZ_ESTIMATE]);
    return (struct lu_counts){.entries = entries,
                              .flops = on_diagonal ? info[UMFPACK_SYMMETRIC_FLOPS]
                                                   : flops_of_bound * info[UMFPACK_FLOPS_ESTIMATE],
                              .bytes = fmin(bound, bytes_of_entry * entries + bytes_of_row * f->n)};
}

static vks_status analyse(struct message *m, struct lu *f)
{
    if (f->symbolic)
        f->library.free_symbolic(&f->symbolic);
    TRY(status_of(
        m, "analysis",
        f->library.symbolic(f->n, f->n, f->start, f->index, f->val, &f->symbolic, f->control, f->info)));
    f->is_fresh = true;
    return VKS_OK;
}

vks_status lu_analyse(struct message *m, const struct host_csr *a, struct lu *f)
{
    *f = (struct lu){.val = a->val};
    TRY(umfpack_open(m, &f->library));
    TRY(widen(m, a, f));
    f->library.defaults(f->control);
    f->control[UMFPACK_IRSTEP] = 0; /* the caller refines x */
    TRY(analyse(m, f));
    f->promised = promised(f);
    return VKS_OK;
}

static vks_status make(struct message *m, struct lu *f)
{
    if (f->numeric)
        f->library.free_numeric(&f->numeric);
    int code = f->library.numeric(f->start, f->index, f->val, f->symbolic, &f->numeric, f->control, f->info);
    TRY(status_of(m, "factors", code));
    f->reciprocal_condition = f->info[UMFPACK_RCOND];
    f->entries = f->info[UMFPACK_LNZ] + f->info[UMFPACK_UNZ];
    f->zero_pivots = code == UMFPACK_WARNING_SINGULAR ? f->n - (uint32_t)f->info[UMFPACK_UDIAG_NZ] : 0;
    return VKS_OK;
}

vks_status lu_make(struct message *m, const struct host_csr *a, struct lu *f)
{
    bool is_fresh = f->is_fresh && f->symbolic;
    f->val = a->val;
    f->is_fresh = false; /* the analysis did not use the next values */
    if (!f->symbolic)
        TRY(analyse(m, f));
    TRY(make(m, f));
    if (is_fresh || !f->zero_pivots)
        return VKS_OK;
    TRY(analyse(m, f));
    f->is_fresh = false;
    return make(m, f);
}

vks_status lu_apply(struct message *m, struct lu *f, const double *b, double *x)
{
    int code = f->library.solve(UMFPACK_TRANSPOSED, f->start, f->index, f->val, x, b, f->numeric, f->control,
                                f->info);
    for (uint32_t i = 0; code == UMFPACK_WARNING_SINGULAR && i < f->n; i++)
        if (!isfinite(x[i]))
            x[i] = 0;
    return status_of(m, "solution", code);
}

void lu_free(struct lu *f)
{
    if (f->symbolic)
        f->library.free_symbolic(&f->symbolic);
    if (f->numeric)
        f->library.free_numeric(&f->numeric);
    free(f->start);
    free(f->index);
    *f = (struct lu){0};
}
