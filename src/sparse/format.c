/* Which format the products of a matrix use, and its making. */
#include "sparse/matrix.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name, *text;
} formats[] = {{"auto", "chosen from the matrix and the device"},
#define X(NAME, name, text) {#name, text},
               VKS_FORMATS(X)
#undef X
};

const char *vks_format_name(vks_format format)
{
    return (unsigned)format < VKS_FORMAT_COUNT_ ? formats[format].name : "?";
}

const char *vks_format_text(vks_format format)
{
    return (unsigned)format < VKS_FORMAT_COUNT_ ? formats[format].text : "?";
}

vks_status format_check(vks_context *context, vks_format format)
{
    if ((unsigned)format >= VKS_FORMAT_COUNT_)
        return fail(&context->message, VKS_INVALID_ARGUMENT, "%d is no vks_format", (int)format);
    return VKS_OK;
}

/* The most padding that SELL may add: when it is chosen, and when it is asked for. */
static const double worthwhile = 1.125, bearable = 8;
/* Rows of fewer entries on average are as fast in CSR. */
enum { SHORT = 6 };
enum { SMALL = 4096 }; /* entries that may be padding in any case */

static void reason(vks_matrix *A, const char *text)
{
    snprintf(A->format_reason, sizeof A->format_reason, "%s", text);
}

/* Whether CSR is the better choice, by what is known without looking at the rows; the reason says why. */
static bool csr_is_better(vks_matrix *A)
{
    if (A->context->device->info.kind == DEVICE_HOST)
        reason(A, "rows are contiguous for a processor");
    else if (A->csr.entries == 0 || A->csr.entries < SHORT * (uint64_t)A->csr.n)
        reason(A, "rows are short");
    else if (A->csr.lanes > SELL_MOST_LANES)
        reason(A, "rows are long enough for many lanes each");
    else
        return false;
    return true;
}

/* Whether the slices are worth their padding. */
static bool sell_is_better(vks_matrix *A, uint64_t padded)
{
    double grown = (double)padded / A->csr.entries;
    bool better = grown <= worthwhile && padded <= VKS_MAX_ENTRIES;
    snprintf(A->format_reason, sizeof A->format_reason, "%s%.2f times the entries%s",
             better ? "rows of even length: slices store " : "slices would store ", grown,
             padded > VKS_MAX_ENTRIES ? ", too many" : "");
    return better;
}

static vks_status check_sell(const vks_matrix *A, uint64_t padded)
{
    struct message *m = &A->context->message;
    if (A->csr.lanes > SELL_MOST_LANES)
        return fail(m, VKS_LIMIT,
                    "SELL takes rows of up to 95 entries on average; these have %u (CSR takes any)",
                    A->csr.entries / A->csr.n);
    if (padded > VKS_MAX_ENTRIES || (double)padded > bearable * A->csr.entries + SMALL)
        return fail(m, VKS_LIMIT,
                    "SELL would store %llu entries for %u; the most is %g times as many (CSR takes any)",
                    (unsigned long long)padded, A->csr.entries, bearable);
    return VKS_OK;
}

vks_status format_refresh(vks_matrix *A)
{
    if (A->format != VKS_FORMAT_SELL)
        return VKS_OK;
    struct rec r;
    rec_create(&r, A->context->device, precision_of(A->precision));
    csr_to_sell(&r, &A->csr, &A->sell);
    vks_status s = rec_run(&r);
    rec_destroy(&r);
    return s;
}

/* Compact columns are larger where slices have few entries in a row. (Where they are smaller, their words
 * number fewer than the entries: 32 bits reach.) */
static bool compact_is_smaller(const struct sell *A)
{
    return sell_column_bytes(A->n, A->padded, true) + sell_base_bytes(A->n, A->padded) <
           sell_column_bytes(A->n, A->padded, false);
}

