#include "solvers/system/ordinary.h"
#include "operator/operator.h"
#include "primitive/verbs.h"
#include "solvers/system/f32_copy.h"
#include "sparse/narrow.h"
#include "sparse/ruiz.h"

#include <math.h>
#include <stdlib.h>

/* Magnitudes up to 2^32, and from 2^-32 on, are ordinary: in f32 they leave 2^94 for the entries of an
 * inverse, and for what is smaller than the largest entry. */
enum { MOST_EXPONENT = 32 };

/* Its power of two is the first above the largest magnitude; 0: there is none, or it is not finite. */
static vks_status find_exponent(const vks_matrix *A, int *exponent)
{
    struct device *d = A->context->device;
    enum precision p = values_precision(A);
    uint32_t entries = A->csr.entries;
    struct range_words found = {0};
    double low = 0, high = 0;
    struct room w;
    struct rec r;
    *exponent = 0;
    if (entries == 0)
        return VKS_OK;
    room_open(&w, d);
    rec_create(&r, d, p);
    struct memory range = room_memory(&w, MEMORY_SHARED, sizeof found, "a range");
    struct reduction sums = room_reduction(&w, entries, reduction_rows(RANGE_ITEM_BYTES));
    min_max_real(&r, &sums, vec_reals(vec_in(&A->val, entries, p)), words_of(&range), entries);
    vks_status s = w.status ? w.status : rec_run(&r);
    if (!s)
        s = device_read(d, &range, 0, &found, sizeof found);
    if (!s)
        s = download_values(d, &A->val, public_precision(p), found.low_at, 1, VKS_F64, &low);
    if (!s)
        s = download_values(d, &A->val, public_precision(p), found.high_at, 1, VKS_F64, &high);
    if (isfinite(low) && isfinite(high))
        frexp(fmax(fabs(low), fabs(high)), exponent);
    rec_destroy(&r);
    room_close(&w);
    return s;
}

/* Into an even one. */
static int shift_by(int exponent)
{
    return -(exponent / 2 * 2);
}

vks_status ordinary_shift(const vks_matrix *A, int *shift)
{
    int exponent = 0;
    *shift = 0;
    if (operator_of(A) || matrix_in_pairs(A))
        return VKS_OK;
    TRY(find_exponent(A, &exponent));
    *shift = abs(exponent) <= MOST_EXPONENT ? 0 : shift_by(exponent);
    return VKS_OK;
}

/* The values of the copy. Both are held wide. */
static vks_status scale(const struct ordinary *o, bool is_new)
{
    const vks_matrix *A = o->given;
    uint32_t n = A->csr.n, cols = A->csr.cols;
    struct room w;
    struct rec r;
    room_open(&w, A->context->device);
    rec_create(&r, A->context->device, precision_of(A->precision));
    struct memory rows = room_memory(&w, MEMORY_DEVICE, 4 * (uint64_t)n, "row scales"),
                  columns = room_memory(&w, MEMORY_DEVICE, 4 * (uint64_t)cols, "column scales");
    fill_words(&r, words_of(&rows), (uint32_t)o->shift, 0, n, 1);
    fill_words(&r, words_of(&columns), 0, 0, cols, 1);
    if (is_new)
        csr_copy_structure(&r, &A->csr, &o->copy->csr);
    scaled_values(&r, &A->csr, NULL, words_of(&rows), words_of(&columns), &o->copy->csr);
    vks_status s = w.status ? w.status : rec_run(&r);
    rec_destroy(&r);
    room_close(&w);
    return s;
}

static vks_status make_copy(struct ordinary *o)
{
    const vks_matrix *A = o->given;
    vks_status s = csr_acquire_wide(A);
    if (!s)
        s = matrix_begin(A->context, A->precision, A->csr.n, A->csr.cols, &o->copy);
    if (!s) {
        o->copy->lanes = A->lanes;
        s = matrix_room(o->copy, A->csr.entries);
    }
    if (!s)
        s = scale(o, true);
    csr_release_wide(A);
    s = matrix_end_as(o->copy, s, &A->storage, &o->copy);
    if (!s)
        s = csr_acquire(o->copy);
    if (!s)
        o->A = o->copy;
    return s;
}

vks_status ordinary_open(const vks_matrix *A, struct ordinary *o)
{
    *o = (struct ordinary){.given = A, .A = A};
    TRY(ordinary_shift(A, &o->shift));
    return o->shift ? make_copy(o) : VKS_OK;
}

vks_status ordinary_refresh(struct ordinary *o, bool *moved)
{
    const vks_matrix *A = o->given;
    int shift;
    TRY(ordinary_shift(A, &shift));
    *moved = !o->copy && shift;
    if (!o->copy)
        return VKS_OK;
    o->shift = shift;
    vks_status s = csr_acquire_wide_two(A, o->copy);
    if (!s)
        s = scale(o, false);
    csr_release_wide(A);
    return values_end(o->copy, s);
}

uint64_t ordinary_bytes(const struct ordinary *o)
{
    return f32_copy_bytes(o->copy);
}

void ordinary_close(struct ordinary *o)
{
    if (o->copy)
        csr_release(o->copy);
    vks_matrix_destroy(o->copy);
    *o = (struct ordinary){0};
}
