/* The formats by name, and the making of one. */
#include "report/names.h"
#include "sparse/choose.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const struct {
    const char *name, *text;
    const struct format_ops *ops;
} formats[] = {{"auto", "chosen from the matrix and the device", NULL},
#define X(NAME, module, name, text) {name, text, &format_##module},
               VKS_FORMATS(X)
#undef X
};

NAME_OF(vks_format_name, vks_format, formats, name)
NAME_OF(vks_format_text, vks_format, formats, text)

vks_status format_check(struct message *m, vks_format format)
{
    if ((unsigned)format >= VKS_FORMAT_COUNT_)
        return fail(m, VKS_INVALID_ARGUMENT, "%d is no vks_format", (int)format);
    return VKS_OK;
}

static bool within(uint32_t v, uint32_t least, uint32_t most)
{
    return v == 0 || (v >= least && v <= most);
}

vks_status storage_check(struct message *m, const vks_format_options *o)
{
    if (!within(o->slice_height, 4, 128) || (o->slice_height & (o->slice_height - 1)))
        return fail(m, VKS_INVALID_ARGUMENT, "slices of %u rows: 4, 8, 16, 32, 64 or 128 are allowed",
                    o->slice_height);
    if (!within(o->block_size, 2, 8))
        return fail(m, VKS_INVALID_ARGUMENT, "blocks of %u rows: 2 to 8 are allowed", o->block_size);
    if (o->padding != 0 && !(o->padding >= 1 && isfinite(o->padding)))
        return fail(m, VKS_INVALID_ARGUMENT, "padding of %g times the entries: it is 1 or more", o->padding);
    if ((unsigned)o->coding > VKS_CODED_ALWAYS)
        return fail(m, VKS_INVALID_ARGUMENT, "%d is no vks_coding", (int)o->coding);
    return format_check(m, o->format);
}

void format_because(vks_matrix *A, const char *text, ...)
{
    va_list args;
    va_start(args, text);
    vsnprintf(A->format_reason, sizeof A->format_reason, text, args);
    va_end(args);
}

vks_format_options storage_resolved(const vks_format_options *wanted)
{
    vks_format_options o = *wanted;
    if (!o.slice_height)
        o.slice_height = 32;
    if (!o.sigma)
        o.sigma = 1;
    if (o.padding == 0)
        o.padding = 8;
    return o;
}

static vks_status create(vks_matrix *A)
{
    A->ops = formats[A->storage.format].ops;
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
                         .meets = info->polls && info->memory_model};
    struct choice c;
    A->known->only_full_blocks = true;
    choose_format(&q, &c);
    A->storage.format = c.format;
    A->storage.block_size = c.block_size;
    format_because(A, "%s", c.reason);
    return create(A);
}

/* Where some blocks are partial after all, which were not looked at, another choice; and CSR where there is
 * no room beside it for a format that nobody has asked for, or the matrix is beyond a limit of that. */
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

/* What has to be known before the format is made. Only where there are more entries than a short row has,
 * rows can be long. */
static unsigned wants(const vks_matrix *A)
{
    const struct format_ops *ops = formats[A->storage.format].ops;
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
        vks_status s = long_rows_create(A->context->device, &A->csr, &A->long_rows);
        if (s)
            return s;
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
    if (!s)
        s = make(A);
    A->known = NULL;
    statistics_release(A->context->device, &known);
    return s ? s : csr_give_up(A);
}

vks_status format_refresh(vks_matrix *A)
{
    bool done = false;
    A->transposed_is_stale = true;
    A->values_taken++;
    vks_status s = A->ops->retake ? A->ops->retake(A, &done) : VKS_OK;
    A->layout += done;
    if (s || !A->ops->refresh)
        return s;
    struct rec r;
    rec_create(&r, A->context->device, values_precision(A));
    if (!done)
        A->ops->refresh(&r, A);
    if (A->long_rows.col.bytes)
        long_copy(&r, &A->csr, &A->long_rows, false);
    s = rec_run(&r);
    rec_destroy(&r);
    return s;
}

void format_release(vks_matrix *A)
{
    if (A->ops && A->ops->release)
        A->ops->release(A);
    A->stored = NULL;
    A->kinds = 0;
}