/* The bases of compact columns, which are given up where they do not reach. */
static vks_status make_bases(vks_matrix *A)
{
    struct device *d = A->context->device;
    if (!compact_is_smaller(&A->sell))
        return VKS_OK;
    uint32_t most = 0;
    struct memory m = {0};
    struct rec r;
    rec_create(&r, d, precision_of(A->precision));
    vks_status s = device_allocate(d, MEMORY_DEVICE, sell_base_bytes(A->csr.n, A->sell.padded),
                                   "columns of slices", &A->base);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, sizeof most, "a column", &m);
    if (!s)
        s = device_write(d, &m, 0, &most, sizeof most);
    sell_bases(&r, &A->csr, A->sell.slice, (u32s)(uintptr_t)A->base.address, (u32s)(uintptr_t)m.address);
    if (!s)
        s = rec_run(&r);
    if (!s)
        s = device_read(d, &m, 0, &most, sizeof most);
    rec_destroy(&r);
    device_release(d, &m);
    if (!s && most > SELL_MOST_ABOVE)
        device_release(d, &A->base);
    A->sell.base = (u32s)(uintptr_t)A->base.address;
    return s;
}

static vks_status make_sell(vks_matrix *A, const uint32_t *slice, uint32_t padded, uint64_t fours)
{
    struct device *d = A->context->device;
    uint64_t offsets = 4 * ((uint64_t)sell_slices(A->csr.n) + 1);
    A->format = VKS_FORMAT_SELL;
    A->sell = (struct sell){
        .n = A->csr.n, .cols = A->csr.cols, .lanes = A->csr.lanes, .padded = padded, .fours = fours};
    vks_status s = device_allocate(d, MEMORY_DEVICE, offsets, "slice offsets", &A->slice);
    if (!s)
        s = device_write(d, &A->slice, 0, slice, offsets);
    A->sell.slice = (u32s)(uintptr_t)A->slice.address;
    if (!s)
        s = make_bases(A);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, sell_column_bytes(A->csr.n, padded, A->sell.base != NULL),
                            "columns in slices", &A->sell_col);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, real_bytes(precision_of(A->precision)) * (uint64_t)padded,
                            "values in slices", &A->sell_val);
    A->sell.col = (u32s)(uintptr_t)A->sell_col.address;
    A->sell.val = (reals)(uintptr_t)A->sell_val.address;
    return s ? s : format_refresh(A);
}

/* CSR after all, where there is no room for slices beside it. */
static vks_status csr_after_all(vks_matrix *A, vks_status s)
{
    if (s != VKS_DEVICE_MEMORY)
        return s;
    format_release(A);
    A->format = VKS_FORMAT_CSR;
    reason(A, "no room for slices on the device");
    context_begin(A->context);
    return VKS_OK;
}

/* In slices, if that is worth it or asked for. */
static vks_status slice_rows(vks_matrix *A, const uint32_t *row, vks_format wanted)
{
    uint64_t bytes = 4 * ((uint64_t)sell_slices(A->csr.n) + 1), fours;
    uint32_t *slice = malloc(bytes);
    if (!slice)
        return fail_memory(&A->context->message, "slice offsets", bytes);
    uint64_t padded = sell_offsets(A->csr.n, row, slice, &fours);
    vks_status s = VKS_OK;
    if (wanted == VKS_FORMAT_SELL) {
        s = check_sell(A, padded);
        s = s ? s : make_sell(A, slice, (uint32_t)padded, fours);
    } else if (sell_is_better(A, padded)) {
        s = csr_after_all(A, make_sell(A, slice, (uint32_t)padded, fours));
    }
    free(slice);
    return s;
}

vks_status format_set_up(vks_matrix *A, const uint32_t *row, vks_format wanted)
{
    A->format = VKS_FORMAT_CSR;
    if (wanted != VKS_FORMAT_AUTO)
        reason(A, "as asked");
    if (wanted == VKS_FORMAT_CSR || (wanted == VKS_FORMAT_AUTO && csr_is_better(A)))
        return VKS_OK;
    if (row)
        return slice_rows(A, row, wanted);
    uint64_t bytes = 4 * ((uint64_t)A->csr.n + 1);
    uint32_t *copy = malloc(bytes);
    if (!copy)
        return fail_memory(&A->context->message, "row offsets", bytes);
    vks_status s = device_read(A->context->device, &A->row, 0, copy, bytes);
    if (!s)
        s = slice_rows(A, copy, wanted);
    free(copy);
    return s;
}

void format_release(vks_matrix *A)
{
    struct device *d = A->context->device;
    device_release(d, &A->slice);
    device_release(d, &A->base);
    device_release(d, &A->sell_col);
    device_release(d, &A->sell_val);
}
