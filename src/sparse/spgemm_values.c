/* The values of a sparse product whose structure is known. */
#include "primitive/pack_verbs.h"
#include "primitive/scan_verbs.h"
#include "sparse/spgemm_host.h"

/* The pieces of the rows of C. */
struct pieces {
    uint64_t most; /* upper bound on their number */
    struct memory number, row, begin, missing;
    struct scan_space scan;
};

static struct pieces room_pieces(struct room *w, const struct csr *C)
{
    uint64_t most = (uint64_t)C->n + C->entries / SPGEMM_PIECE;
    return (struct pieces){.most = most,
                           .number =
                               room_memory(w, MEMORY_DEVICE, 4 * ((uint64_t)C->n + 1), "numbers of pieces"),
                           .row = room_memory(w, MEMORY_DEVICE, 4 * most, "rows of pieces"),
                           .begin = room_memory(w, MEMORY_DEVICE, 4 * most, "beginnings of pieces"),
                           .missing = room_memory(w, MEMORY_DEVICE, 4, "a row"),
                           .scan = room_scan(w, C->n + 1, 4, false)};
}

static void cut_rows(struct rec *r, const struct csr *A, const struct csr *C, const struct pieces *p)
{
    u32s number = words_in(&p->number, 0);
    fill_words(r, words_of(&p->missing), UINT32_MAX, 0, 1, 1);
    run(r, spgemm_piece_counts, groups_each(C->n), .a_row = A->row, .c_row = C->row, .pieces = number,
        .n = C->n);
    scan_u32(r, &p->scan, number, number, false, true);
    run(r, spgemm_pieces, groups_each(C->n), .row = C->row, .number_of = number,
        .piece_row = words_in(&p->row, 0), .piece_begin = words_in(&p->begin, 0), .n = C->n);
    bill(r, 20 * (uint64_t)C->n + 8 * p->most);
}

/* Workgroups for the pieces, whose number only the device knows. Workgroups stride over the rest. */
static uint64_t groups_of_pieces(const struct pieces *p)
{
    static const uint64_t enough = 1 << 14;
    uint64_t groups = (p->most + 7) / 8;
    return groups < enough ? groups : enough;
}

/* Arguments common to all kernels of values. */
#define PRODUCT_ARGS                                                                                  \
    .a_row = A->row, .a_col = A->col, .a_val = reals_of(r, A->val), .b_row = B->row, .b_col = B->col, \
    .b_val = reals_of(r, B->val), .c_row = C->row, .c_col = C->col, .c_val = reals_of(r, C->val),     \
    .missing = words_of(&p->missing)

static void sum_products(struct rec *r, const struct csr *A, const struct csr *B, const struct csr *C,
                         const struct pieces *p)
{
    run(r, spgemm_lane_values, groups_each(C->n), PRODUCT_ARGS, .n = C->n);
    run(r, spgemm_octet_values, (C->n + (uint64_t)31) / 32, PRODUCT_ARGS, .n = C->n);
    run(r, spgemm_values, groups_of_pieces(p), PRODUCT_ARGS, .piece_row = words_of(&p->row),
        .piece_begin = words_of(&p->begin), .pieces = words_in(&p->number, C->n));
    bill(r, csr_bytes(r, A) + csr_bytes(r, B) + csr_bytes(r, C) + 8 * p->most + 8 * (uint64_t)C->n);
}

vks_status spgemm_values_after(struct rec *r, const struct csr *A, const struct csr *B, vks_matrix *C,
                               uint32_t *missing)
{
    struct device *d = C->context->device;
    struct room w = {.device = d};
    struct pieces p = room_pieces(&w, &C->csr);
    vks_status s = w.status;
    enum precision before = rec_precision(r, precision_of(C->precision));
    cut_rows(r, A, &C->csr, &p);
    sum_products(r, A, B, &C->csr, &p);
    IF_OK(s, missing ? rec_run(r) : rec_leave(r));
    rec_precision(r, before);
    if (!s && missing)
        s = device_read(d, &p.missing, 0, missing, sizeof *missing);
    room_close(&w);
    return s;
}

vks_status spgemm_values(const struct csr *A, const struct csr *B, vks_matrix *C, uint32_t *missing)
{
    bool taken;
    vks_status s = spgemm_host_values(A, B, C, missing, &taken);
    if (s || taken)
        return s;
    struct rec r = rec_once(C->context->device, precision_of(C->precision));
    s = spgemm_values_after(&r, A, B, C, missing);
    rec_destroy(&r);
    return s;
}
