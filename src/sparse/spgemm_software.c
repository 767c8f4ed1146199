/* Refuses product rows that exceed a limit of Vulkan on a processor: llvmpipe silently ends the loops of an
 * invocation after 65,535 turns in all (docs/gpu.md). */
#include "sparse/spgemm.h"

#include <stdlib.h>

static vks_status check_rows(struct device *d, uint32_t n, const uint32_t *row, const uint32_t *products,
                             uint32_t most)
{
    for (uint32_t i = 0; i < n; i++)
        if (products[i] + 2 * ((uint64_t)row[i + (size_t)1] - row[i]) > most)
            return fail(
                d->message, VKS_LIMIT,
                "row %u of the product is made of %u products of %u entries: too many for %s, a software "
                "device (the host takes any)",
                i, products[i], row[i + (size_t)1] - row[i], d->info.name);
    return VKS_OK;
}

vks_status spgemm_check_software(struct device *d, const struct csr *A, const struct memory *a_row,
                                 const struct memory *bound, uint32_t most)
{
    uint64_t bytes = 4 * ((uint64_t)A->n + 1);
    if (d->info.kind != DEVICE_SOFTWARE)
        return VKS_OK;
    uint32_t *row = malloc(bytes), *products = malloc(bytes);
    vks_status s = row && products ? VKS_OK : fail_memory(d->message, "numbers of products", 2 * bytes);
    IF_OK(s, device_read(d, a_row, 0, row, bytes));
    IF_OK(s, device_read(d, bound, 0, products, bytes - 4));
    IF_OK(s, check_rows(d, A->n, row, products, most));
    free(row);
    free(products);
    return s;
}
