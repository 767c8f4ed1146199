/* The format of a matrix for which none is asked. */
#include "sparse/matrix.h"
#include "sparse/sell.h"

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
    else if (A->csr.lanes > SELL_MOST_LANES || short_entries(&A->csr) == 0)
        format_because(A, "rows are long enough for many lanes each");
    else
        return false;
    return true;
}

vks_status format_choose(vks_matrix *A)
{
    uint64_t padded = 0;
    A->storage.format = VKS_FORMAT_CSR;
    if (csr_is_better(A))
        return VKS_OK;
    vks_status s = sell_padded(A, &padded);
    double grown = (double)padded / short_entries(&A->csr);
    if (grown <= worthwhile && padded <= VKS_MAX_ENTRIES) {
        A->storage.format = VKS_FORMAT_SELL;
        format_because(A, "rows of even length: slices store %.2f times the entries", grown);
    } else {
        format_because(A, "slices would store %.2f times the entries", grown);
    }
    return s;
}
