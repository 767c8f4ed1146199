/* The symmetric permutation of a matrix. */
#include "entries/rcm.h"
#include <stdlib.h>

vks_status host_csr_permute(struct message *m, const struct host_csr *a, const uint32_t *place,
                            struct host_csr *out)
{
    size_t entries = host_csr_entries(a);
    uint32_t *row = malloc(entries * sizeof *row + 1), *col = malloc(entries * sizeof *col + 1);
    struct triplets t = {
        .rows = a->rows, .cols = a->cols, .count = entries, .row = row, .col = col, .val = a->val};
    *out = (struct host_csr){0};
    vks_status status =
        row && col ? VKS_OK : fail_memory(m, "the matrix in another order", entries * 2 * sizeof *row);
    for (uint32_t i = 0; !status && i < a->rows; i++)
        for (size_t k = a->row[i]; k < a->row[i + 1]; k++) {
            row[k] = place[i];
            col[k] = place[a->col[k]];
        }
    IF_OK(status, host_csr_assemble(m, &t, out));
    free(row);
    free(col);
    return status;
}
