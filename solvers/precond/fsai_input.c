#include "solvers/precond/fsai_input.h"
#include "primitive/pack_verbs.h"
#include "sparse/algebra.h"

enum { ZERO, NEGATIVE, INFINITE, OVERFLOWING, FLAGS };

static void record_input(struct rec *r, const struct fsai_input *w, uint32_t at)
{
    const struct fsai_side *s = &w->side[at];
    const struct csr *A = &s->A;
    u32s flags = words_in(&w->flags, (uint64_t)at * FLAGS);
    values most = (values)(uintptr_t)s->most.address;
    enum precision before = rec_precision(r, stored_precision(w->precision));
    csr_row_maxima(r, A, (reals)most);
    rec_precision(r, before);
    run(r, fsai_finite, groups_each(A->entries), .row = A->row, .val = A->val, .flags = flags, .n = A->n,
        .entries = A->entries);
    run(r, fsai_weights, groups_each(A->n), .row = A->row, .col = A->col, .val = A->val, .most = most,
        .weight = vec_reals(s->weight), .size = vec_reals(s->size), .flags = flags, .n = A->n,
        .positive = fsai_is_positive(w->M));
    bill(r, 2 * csr_bytes(r, A) + 3 * vector_bytes(r, A->n));
}

/* Diagnoses the first row, or column if `transposed`, that FSAI cannot use. */
static void diagnose(const uint32_t *flags, bool positive, bool transposed, struct diagnosis *f)
{
    static const struct {
        vks_reason reason;
        const char *text;
    } faults[FLAGS] = {{VKS_REASON_SINGULAR, "is all zero"},
                       {VKS_REASON_NOT_POSITIVE_DEFINITE, "has a negative diagonal entry"},
                       {VKS_REASON_NOT_FINITE, "has an entry that is not finite"},
                       {VKS_REASON_NOT_FINITE, "of the factors overflows"}};
    int found = -1;
    for (int i = 0; i < FLAGS; i++)
        if (flags[i] != UINT32_MAX && (found < 0 || flags[i] < flags[found]))
            found = i;
    if (flags[INFINITE] != UINT32_MAX) /* it also spoils other rows */
        found = INFINITE;
    if (found < 0 || diagnosis_refuses(f))
        return;
    uint32_t row = diagnosis_row(f, flags[found]);
    if (found == ZERO && positive)
        diagnosis_refuse(f, VKS_REASON_ZERO_DIAGONAL, row, "row %u has a zero or missing diagonal entry",
                         row + 1);
    else
        diagnosis_refuse(f, faults[found].reason, transposed ? UINT32_MAX : row, "%s %u %s",
                         transposed ? "column" : "row", row + 1, faults[found].text);
}

vks_status fsai_diagnose(const struct fsai_input *w, struct diagnosis *f)
{
    uint32_t flags[2 * FLAGS];
    TRY(device_read(w->M->device, &w->flags, 0, flags, sizeof flags));
    for (uint32_t i = 0; i < w->sides; i++)
        diagnose(flags + (size_t)i * FLAGS, fsai_is_positive(w->M), i, f);
    return VKS_OK;
}

/* Computes the sizes of rows and the weights of columns; f may refuse A. */
static vks_status compute_input(struct fsai_input *w, struct diagnosis *f)
{
    struct rec r = rec_once(w->M->device, w->precision);
    fill_words(&r, words_of(&w->flags), UINT32_MAX, 0, 2 * FLAGS, 1);
    for (uint32_t i = 0; i < w->sides; i++)
        record_input(&r, w, i);
    vks_status s = rec_run_once(&r, VKS_OK);
    return s ? s : fsai_diagnose(w, f);
}

vks_status fsai_input_open(struct precond *M, uint32_t sides, struct fsai_input *w, struct diagnosis *f)
{
    const struct csr *A = &M->A->csr;
    enum precision p = product_precision(M->A, M->precision);
    *w = (struct fsai_input){.M = M, .sides = sides, .precision = p, .side = {{.A = *A}}};
    room_open(&w->room, M->device);
    if (w->sides > 1) {
        TRY(transposed_create(M->A, true, &w->of_A));
        w->side[1].A = w->of_A.T->csr;
    }
    for (uint32_t i = 0; i < w->sides; i++) {
        w->side[i].weight = room_vec(&w->room, A->n, M->precision, "weights of columns");
        w->side[i].size = room_vec(&w->room, A->n, M->precision, "sizes of rows");
        w->side[i].most = room_memory(&w->room, MEMORY_DEVICE, (uint64_t)A->n * value_bytes(p), "row maxima");
    }
    w->flags = room_memory(&w->room, MEMORY_DEVICE, 2 * FLAGS * sizeof(uint32_t), "row flags");
    return w->room.status ? w->room.status : compute_input(w, f);
}

void fsai_input_close(struct fsai_input *w)
{
    transposed_release(&w->of_A, w->M->device);
    room_close(&w->room);
}
