#include "solvers/bounds/entry_bounds.h"
#include "primitive/pack_verbs.h"

/* Word of a range with the index of its largest element. */
enum { HIGH_AT = offsetof(struct range_words, high_at) / sizeof(uint32_t) };

void entry_bounds_room(struct room *w, const vks_matrix *A, enum precision p, struct entry_bounds *b)
{
    uint32_t n = A->csr.n;
    b->ratios = room_vec(w, n, p, "ratios of rows");
    b->quotients = room_vec(w, n, p, "quotients of rows");
    for (uint32_t i = 0; i < 2; i++)
        b->range[i] = room_memory(w, MEMORY_DEVICE, sizeof(struct range_words), "a range");
    b->sums = room_reduction(w, n, reduction_rows(RANGE_ITEM_BYTES));
}

/* Records found = the largest of v; the range receives its index. */
static void record_largest(struct rec *r, const struct entry_bounds *b, struct vec v,
                           const struct memory *range, reals found)
{
    min_max_real(r, &b->sums, vec_reals(v), words_of(range), v.n);
    gather_reals(r, vec_reals(v), words_in(range, HIGH_AT), found, 1);
}

void entry_bounds_record(struct rec *r, const vks_matrix *A, const struct entry_bounds *b, reals found[2])
{
    const struct csr *csr = &A->csr;
    enum precision p = b->ratios.precision, before = rec_precision(r, product_precision(A, p));
    uint32_t lanes = csr_whole_lanes(csr);
    csr_dominance(r, csr, b->ratios);
    rec_precision(r, p);
    record_largest(r, b, b->ratios, &b->range[0], found[0]);
    rec_precision(r, product_precision(A, p));
    run(r, collatz_quotients, groups_rows(csr->n, lanes), .row = csr->row, .col = csr->col, .val = csr->val,
        .ratio = vec_reals(b->ratios), .worst = words_in(&b->range[0], HIGH_AT),
        .quotient = vec_reals(b->quotients), .n = csr->n, .lanes = lanes);
    bill(r, csr_bytes(r, csr) + 2 * vector_bytes(r, csr->n));
    rec_precision(r, p);
    record_largest(r, b, b->quotients, &b->range[1], found[1]);
    rec_precision(r, before);
}
