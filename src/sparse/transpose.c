/* The transpose: the entries sorted by column. A sort that is stable leaves them in the order of their rows
 * within each. */
#include "primitive/pack_verbs.h"
#include "primitive/sort.h"
#include "sparse/bits.h"
#include "sparse/matrix.h"
#include "vksolve/algebra.h"

/* The columns of the entries, which are sorted, and where each entry of the result stands in A. The second
 * arrays of the sort are those of the result, which has no use for them yet. */
struct work {
    struct memory key, place;
    struct radix radix;
};

static vks_status work_create(struct device *d, const vks_matrix *T, struct work *w)
{
    uint64_t bytes = 4 * (uint64_t)T->csr.entries;
    struct sorted sorted = {.n = T->csr.entries, .words = 1};
    vks_status s = device_allocate(d, MEMORY_DEVICE, bytes, "columns to be sorted", &w->key);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, bytes, "places of entries", &w->place);
    return s ? s : radix_create_with(d, &sorted, RADIX_MOST_BLOCKS, T->col, T->val, &w->radix);
}

static void work_destroy(struct device *d, struct work *w)
{
    radix_destroy(d, &w->radix);
    device_release(d, &w->place);
    device_release(d, &w->key);
}

static void record(struct rec *r, const struct csr *A, const struct csr *T, const struct work *w)
{
    u32s key = (u32s)(uintptr_t)w->key.address, place = (u32s)(uintptr_t)w->place.address;
    struct sorted sorted = {.keys = key, .payload = place, .n = A->entries, .words = 1};
    copy_words(r, A->col, key, A->entries);
    iota_words(r, place, A->entries);
    if (A->entries > 1)
        radix_sort(r, &w->radix, &sorted, bits_below(A->cols));
    lower_bounds(r, key, A->entries, T->row, A->cols + 1, 0);
    entry_rows(r, A, key);
    gather_words(r, key, place, T->col, A->entries);
    gather_reals(r, A->val, place, T->val, A->entries);
}

/* T has its shape and its room. */
static vks_status fill_in(const vks_matrix *A, const vks_matrix *T)
{
    struct device *d = A->context->device;
    struct work w = {0};
    struct rec r;
    rec_create(&r, d, precision_of(A->precision));
    vks_status s = work_create(d, T, &w);
    if (!s) {
        record(&r, &A->csr, &T->csr, &w);
        s = rec_run(&r);
    }
    rec_destroy(&r);
    work_destroy(d, &w);
    return s;
}

vks_status vks_matrix_transpose(const vks_matrix *A, vks_format format, vks_matrix **T)
{
    *T = NULL;
    context_begin(A->context);
    vks_status s = format_check(A->context, format);
    if (s)
        return s;
    vks_matrix *new = NULL;
    s = csr_hold(A);
    if (!s)
        s = matrix_begin(A->context, A->precision, A->csr.cols, A->csr.n, &new);
    if (!s)
        s = matrix_room(new, A->csr.entries);
    if (!s)
        s = fill_in(A, new);
    csr_let_go(A);
    return matrix_end(new, s, format, T);
}
