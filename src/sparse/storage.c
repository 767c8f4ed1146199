/* Stores a matrix in the requested format or the cheapest one. */
#include "sparse/choose.h"

#include <stdio.h>

static vks_status create(vks_matrix *A)
{
    A->ops = format_of(A->storage.format);
    return A->ops->create ? A->ops->create(A) : VKS_OK;
}

static bool on_host(const vks_matrix *A)
{
    return A->context->device->info.kind == DEVICE_HOST;
}

static vks_status choose_and_create(vks_matrix *A)
{
    const struct device_info *info = &A->context->device->info;
    struct question q = {.A = &A->csr,
                         .storage = &A->storage,
                         .known = A->known,
                         .precision = matrix_precision(A),
                         .host = on_host(A),
                         .turn_bytes = info->turn_bytes,
                         .co_resident = info->polls && info->memory_model};
    struct choice c;
    A->known->only_full_blocks = true;
    choose_format(&q, &c);
    A->storage.format = c.format;
    A->storage.block_size = c.block_size;
    format_because(A, "%s", c.reason);
    return create(A);
}

/* Chooses a format and stores A in it. Chooses again if uninspected blocks turn out to be partial. Falls back
 * to CSR if the device has no memory for the chosen format, or the matrix exceeds the format's limits. */
static vks_status create_chosen(vks_matrix *A)
{
    uint32_t block_size = A->storage.block_size;
    vks_status s = choose_and_create(A);
    if (s == VKS_LIMIT && A->storage.format == VKS_FORMAT_BSR) {
        format_release(A);
        context_begin(A->context);
        A->storage.block_size = block_size;
        blocks_forget(A->known);
        s = choose_and_create(A);
    }
    if (s != VKS_DEVICE_MEMORY && s != VKS_LIMIT)
        return s;
    char why[64];
    snprintf(why, sizeof why, s == VKS_LIMIT ? "beyond a limit of %s" : "no room for %s on the device",
             vks_format_name(A->storage.format));
    format_release(A);
    format_because(A, "%s", why);
    A->storage.format = VKS_FORMAT_CSR;
    context_begin(A->context);
    return create(A);
}

/* The statistics needed. Row lengths are among them if A has enough entries for a long row. */
static unsigned wants(const vks_matrix *A)
{
    const struct format_ops *ops = format_of(A->storage.format);
    return (ops ? ops->wants : choice_wants(&A->csr, on_host(A))) |
           (A->csr.entries > LONG_ROW ? KNOW_LENGTHS : 0);
}

static vks_status make(vks_matrix *A)
{
    const uint32_t *know = A->known->word;
    if (know[ROWS_LONG]) {
        A->long_rows = (struct long_rows){.rows = know[ROWS_LONG],
                                          .entries = know[ROWS_LONG_ENTRIES],
                                          .pieces = know[ROWS_PIECES],
                                          .several = know[ROWS_SEVERAL],
                                          .many = know[ROWS_MANY]};
        TRY(long_rows_create(A->context->device, &A->csr, &A->long_rows));
        A->csr.longs = &A->long_rows;
    }
    return A->storage.format == VKS_FORMAT_AUTO ? create_chosen(A) : create(A);
}

vks_status format_set_up(vks_matrix *A, const vks_format_options *wanted)
{
    struct statistics known;
    A->storage = storage_resolved(wanted);
    format_because(A, "as asked");
    vks_status s = statistics_gather(A, wants(A), &known);
    A->known = &known;
    IF_OK(s, make(A));
    A->known = NULL;
    statistics_release(A->context->device, &known);
    return s ? s : csr_give_up(A);
}
