/* Sorts rows as in SELL-C-sigma: longest first within windows of sigma rows, rows of equal length in their
 * original order. It is one stable radix sort, with window and length as the key. */
#include "primitive/sort.h"
#include "sparse/bits.h"
#include "sparse/slices.h"

/* The window must fit above the length in the key. */
#define MOST_WINDOWS (UINT32_MAX / (1u << LENGTH_BITS) + 1)

static vks_status sort_rows(const vks_matrix *A, uint32_t sigma, uint32_t windows, const struct memory *order)
{
    struct device *d = A->context->device;
    struct room room = {.device = d};
    struct rec r = rec_once(d, PRECISION_F32);
    struct memory key = room_memory(&room, MEMORY_DEVICE, 4 * (uint64_t)A->csr.n, "keys of rows");
    struct sorted a = {.keys = words_of(&key), .payload = words_of(order), .n = A->csr.n, .words = 1};
    struct radix w = room_radix(&room, &a, RADIX_MOST_BLOCKS);
    sell_keys(&r, &A->csr, a.keys, a.payload, sigma);
    radix_sort(&r, &w, &a, LENGTH_BITS + bits_below(windows));
    vks_status s = rec_leave_once(&r, room.status);
    room_close(&room);
    return s;
}

vks_status rows_by_length(const vks_matrix *A, uint32_t sigma, struct memory *order)
{
    uint32_t n = A->csr.n, windows = n / sigma + (n % sigma != 0);
    if (windows > MOST_WINDOWS)
        return fail(&A->context->message, VKS_LIMIT,
                    "SELL would sort %u rows in %u windows of %u; the most is %u windows", n, windows, sigma,
                    MOST_WINDOWS);
    TRY(device_allocate(A->context->device, MEMORY_DEVICE, 4 * (uint64_t)n, "the order of rows", order));
    return sort_rows(A, sigma, windows, order);
}

vks_status sell_sort(const vks_matrix *A, struct memory *order)
{
    /* Within a slice the order does not affect its width. */
    if (A->storage.sigma <= A->storage.slice_height || A->csr.n < 2)
        return VKS_OK;
    return rows_by_length(A, A->storage.sigma, order);
}
