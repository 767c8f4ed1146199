/* The format of a matrix for which none is asked. */
#include "sparse/matrix.h"
#include "sparse/sell.h"

#include <stdio.h>

/* The most padding with which SELL is chosen. */
static const double worthwhile = 1.125;
/* Rows of fewer entries on average are as fast in CSR. */
enum { SHORT = 6 };

/* Whether CSR is the better choice, by what is known without looking at the rows; the reason says why. */
static bool csr_is_better(vks_matrix *A)
{
    if (A->context->device->info.kind == DEVICE_HOST)
        format_because(A, "rows are contiguous for a processor");
    else if (A->csr.entries == 0 || A->csr.entries < SHORT * (uint64_t)A->csr.n)
        format_because(A, "rows are short");
    else if (A->csr.lanes > SELL_FEW_LANES || short_entries(&A->csr) == 0)
        format_because(A, "rows are long enough for many lanes each");
    else
        return false;
    return true;
}

/* "slices", and what is unusual about them. */
static void describe_slices(const vks_matrix *A, char *text, size_t size)
{
    const vks_format_options *o = &A->storage;
    int used = snprintf(text, size, "slices");
    if (o->slice_height != SELL_SLICE)
        used += snprintf(text + used, size - (size_t)used, " of %u rows", o->slice_height);
    if (o->sigma > 1)
        snprintf(text + used, size - (size_t)used, ", sorted within %u rows,", o->sigma);
}

vks_status format_choose(vks_matrix *A)
{
    uint64_t padded = 0;
    A->storage.format = VKS_FORMAT_CSR;
    if (csr_is_better(A))
        return VKS_OK;
    vks_status s = sell_padded(A, &padded);
    double grown = (double)padded / short_entries(&A->csr);
    char slices[64];
    describe_slices(A, slices, sizeof slices);
    if (grown <= worthwhile && padded <= VKS_MAX_ENTRIES) {
        A->storage.format = VKS_FORMAT_SELL;
        format_because(A, "rows of even length: %s store %.2f times the entries", slices, grown);
    } else {
        format_because(A, "%s would store %.2f times the entries", slices, grown);
    }
    return s;
}
