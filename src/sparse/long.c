/* Makes the list of long rows: one recording, since all counts are known. */
#include "sparse/long.h"
#include "primitive/pack_verbs.h"
#include "primitive/scan_verbs.h"

static vks_status allocate(struct device *d, uint64_t words, const char *what, struct memory *m)
{
    return device_allocate(d, MEMORY_DEVICE, 4 * words, what, m);
}

/* Memory needed while the recording runs. */
struct workspace {
    struct memory number, several, many; /* pieces before each row; flags of pieces */
    struct scan_space rows, pieces;
};

static vks_status make_room(struct device *d, const struct csr *A, struct long_rows *w)
{
    uint64_t pieces = w->pieces;
    TRY(allocate(d, (uint64_t)A->n / 32 + 1, "bits of rows", &w->bits));
    TRY(allocate(d, 4 * pieces, "pieces of long rows", &w->list));
    TRY(allocate(d, pieces + 1, "entries of pieces", &w->start));
    TRY(allocate(d, 2 * pieces, "sums of pieces", &w->sum));
    if (w->several)
        TRY(allocate(d, w->several, "rows of several pieces", &w->several_head));
    return w->many ? allocate(d, w->many, "rows of several pieces", &w->many_head) : VKS_OK;
}

/* The first piece of each row of `least` to `most` pieces. */
static void record_heads(struct rec *r, const struct long_rows *w, struct workspace *s,
                         const struct memory *flag, uint32_t least, uint32_t most, const struct memory *head)
{
    long_heads(r, w, words_of(flag), least, most);
    scan_u32(r, &s->pieces, words_of(flag), words_of(flag), false, true);
    pack_indices(r, words_of(flag), words_of(head), w->pieces);
}

static void record(struct rec *r, const struct csr *A, const struct long_rows *w, struct workspace *s)
{
    u32s number = words_of(&s->number), start = words_of(&w->start);
    long_numbers(r, A, number, words_of(&w->bits));
    scan_u32(r, &s->rows, number, number, false, true);
    long_list(r, A, number, words_of(&w->list), start, w->pieces);
    scan_u32(r, &s->pieces, start, start, false, true);
    if (w->several)
        record_heads(r, w, s, &s->several, 2, LONG_GROUP, &w->several_head);
    if (w->many)
        record_heads(r, w, s, &s->many, LONG_GROUP + 1, UINT32_MAX, &w->many_head);
}

vks_status long_rows_create(struct device *d, const struct csr *A, struct long_rows *w)
{
    uint64_t bytes = 4 * ((uint64_t)w->pieces + 1);
    struct rec r = rec_once(d, PRECISION_F32);
    struct room room = {.device = d};
    room.status = make_room(d, A, w);
    struct workspace space = {
        .number = room_memory(&room, MEMORY_DEVICE, 4 * ((uint64_t)A->n + 1), "numbers of pieces"),
        .several = room_memory(&room, MEMORY_DEVICE, w->several ? bytes : 0, "first pieces"),
        .many = room_memory(&room, MEMORY_DEVICE, w->many ? bytes : 0, "first pieces"),
        .rows = room_scan(&room, A->n + 1, 4, false),
        .pieces = room_scan(&room, w->pieces + 1, 4, false)};
    record(&r, A, w, &space);
    vks_status s = rec_leave_once(&r, room.status);
    room_close(&room);
    return s;
}

vks_status long_rows_keep(struct device *d, const struct csr *A, enum precision p, struct long_rows *w)
{
    struct rec r = rec_once(d, p);
    vks_status s = allocate(d, w->entries, "columns of long rows", &w->col);
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, (uint64_t)w->entries * real_bytes(p), "values of long rows",
                             &w->val));
    long_copy(&r, A, w, false);
    return rec_leave_once(&r, s);
}

void long_rows_destroy(struct device *d, struct long_rows *w)
{
    struct memory *all[] = {&w->bits,         &w->list,      &w->start, &w->sum,
                            &w->several_head, &w->many_head, &w->col,   &w->val};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        device_release(d, all[i]);
    *w = (struct long_rows){0};
}
