/* The formats by name, and their operations. */
#include "report/names.h"
#include "sparse/matrix.h"

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

NAME_OF(vks_format_name, vks_format, format, formats, name)
NAME_OF(vks_format_text, vks_format, format, formats, text)

const struct format_ops *format_of(vks_format format)
{
    return formats[format].ops;
}

vks_status format_check(struct message *m, vks_format format)
{
    if ((unsigned)format >= VKS_FORMAT_COUNT_)
        return fail(m, VKS_INVALID_ARGUMENT, "%d is not a vks_format", (int)format);
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
        return fail(m, VKS_INVALID_ARGUMENT, "padding of %g times the entries: it must be 1 or more",
                    o->padding);
    if ((unsigned)o->coding > VKS_CODED_ALWAYS)
        return fail(m, VKS_INVALID_ARGUMENT, "%d is not a vks_coding", (int)o->coding);
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

vks_status format_refresh(vks_matrix *A)
{
    bool done = false;
    A->transposed_is_stale = true;
    A->values_taken++;
    vks_status s = A->ops->retake ? A->ops->retake(A, &done) : VKS_OK;
    A->layout += done;
    if (s || !A->ops->refresh)
        return s;
    struct rec r = rec_once(A->context->device, values_precision(A));
    if (!done)
        A->ops->refresh(&r, A);
    if (A->long_rows.col.bytes)
        long_copy(&r, &A->csr, &A->long_rows, false);
    return rec_run_once(&r, s);
}

void format_release(vks_matrix *A)
{
    if (A->ops && A->ops->release)
        A->ops->release(A);
    A->stored = NULL;
    A->kinds = 0;
}
