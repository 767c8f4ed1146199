#include "solvers/auto/signs.h"

#include <math.h>

enum { POSITIVE, OTHER, ROWS_DOMINATED, SUMS };

static vks_status sum_rows(struct room *w, const vks_matrix *A, enum precision p, struct memory *result)
{
    struct rec r = rec_once(w->device, product_precision(A, p));
    struct vec rows[SUMS];
    uint64_t each = real_bytes(p);
    for (int k = 0; k < SUMS; k++)
        rows[k] = room_vec(w, A->csr.n, p, "sums of rows");
    struct reduction sums = room_reduction(w, A->csr.n, 1);
    *result = room_memory(w, MEMORY_DEVICE, SUMS * each, "sums of entries");
    csr_signs(&r, &A->csr, rows[POSITIVE], rows[OTHER], rows[ROWS_DOMINATED]);
    for (uint64_t k = 0; k < SUMS; k++)
        sum(&r, &sums, rows[k], (number)(uintptr_t)(result->address + k * each));
    return rec_run_once(&r, w->status);
}

vks_status signs_measure(struct device *d, const vks_matrix *A, enum precision p, struct signs *out)
{
    double found[SUMS] = {0};
    struct memory result;
    struct room w = {.device = d};
    vks_status s = sum_rows(&w, A, p, &result);
    IF_OK(s, download_values(d, &result, public_precision(p), 0, SUMS, VKS_F64, found));
    room_close(&w);
    out->diagonal = found[OTHER] == 0;
    out->positive = out->diagonal ? 0 : isfinite(found[OTHER]) ? found[POSITIVE] / found[OTHER] : NAN;
    out->dominated = found[ROWS_DOMINATED] / A->csr.n;
    return s;
}
