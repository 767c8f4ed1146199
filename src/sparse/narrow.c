#include "sparse/narrow.h"

#include <string.h>

bool value_survives(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    uint32_t high = (uint32_t)(bits >> 32), low = (uint32_t)bits;
    return SURVIVES(high, low);
}

vks_status values_room(const vks_matrix *A, uint64_t count, const char *what, struct memory *room)
{
    struct device *d = A->context->device;
    struct memory new = {0};
    TRY(device_allocate(d, MEMORY_DEVICE, value_bytes(matrix_precision(A)) * count, what, &new));
    device_release(d, room);
    *room = new;
    return VKS_OK;
}

/* Workgroups for narrowing: limited, because more invocations would only report the same value. */
static uint64_t groups_narrowing(uint32_t n)
{
    uint64_t groups = groups_each(n);
    return groups < 8192 ? groups : 8192;
}

/* Converts doubles to floats; *lost = the first that f32 cannot represent exactly, or UINT32_MAX. */
static vks_status narrow_all(const vks_matrix *A, const struct memory *wide, const struct memory *floats,
                             uint32_t *lost)
{
    static const uint32_t none = UINT32_MAX;
    struct device *d = A->context->device;
    uint32_t n = A->csr.entries;
    struct memory word = {0};
    struct rec r = rec_once(d, PRECISION_F32); /* the kernels use only words */
    vks_status s = device_allocate(d, MEMORY_DEVICE, sizeof none, "the number of an entry", &word);
    IF_OK(s, device_write(d, &word, 0, &none, sizeof none));
    run(&r, narrow_values, groups_narrowing(n), .from = words_of(wide), .to = words_of(floats),
        .lost = words_of(&word), .n = n);
    bill(&r, 12 * (uint64_t)n);
    s = rec_run_once(&r, s);
    IF_OK(s, device_read(d, &word, 0, lost, sizeof *lost));
    device_release(d, &word);
    return s;
}

/* The row of entry k, by bisection. */
static vks_status row_of(const vks_matrix *A, uint32_t k, uint32_t *row)
{
    uint32_t low = 0, high = A->csr.n - 1, begin = 0;
    vks_status s = VKS_OK;
    while (!s && low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        s = device_read(A->context->device, &A->row, 4 * (uint64_t)middle, &begin, sizeof begin);
        if (begin <= k)
            low = middle;
        else
            high = middle - 1;
    }
    *row = low;
    return s;
}

vks_status entry_place(const vks_matrix *A, uint32_t k, uint32_t *row, uint32_t *col)
{
    TRY(device_read(A->context->device, &A->col, 4 * (uint64_t)k, col, sizeof *col));
    return row_of(A, k, row);
}

/* Sets A->lost to entry k, whose wide value still exists. */
static vks_status record_lost(vks_matrix *A, const struct memory *wide, uint32_t k)
{
    struct lost_value lost = {.is = true};
    vks_status s = device_read(A->context->device, wide, 8 * (uint64_t)k, &lost.value, sizeof lost.value);
    IF_OK(s, entry_place(A, k, &lost.row, &lost.col));
    A->lost = lost;
    return s;
}

static void set_values(vks_matrix *A)
{
    A->csr.val = (values)(uintptr_t)wide_values(A)->address;
}

vks_status values_narrow(vks_matrix *A)
{
    struct device *d = A->context->device;
    struct memory floats = {0};
    uint32_t lost = UINT32_MAX;
    if (A->precision != VKS_MIXED || A->narrow || matrix_in_pairs(A))
        return VKS_OK;
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)A->csr.entries, "values in f32", &floats);
    IF_OK(s, narrow_all(A, &A->val, &floats, &lost));
    if (!s && lost != UINT32_MAX)
        s = record_lost(A, &A->val, lost);
    else if (!s) {
        device_release(d, &A->val);
        A->val = floats;
        floats = (struct memory){0};
        A->csr.val = (values)(uintptr_t)A->val.address;
        A->narrow = true;
    }
    device_release(d, &floats);
    return s;
}

/* Fills A->wide from A->val. */
static vks_status widen(vks_matrix *A)
{
    struct device *d = A->context->device;
    uint32_t n = A->csr.entries;
    struct rec r = rec_once(d, PRECISION_F32); /* the kernels use only words */
    vks_status s = device_allocate(d, MEMORY_DEVICE, 8 * (uint64_t)n, "values in f64", &A->wide);
    widen_floats(&r, vec_in(&A->val, n, PRECISION_F32), vec_in(&A->wide, n, PRECISION_F64));
    return rec_run_once(&r, s);
}

vks_status csr_acquire_wide(const vks_matrix *A)
{
    vks_status s = csr_acquire(A);
    if (!A->narrow || own_matrix(A)->held_wide++)
        return s;
    IF_OK(s, widen(own_matrix(A)));
    set_values(own_matrix(A));
    return s;
}

static void drop_wide(vks_matrix *A)
{
    device_release(A->context->device, &A->wide);
    A->csr.val = (values)(uintptr_t)A->val.address;
}

void csr_release_wide(const vks_matrix *A)
{
    if (A->narrow && --own_matrix(A)->held_wide == 0)
        drop_wide(own_matrix(A));
    csr_release(A);
}

vks_status csr_acquire_wide_two(const vks_matrix *A, const vks_matrix *B)
{
    vks_status s = csr_acquire_wide(A), t = csr_acquire_wide(B);
    return s ? s : t;
}

void csr_release_wide_two(const vks_matrix *A, const vks_matrix *B)
{
    csr_release_wide(A);
    csr_release_wide(B);
}

/* Reallocates all arrays of values as wide; A->wide becomes the array of CSR. After a failure some arrays may
 * already be wide: they are larger than needed. */
static vks_status stay_wide(vks_matrix *A)
{
    A->narrow = false;
    vks_status s = A->ops->values_room ? A->ops->values_room(A) : VKS_OK;
    if (!s && A->long_rows.val.bytes)
        s = values_room(A, A->long_rows.entries, "values of long rows", &A->long_rows.val);
    A->narrow = s != VKS_OK;
    A->layout++;
    if (s)
        return s;
    transposed_release(&A->transposed, A->context->device);
    device_release(A->context->device, &A->val);
    A->val = A->wide;
    A->wide = (struct memory){0};
    return VKS_OK;
}

/* Finishes an update of a narrow matrix, whose new values are in A->wide. */
static vks_status settle(vks_matrix *A)
{
    uint32_t lost = UINT32_MAX;
    vks_status s = narrow_all(A, &A->wide, &A->val, &lost);
    if (s || lost == UINT32_MAX)
        return s;
    s = record_lost(A, &A->wide, lost);
    IF_OK(s, stay_wide(A));
    A->lost.is = !s;
    return s;
}

vks_status values_end(vks_matrix *A, vks_status s)
{
    if (A->narrow) {
        IF_OK(s, settle(A));
        A->held_wide = 0;
        drop_wide(A);
    }
    IF_OK(s, format_refresh(A));
    csr_release(A);
    return s;
}
