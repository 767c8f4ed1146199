#include "solvers/system/dominance.h"
#include "primitive/verbs.h"

vks_status dominance_measure(struct device *d, const vks_matrix *A, enum precision p, struct dominance *out)
{
    struct range_words found = {0};
    *out = (struct dominance){0};
    if (A->csr.n == 0)
        return VKS_OK;
    struct room w = {.device = d};
    struct rec r = rec_once(d, product_precision(A, p));
    struct memory ratios =
        room_memory(&w, MEMORY_DEVICE, A->csr.n * (uint64_t)real_bytes(p), "ratios of rows");
    struct memory range = room_memory(&w, MEMORY_DEVICE, sizeof found, "a range");
    struct reduction sums = room_reduction(&w, A->csr.n, reduction_rows(RANGE_ITEM_BYTES));
    csr_dominance(&r, &A->csr, vec_in(&ratios, A->csr.n, p));
    min_max_real(&r, &sums, vec_reals(vec_in(&ratios, A->csr.n, p)), words_of(&range), A->csr.n);
    vks_status s = rec_run_once(&r, w.status);
    IF_OK(s, device_read(d, &range, 0, &found, sizeof found));
    out->worst_row = found.high_at;
    vks_precision stored = public_precision(p);
    IF_OK(s, download_values(d, &ratios, stored, found.high_at, 1, VKS_F64, &out->worst));
    IF_OK(s, download_values(d, &ratios, stored, found.low_at, 1, VKS_F64, &out->best));
    room_close(&w);
    return s;
}
