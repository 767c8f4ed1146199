/* The making of the list of long rows: on the device, of which the host reads totals. */
#include "sparse/long.h"
#include "primitive/pack_verbs.h"

static vks_status now(struct rec *r, vks_status s)
{
    if (!s)
        s = rec_run(r);
    rec_clear(r);
    return s;
}

static vks_status allocate(struct device *d, uint64_t words, const char *what, struct memory *m)
{
    return device_allocate(d, MEMORY_DEVICE, 4 * words, what, m);
}

/* The pieces before each row, into `number`; w->pieces and w->bits. */
static vks_status number_pieces(struct rec *r, const struct csr *A, struct memory *number,
                                struct long_rows *w)
{
    struct device *d = r->device;
    vks_status s = allocate(d, (uint64_t)A->n + 1, "numbers of pieces", number);
    if (!s)
        s = allocate(d, (uint64_t)A->n / 32 + 1, "bits of rows", &w->bits);
    long_numbers(r, A, words_of(number), words_of(&w->bits));
    s = now(r, s);
    return s ? s : offsets_from_counts(d, words_of(number), A->n, "long rows", &w->pieces);
}

static vks_status list_pieces(struct rec *r, const struct csr *A, const struct memory *number,
                              struct long_rows *w)
{
    struct device *d = r->device;
    uint64_t pieces = w->pieces;
    vks_status s = allocate(d, 4 * pieces, "pieces of long rows", &w->list);
    if (!s)
        s = allocate(d, pieces + 1, "entries of pieces", &w->start);
    if (!s)
        s = allocate(d, 2 * pieces, "sums of pieces", &w->sum);
    long_list(r, A, words_of(number), words_of(&w->list), words_of(&w->start), w->pieces);
    s = now(r, s);
    return s ? s : offsets_from_counts(d, words_of(&w->start), w->pieces, "long rows", &w->entries);
}

/* How many rows have `least` to `most` pieces, and unless `head` is NULL the first piece of each. */
static vks_status list_heads(struct rec *r, const struct long_rows *w, uint32_t least, uint32_t most,
                             uint32_t *count, struct memory *head)
{
    struct device *d = r->device;
    struct memory flag;
    vks_status s = allocate(d, (uint64_t)w->pieces + 1, "first pieces", &flag);
    long_heads(r, w, words_of(&flag), least, most);
    s = now(r, s);
    if (!s)
        s = offsets_from_counts(d, words_of(&flag), w->pieces, "long rows", count);
    if (!s && head && *count) {
        s = allocate(d, *count, "rows of several pieces", head);
        pack_indices(r, words_of(&flag), words_of(head), w->pieces);
        s = now(r, s);
    }
    device_release(d, &flag);
    return s;
}

vks_status long_rows_create(struct device *d, const struct csr *A, struct long_rows *out)
{
    struct memory number = {0};
    struct rec r;
    *out = (struct long_rows){0};
    if (A->entries <= LONG_ROW)
        return VKS_OK;
    rec_create(&r, d, PRECISION_F32);
    vks_status s = number_pieces(&r, A, &number, out);
    if (!s && out->pieces)
        s = list_pieces(&r, A, &number, out);
    device_release(d, &number);
    if (!s && out->pieces)
        s = list_heads(&r, out, 1, UINT32_MAX, &out->rows, NULL);
    if (!s && out->pieces > out->rows)
        s = list_heads(&r, out, 2, LONG_GROUP, &out->several, &out->several_head);
    if (!s && out->pieces > LONG_GROUP)
        s = list_heads(&r, out, LONG_GROUP + 1, UINT32_MAX, &out->many, &out->many_head);
    if (!s && !out->pieces)
        device_release(d, &out->bits);
    rec_destroy(&r);
    return s;
}

vks_status long_rows_keep(struct device *d, const struct csr *A, enum precision p, struct long_rows *w)
{
    struct rec r;
    rec_create(&r, d, p);
    vks_status s = allocate(d, w->entries, "columns of long rows", &w->col);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, (uint64_t)w->entries * real_bytes(p), "values of long rows",
                            &w->val);
    long_copy(&r, A, w, false);
    s = now(&r, s);
    rec_destroy(&r);
    return s;
}

void long_rows_destroy(struct device *d, struct long_rows *w)
{
    struct memory *all[] = {&w->bits,         &w->list,      &w->start, &w->sum,
                            &w->several_head, &w->many_head, &w->col,   &w->val};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        device_release(d, all[i]);
    *w = (struct long_rows){0};
}
