#include "solvers/multigrid/tentative.h"
#include "device/groups.h"
#include "vksolve/vector.h"

static vks_status check(const struct tentative *t, struct message *m)
{
    uint64_t fine = (uint64_t)t->of->nodes * t->size;
    uint64_t coarse = (uint64_t)t->of->aggregates * t->columns;
    uint64_t rows = fine > coarse ? fine : coarse;
    if (t->columns > TENTATIVE_COLUMNS)
        return fail(m, VKS_LIMIT, "%u modes of a multigrid level; the most is %u", t->columns,
                    (uint32_t)TENTATIVE_COLUMNS);
    if (rows * t->columns > VKS_LARGEST_INDEX)
        return fail(m, VKS_LIMIT, "%u modes of %llu unknowns have more than %u elements", t->columns,
                    (unsigned long long)rows, VKS_LARGEST_INDEX);
    return VKS_OK;
}

void orthogonalise(struct rec *r, const struct tentative *t)
{
    uint64_t fine = (uint64_t)t->of->nodes * t->size * t->columns;
    uint64_t coarse = (uint64_t)t->of->aggregates * t->columns * t->columns;
    if (!r->status)
        r->status = check(t, r->device->message);
    run(r, orthogonalise, (uint64_t)t->of->aggregates / 8 + 1, .offset = words_of(&t->of->offset),
        .node = words_of(&t->of->list), .b = t->B, .t = t->T, .coarse = t->coarse,
        .aggregates = t->of->aggregates, .size = t->size, .columns = t->columns);
    bill(r,
         (2 * fine + coarse) * real_bytes(r->precision) + 4 * ((uint64_t)t->of->nodes + t->of->aggregates));
}
