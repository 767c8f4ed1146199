/* The range of a cycle in f32. Its vectors are the residual, which falls by at most 1e13 before it is
 * rescaled, times the inverse diagonal. They leave the normal floats if the whole diagonal is too large, or
 * an element is too small. A single row may be large, as for a boundary condition by penalty, as long as its
 * inverse is a normal float. */
#include "primitive/pack_verbs.h"
#include "solvers/multigrid/multigrid.h"

static const double least = 0x1p-120, largest = 0x1p+106, largest_ordinary = 0x1p+126;

/* Extent of the inverse diagonal, computed by the device. */
struct found {
    struct range_words range;
    float low, high;
};

static u32s word_at(const struct memory *m, size_t offset)
{
    return words_in(m, offset / sizeof(uint32_t));
}

static vks_status measure(struct device *device, struct vec d, struct found *found)
{
    struct room w = {.device = device};
    struct memory m = room_memory(&w, MEMORY_DEVICE, sizeof *found, "a range");
    struct reduction sums = room_reduction(&w, d.n, reduction_rows(RANGE_ITEM_BYTES));
    struct rec r = rec_once(device, PRECISION_F32);
    min_max_real(&r, &sums, vec_reals(d), words_of(&m), d.n);
    gather_reals(&r, vec_reals(d), word_at(&m, offsetof(struct range_words, low_at)),
                 (reals)word_at(&m, offsetof(struct found, low)), 1);
    gather_reals(&r, vec_reals(d), word_at(&m, offsetof(struct range_words, high_at)),
                 (reals)word_at(&m, offsetof(struct found, high)), 1);
    vks_status s = rec_leave_once(&r, w.status);
    IF_OK(s, device_read(device, &m, 0, found, sizeof *found));
    room_close(&w);
    return s;
}

vks_status multigrid_check_range(struct device *device, struct vec d, struct diagnosis *f)
{
    struct found found = {0};
    vks_status s = d.n ? measure(device, d, &found) : VKS_OK;
    if (s || !d.n || diagnosis_refuses(f))
        return s;
    double most = 1 / (double)found.low, few = 1 / (double)found.high;
    bool above = most > largest_ordinary;
    if (!above && few >= least && few <= largest)
        return VKS_OK;
    uint32_t row = diagnosis_row(f, above ? found.range.low_at : found.range.high_at);
    diagnosis_refuse(
        f, VKS_REASON_NOT_FINITE, row,
        "row %u has a diagonal entry of %.3g; scale A: that is beyond the range of multigrid, in f32",
        row + 1, above ? most : few);
    return VKS_OK;
}
