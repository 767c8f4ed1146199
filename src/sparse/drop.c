/* Removes zeros, and entries small relative to their row. */
#include "sparse/algebra.h"
#include "sparse/narrow.h"
#include "vector/vector.h"

/* The workspace of one call. */
struct drop {
    const vks_matrix *A;
    struct memory below, most, position;
    uint32_t entries; /* entries kept */
};

vks_status drop_check(vks_context *context, double below)
{
    if (!(below >= 0 && below <= 1))
        return fail(&context->message, VKS_INVALID_ARGUMENT,
                    "entries below %.17g times the largest of their row: 0 to 1 is allowed", below);
    return VKS_OK;
}

static u32s position_of(const struct drop *w)
{
    return (u32s)(uintptr_t)w->position.address;
}

/* Finds the position of each kept entry. */
static vks_status choose(struct drop *w, double below)
{
    const struct csr *A = &w->A->csr;
    struct device *d = w->A->context->device;
    struct rec r = rec_once(d, precision_of(w->A->precision));
    vks_status s = device_allocate(d, MEMORY_DEVICE, 8, "a number", &w->below);
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, vector_bytes(&r, A->n), "row maxima", &w->most));
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, 4 * ((uint64_t)A->entries + 1), "places of entries",
                             &w->position));
    IF_OK(s, upload_values(d, &w->below, vector_precision(w->A->precision), 0, 1, VKS_F64, &below));
    reals most = (reals)(uintptr_t)w->most.address;
    csr_row_maxima(&r, A, most);
    csr_drop_flags(&r, A, most, (number)(uintptr_t)w->below.address, position_of(w));
    s = rec_run_once(&r, s);
    device_release(d, &w->most);
    return s ? s : offsets_from_counts(d, position_of(w), A->entries, "B", &w->entries);
}

/* Copies the kept entries to B. */
static vks_status pack(const struct drop *w, vks_matrix *B)
{
    const struct csr *A = &w->A->csr;
    struct rec r = rec_once(B->context->device, precision_of(B->precision));
    gather_words(&r, position_of(w), A->row, B->csr.row, A->n + 1);
    pack_words(&r, A->col, position_of(w), B->csr.col, A->entries, UINT32_MAX);
    pack_reals(&r, reals_of(&r, A->val), position_of(w), reals_of(&r, B->csr.val), A->entries);
    return rec_run_once(&r, VKS_OK);
}

vks_status matrix_drop(const vks_matrix *A, double below, vks_format format, vks_matrix **B)
{
    struct drop w = {.A = A};
    vks_matrix *rest = NULL;
    vks_status s = csr_acquire_wide(A);
    IF_OK(s, choose(&w, below));
    IF_OK(s, matrix_begin(A->context, A->precision, A->csr.n, A->csr.cols, &rest));
    IF_OK(s, matrix_room(rest, w.entries));
    IF_OK(s, pack(&w, rest));
    csr_release_wide(A);
    device_release(A->context->device, &w.below);
    device_release(A->context->device, &w.position);
    return matrix_end(rest, s, format, B);
}

vks_status vks_matrix_drop(const vks_matrix *A, double below, vks_format format, vks_matrix **B)
{
    *B = NULL;
    context_begin(A->context);
    TRY(drop_check(A->context, below));
    TRY(format_check(&A->context->message, format));
    return matrix_drop(A, below, format, B);
}
