#include "solvers/system/ordinary.h"
#include "operator/operator.h"
#include "primitive/pack_verbs.h"
#include "primitive/verbs.h"
#include "solvers/system/f32_copy.h"
#include "sparse/narrow.h"
#include "sparse/ruiz.h"

#include <math.h>
#include <stdlib.h>

/* Magnitudes from 2^-32 to 2^32 are ordinary: in f32 they leave a range of 2^94 on either side for the
 * entries of an inverse, and for entries of other sizes. */
enum { MOST_EXPONENT = 32 };

/* Entries sampled at even spacing for the median, which a few outliers, such as penalties, do not affect. */
enum { SAMPLE = 1024 };

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Median exponent of the values that are finite and not zero; 0: there are none. */
static int median_exponent(const double *value, uint32_t count)
{
    int exponent[SAMPLE];
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        if (isfinite(value[i]) && value[i] != 0)
            frexp(value[i], &exponent[found++]);
    if (!found)
        return 0;
    qsort(exponent, found, sizeof *exponent, compare);
    return exponent[found / 2];
}

/* Prepares a sample of the values. */
static vks_status open_sample(struct ordinary *o)
{
    const vks_matrix *A = o->given;
    struct device *d = A->context->device;
    enum precision p = values_precision(A);
    uint32_t index[SAMPLE], count = A->csr.entries < SAMPLE ? A->csr.entries : SAMPLE;
    for (uint32_t i = 0; i < count; i++)
        index[i] = (uint32_t)((uint64_t)i * A->csr.entries / count);
    room_open(&o->room, d);
    rec_create(&o->gather, d, p);
    o->count = count;
    o->places = room_copy(&o->room, index, 4 * (uint64_t)count, "places of a sample");
    o->sample = room_memory(&o->room, MEMORY_DEVICE, count * (uint64_t)real_bytes(p), "a sample");
    return o->room.status;
}

static vks_status take_sample(struct ordinary *o, double *value)
{
    const vks_matrix *A = o->given;
    struct device *d = A->context->device;
    enum precision p = values_precision(A);
    uint64_t ticket;
    rec_clear(&o->gather); /* the entries may have moved */
    gather_reals(&o->gather, vec_reals(vec_in(&A->val, A->csr.entries, p)), words_of(&o->places),
                 vec_reals(vec_in(&o->sample, o->count, p)), o->count);
    TRY(rec_prepare(&o->gather));
    TRY(rec_submit(&o->gather, &ticket));
    TRY(device_wait(d, ticket, DEVICE_WAIT_SECONDS));
    return download_values(d, &o->sample, public_precision(values_precision(o->given)), 0, o->count, VKS_F64,
                           value);
}

/* Returns the shift, which is even. */
static int shift_by(int exponent)
{
    return -(exponent / 2 * 2);
}

static vks_status find_shift(struct ordinary *o, int *shift)
{
    double value[SAMPLE];
    *shift = 0;
    if (!o->count)
        return VKS_OK;
    TRY(take_sample(o, value));
    int exponent = median_exponent(value, o->count);
    *shift = abs(exponent) <= MOST_EXPONENT ? 0 : shift_by(exponent);
    return VKS_OK;
}

/* Writes the values of the copy. A and the copy are held wide. */
static vks_status scale(const struct ordinary *o, bool is_new)
{
    const vks_matrix *A = o->given;
    uint32_t n = A->csr.n, cols = A->csr.cols;
    struct room w = {.device = A->context->device};
    struct rec r = rec_once(A->context->device, precision_of(A->precision));
    struct memory rows = room_memory(&w, MEMORY_DEVICE, 4 * (uint64_t)n, "row scales"),
                  columns = room_memory(&w, MEMORY_DEVICE, 4 * (uint64_t)cols, "column scales");
    fill_words(&r, words_of(&rows), (uint32_t)o->shift, 0, n, 1);
    fill_words(&r, words_of(&columns), 0, 0, cols, 1);
    if (is_new)
        csr_copy_structure(&r, &A->csr, &o->copy->csr);
    scaled_values(&r, &A->csr, NULL, words_of(&rows), words_of(&columns), &o->copy->csr);
    vks_status s = rec_run_once(&r, w.status);
    room_close(&w);
    return s;
}

static vks_status make_copy(struct ordinary *o)
{
    const vks_matrix *A = o->given;
    vks_status s = csr_acquire_wide(A);
    IF_OK(s, matrix_begin(A->context, A->precision, A->csr.n, A->csr.cols, &o->copy));
    if (!s) {
        o->copy->lanes = A->lanes;
        s = matrix_room(o->copy, A->csr.entries);
    }
    IF_OK(s, scale(o, true));
    csr_release_wide(A);
    s = matrix_end_as(o->copy, s, &A->storage, &o->copy);
    IF_OK(s, csr_acquire(o->copy));
    if (!s)
        o->A = o->copy;
    return s;
}

/* Opens without making a copy. */
static vks_status open(const vks_matrix *A, struct ordinary *o)
{
    *o = (struct ordinary){.given = A, .A = A};
    if (!operator_of(A) && !matrix_in_pairs(A) && A->csr.entries > 0)
        TRY(open_sample(o));
    return find_shift(o, &o->shift);
}

vks_status ordinary_shift(const vks_matrix *A, int *shift)
{
    struct ordinary o;
    vks_status status = open(A, &o);
    *shift = o.shift;
    ordinary_close(&o);
    return status;
}

vks_status ordinary_open(const vks_matrix *A, struct ordinary *o)
{
    TRY(open(A, o));
    return o->shift ? make_copy(o) : VKS_OK;
}

vks_status ordinary_refresh(struct ordinary *o, bool *moved)
{
    const vks_matrix *A = o->given;
    int shift;
    TRY(find_shift(o, &shift));
    *moved = !o->copy && shift;
    if (!o->copy)
        return VKS_OK;
    o->shift = shift;
    vks_status s = csr_acquire_wide_two(A, o->copy);
    IF_OK(s, scale(o, false));
    csr_release_wide(A);
    return values_end(o->copy, s);
}

uint64_t ordinary_bytes(const struct ordinary *o)
{
    return f32_copy_bytes(o->copy);
}

void ordinary_close(struct ordinary *o)
{
    rec_destroy(&o->gather);
    room_close(&o->room);
    if (o->copy)
        csr_release(o->copy);
    vks_matrix_destroy(o->copy);
    *o = (struct ordinary){0};
}
