/* How dominant the diagonal of A is. */
#include "primitive/verbs.h"
#include "solvers/solver.h"

static vks_status value_at(struct solve *s, uint32_t i, double *value)
{
    return download_values(s->device, &s->vectors[0], public_precision(s->precision), i, 1, VKS_F64, value);
}

static vks_status measure(struct solve *s, struct range_words *found)
{
    struct device *d = s->device;
    reals ratio = s->workspace.vector[0];
    struct reduction sums = {0};
    struct memory m = {0};
    struct rec r;
    rec_create(&r, d, s->precision);
    vks_status status = device_allocate(d, MEMORY_DEVICE, sizeof *found, "a range", &m);
    if (!status)
        status = reduction_create(d, s->n, reduction_rows(RANGE_ITEM_BYTES), &sums);
    csr_dominance(&r, &s->system.A->csr, ratio);
    min_max_real(&r, &sums, ratio, words_of(&m), s->n);
    if (!status)
        status = rec_run(&r);
    if (!status)
        status = device_read(d, &m, 0, found, sizeof *found);
    rec_destroy(&r);
    reduction_destroy(d, &sums);
    device_release(d, &m);
    return status;
}

vks_status dominance_measure(struct solve *s, struct dominance *out)
{
    struct range_words found;
    *out = (struct dominance){0};
    if (s->n == 0)
        return VKS_OK;
    vks_status status = measure(s, &found);
    if (status)
        return status;
    out->worst_row = found.high_at;
    status = value_at(s, found.high_at, &out->worst);
    return status ? status : value_at(s, found.low_at, &out->best);
}
