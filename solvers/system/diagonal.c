#include "solvers/system/diagonal.h"
#include "operator/operator.h"

enum { ZERO_ROW, NEGATIVE_ROW, INFINITE_ROW, FAULTS, OTHER_ROW = FAULTS /* differs from row 0 */, FLAGS };

/* Diagnoses the first row whose diagonal entry is unsuitable. */
static void diagnose(const uint32_t *flags, bool positive, struct diagnosis *f)
{
    static const struct {
        vks_reason reason;
        const char *text;
    } faults[FAULTS] = {{VKS_REASON_ZERO_DIAGONAL, "has a zero or missing diagonal entry"},
                        {VKS_REASON_NOT_POSITIVE_DEFINITE, "has a negative diagonal entry"},
                        {VKS_REASON_NOT_FINITE,
                         "has a diagonal entry that is not finite, or so small that its reciprocal is not"}};
    int found = -1;
    for (int i = 0; i < FAULTS; i++)
        if (flags[i] != UINT32_MAX && (positive || i != NEGATIVE_ROW) &&
            (found < 0 || flags[i] < flags[found]))
            found = i;
    if (found < 0)
        return;
    uint32_t row = diagnosis_row(f, flags[found]);
    diagnosis_refuse(f, faults[found].reason, row, "row %u %s", row + 1, faults[found].text);
}

struct vec diagonal_room(struct room *w, const vks_matrix *A, enum precision p)
{
    return room_vec(w, A->csr.n, p, "the diagonal");
}

/* Inverts the diagonal given to an operator. The kernel reads row 0 for all rows, so it is not in place. */
static void invert_given(struct rec *r, const struct vec *given, struct vec rounded, doubles one,
                         struct vec d, u32s flags)
{
    struct vec a = *given;
    if (a.precision != d.precision) {
        narrow(r, one, a, rounded);
        a = rounded;
    }
    run_in(r, d.precision, invert_diagonal, groups_each(d.n), .a = vec_reals(a), .d = vec_reals(d),
           .flags = flags, .n = d.n);
    bill(r, 2 * vec_bytes(d));
}

static void record(struct rec *r, struct room *w, const vks_matrix *A, bool sums, struct vec d, doubles one,
                   u32s flags)
{
    const struct user_operator *o = operator_of(A);
    if (!o) {
        rec_precision(r, product_precision(A, d.precision));
        (sums ? csr_row_sums : csr_diagonal)(r, &A->csr, d, flags);
        return;
    }
    struct vec given = vec_of(o->diagonal), rounded = {0};
    if (given.precision != d.precision)
        rounded = room_vec(w, d.n, d.precision, "the diagonal, rounded");
    invert_given(r, &given, rounded, one, d, flags);
}

/* Fills d from the diagonal of A, or from its row sums. */
static vks_status fill_from(struct device *device, const vks_matrix *A, bool sums, struct vec d,
                            uint32_t flags[FLAGS])
{
    struct {
        uint32_t flags[FLAGS];
        double one;
    } start = {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, 1};
    struct room w = {.device = device};
    struct rec r = rec_once(device, d.precision);
    struct memory m = room_copy(&w, &start, sizeof start, "row flags"),
                  out = room_memory(&w, MEMORY_SHARED, sizeof start.flags, "row flags to be read");
    record(&r, &w, A, sums, d, (doubles)words_in(&m, FLAGS), words_of(&m));
    copy_words(&r, words_of(&m), words_of(&out), FLAGS);
    vks_status s = rec_run_once(&r, w.status);
    IF_OK(s, device_read(device, &out, 0, flags, sizeof start.flags));
    room_close(&w);
    return s;
}

vks_status diagonal_invert(struct device *device, const vks_matrix *A, bool positive, struct vec d,
                           bool *same, struct diagnosis *f)
{
    uint32_t flags[FLAGS];
    TRY(fill_from(device, A, false, d, flags));
    *same = flags[OTHER_ROW] == UINT32_MAX;
    diagnose(flags, positive, f);
    return VKS_OK;
}

/* Refuses sums that are not finite. An empty row only warns: if b is zero there, A x = b may be solvable. */
static void diagnose_sums(const uint32_t *flags, struct diagnosis *f)
{
    if (flags[ZERO_ROW] != UINT32_MAX)
        diagnosis_warn(f, "A is singular: row %u has no nonzero entry",
                       diagnosis_row(f, flags[ZERO_ROW]) + 1);
    if (flags[INFINITE_ROW] == UINT32_MAX)
        return;
    uint32_t row = diagnosis_row(f, flags[INFINITE_ROW]);
    diagnosis_refuse(
        f, VKS_REASON_NOT_FINITE, row,
        "row %u has a sum of magnitudes that is not finite, or so small that its reciprocal is not", row + 1);
}

vks_status diagonal_of_row_sums(struct device *device, const vks_matrix *A, struct vec d, struct diagnosis *f)
{
    uint32_t flags[FLAGS];
    vks_status s = fill_from(device, A, true, d, flags);
    if (!s)
        diagnose_sums(flags, f);
    return s;
}
