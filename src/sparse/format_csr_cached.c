/* CSR whose product caches the part of x that 256 rows read in shared memory. */
#include "sparse/csr_variants.h"

#include <stdlib.h>

/* The type of A->stored. */
struct kept {
    struct memory window;
};

static u32s window_of(const vks_matrix *A)
{
    const struct kept *k = A->stored;
    return (u32s)(uintptr_t)k->window.address;
}

static vks_status create(vks_matrix *A)
{
    struct device *d = A->context->device;
    struct kept *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "windows", sizeof *k);
    vks_status s =
        device_allocate(d, MEMORY_DEVICE, 8 * (uint64_t)csr_tiles(A->csr.n), "windows of rows", &k->window);
    struct rec r = rec_once(d, precision_of(A->precision));
    csr_windows(&r, &A->csr, window_of(A));
    return rec_run_once(&r, s);
}

static void product(struct rec *r, const vks_matrix *A, struct vec x, struct vec y)
{
    spmv_csr_cached(r, &A->csr, window_of(A), x, y);
}

static uint64_t bytes(const vks_matrix *A)
{
    const struct kept *k = A->stored;
    return format_csr.bytes(A) + k->window.bytes;
}

static void release(vks_matrix *A)
{
    struct kept *k = A->stored;
    if (k)
        device_release(A->context->device, &k->window);
    free(k);
}

const struct format_ops format_csr_cached = {
    .create = create, .spmv = product, .bytes = bytes, .release = release};
