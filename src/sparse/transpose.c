/* The transpose: on the host by counting, on other devices by sorting the entries by column. A stable sort
 * keeps the order of rows within each column. */
#include "primitive/pack_verbs.h"
#include "primitive/sort.h"
#include "sparse/bits.h"
#include "sparse/coo.h"
#include "sparse/narrow.h"
#include "vksolve/algebra.h"

/* The columns of the entries, to be sorted; finally the rows of all entries of A. The result's arrays, not
 * yet in use, are the second arrays of the sort. */
struct work {
    struct memory key;
    struct radix radix;
};

static void record(struct rec *r, const struct csr *A, const struct csr *T, u32s place, const struct work *w)
{
    u32s key = (u32s)(uintptr_t)w->key.address;
    struct sorted sorted = {.keys = key, .payload = place, .n = T->entries, .words = 1};
    csr_to_coo(r, A, NULL, place, key, NULL);
    if (T->entries > 1)
        radix_sort(r, &w->radix, &sorted, bits_below(A->cols));
    lower_bounds(r, key, T->entries, T->row, A->cols + 1, 0);
    entry_rows(r, A, key);
    gather_words(r, key, place, T->col, T->entries);
    gather_reals(r, reals_of(r, A->val), place, reals_of(r, T->val), T->entries);
}

/* Fills t->T and t->place, which are allocated. `from` is the CSR of A; its marked long rows are left out. */
static vks_status fill_in(const vks_matrix *A, const struct csr *from, const struct transposed *t)
{
    struct device *d = A->context->device;
    struct sorted sorted = {.n = t->T->csr.entries, .words = 1};
    bool taken;
    vks_status s = transpose_host(from, value_bytes(values_precision(A)), t, &taken);
    if (s || taken)
        return s;
    struct room room = {.device = d};
    struct rec r = rec_once(d, values_precision(A));
    struct work w = {room_memory(&room, MEMORY_DEVICE, 4 * (uint64_t)A->csr.entries, "columns to be sorted"),
                     room_radix_with(&room, &sorted, RADIX_MOST_BLOCKS, t->T->col, t->T->val)};
    record(&r, from, &t->T->csr, transposed_place(t), &w);
    s = rec_leave_once(&r, room.status);
    room_close(&room);
    return s;
}

vks_status transposed_create(const vks_matrix *A, bool long_rows, struct transposed *t)
{
    *t = (struct transposed){0};
    vks_status s = csr_acquire(A);
    struct csr from = A->csr;
    if (long_rows)
        from.longs = NULL;
    uint32_t entries = short_entries(&from);
    IF_OK(s, matrix_begin(A->context, A->narrow ? VKS_MIXED : vector_precision(A->precision), A->csr.cols,
                          A->csr.n, &t->T));
    if (!s)
        t->T->narrow = A->narrow;
    IF_OK(s, matrix_room(t->T, entries));
    IF_OK(s, device_allocate(A->context->device, MEMORY_DEVICE, 4 * (uint64_t)entries, "places of entries",
                             &t->place));
    IF_OK(s, fill_in(A, &from, t));
    csr_release(A);
    return s;
}

void transposed_refresh(struct rec *r, const vks_matrix *A, const struct transposed *t)
{
    gather_reals(r, reals_of(r, A->csr.val), transposed_place(t), reals_of(r, t->T->csr.val),
                 t->T->csr.entries);
}

vks_status vks_matrix_transpose(const vks_matrix *A, vks_format format, vks_matrix **T)
{
    *T = NULL;
    context_begin(A->context);
    TRY(format_check(&A->context->message, format));
    struct transposed t;
    vks_status s = transposed_create(A, true, &t);
    device_release(A->context->device, &t.place);
    if (!s)
        t.T->precision = A->precision;
    return matrix_end(t.T, s, format, T);
}
