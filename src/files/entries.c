#include "files/kinds.h"
#include "report/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

vks_status entries_allocate(struct message *m, const char *name, uint64_t rows, uint64_t cols, uint64_t count,
                            struct triplets *e)
{
    if (rows > VKS_MAX_ROWS || cols > VKS_MAX_ROWS)
        return fail(m, VKS_LIMIT, "%s: more than the limit of %u rows or columns", name, VKS_MAX_ROWS);
    if (count > VKS_MAX_ENTRIES)
        return fail(m, VKS_LIMIT, "%s: %" PRIu64 " entries are more than the limit of %u", name, count,
                    VKS_MAX_ENTRIES);
    size_t n = count ? (size_t)count : 1; /* so that NULL means failure */
    size_t bytes = n * (sizeof *e->row + sizeof *e->col + sizeof *e->val);
    TRY(memory_check(m, name, "its entries", bytes));
    *e = (struct triplets){.rows = (uint32_t)rows,
                           .cols = (uint32_t)cols,
                           .row = malloc(n * sizeof *e->row),
                           .col = malloc(n * sizeof *e->col),
                           .val = malloc(n * sizeof *e->val)};
    if (!e->row || !e->col || !e->val)
        return memory_lacks(m, name, "its entries", bytes);
    e->count = (size_t)count;
    return VKS_OK;
}

vks_status entries_allocate_array(struct message *m, const char *name, uint64_t rows, uint64_t cols,
                                  struct market *out)
{
    struct triplets *e = &out->entries;
    uint64_t most = (uint64_t)VKS_MAX_ENTRIES + 1;
    out->is_array = true;
    TRY(entries_allocate(m, name, rows, cols, cols && rows >= most / cols + 1 ? most : rows * cols, e));
    size_t k = 0;
    for (uint32_t j = 0; k < e->count; j++)
        for (uint32_t i = 0; i < e->rows; i++, k++) {
            e->row[k] = i;
            e->col[k] = j;
        }
    return VKS_OK;
}

vks_status entries_check_value(struct message *m, const char *name, double value, uint64_t row, uint64_t col)
{
    if (isfinite(value))
        return VKS_OK;
    return fail(m, VKS_FORMAT, "%s: the value in row %" PRIu64 ", column %" PRIu64 " is not finite", name,
                row + 1, col + 1);
}
