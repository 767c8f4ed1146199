/* Sparse times sparse on the host: distribution of rows to threads, and their places in C. */
#include "sparse/spgemm_host.h"
#include "primitive/pack_verbs.h"
#include "report/clock.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_GRAB = 1024,
    GRABS = 64 /* of each thread at least */,
    GATHERED_LEAST = 2 /* least mean entries of a row of B for gathering */,
    GATHERED_MOST = 8 /* and most */,
    PARTS = 4 /* of a row, for each thread */
};

/* Whether each thread may have a word for each column. */
static bool may_mark(struct device *d, uint32_t cols)
{
    return d->info.kind == DEVICE_HOST && cols <= (uint32_t)1 << SPGEMM_HOST_BITS && !device_is_forked(d);
}

static void begin(struct crowd *w, const struct csr *A, const struct csr *B, const struct device *d)
{
    uint32_t takers = team_size(d->team), grab = A->n / (GRABS * takers);
    *w = (struct crowd){
        .f = {.a_row = (const uint32_t *)A->row,
              .a_col = (const uint32_t *)A->col,
              .a_val = (const void *)A->val,
              .b_row = (const uint32_t *)B->row,
              .b_col = (const uint32_t *)B->col,
              .b_val = (const void *)B->val,
              .rows = A->n,
              .cols = B->cols,
              .b_entries = B->entries,
              .gathers = B->entries / GATHERED_LEAST >= B->n && B->entries / GATHERED_MOST < B->n},
        .parts = takers < 2 ? 1 : PARTS * takers,
        .takers = takers,
        .missing = UINT32_MAX};
    w->grab = grab > MOST_GRAB ? MOST_GRAB : grab < SPGEMM_HOST_ROWS ? SPGEMM_HOST_ROWS : grab;
}

static vks_status take_takers(struct crowd *w, struct device *d)
{
    uint64_t bytes = w->takers * sizeof *w->taker;
    w->taker = calloc(1, bytes);
    return w->taker ? VKS_OK : fail_memory(d->message, "threads of a product", bytes);
}

/* Allocates the threads' state and marks, which suffice for values, in one device array, so that a scratch
 * can lend it. */
static vks_status lend_takers(struct crowd *w, struct device *d, struct memory *room)
{
    uint64_t bytes = w->takers * sizeof *w->taker;
    TRY(device_allocate(d, MEMORY_DEVICE, bytes + w->takers * (4 * (uint64_t)w->f.cols),
                        "threads of a product", room));
    w->taker = memset(room->mapped, 0, bytes);
    w->marks = (uint32_t *)(void *)(w->taker + w->takers);
    return VKS_OK;
}

/* Sets the arrays of C that are allocated. */
static void into(struct crowd *w, const struct csr *C)
{
    w->f.c_row = (uint32_t *)C->row;
    w->f.c_col = (uint32_t *)C->col;
    w->f.c_val = (void *)C->val;
}

static void end(struct crowd *w)
{
    for (uint32_t k = 0; w->taker && k < w->takers; k++) {
        free(w->taker[k].seen);
        free(w->taker[k].found);
        free(w->taker[k].sum);
    }
    free(w->taker);
    free(w->left_row);
    free(w->part_begin);
}

/* Prepares a thread before its first row: clears its lent marks, or allocates marks and the tree. */
static bool taker_begin(const struct crowd *w, struct taker *t)
{
    uint32_t cols = w->f.cols;
    if (t->seen)
        return true;
    t->base = w->mark + 1;
    if (w->marks) {
        t->seen = w->marks + (size_t)(t - w->taker) * cols;
        memset(t->seen, 0, 4 * (uint64_t)cols);
        return true;
    }
    uint64_t marks = (uint64_t)cols / 2 + 1, words = marks + 1;
    for (uint64_t level = cols; level > 1; words += level)
        level = (level + 63) / 64;
    uint64_t *room = calloc(words, sizeof *room);
    if (!room) {
        t->lack = "marks of columns";
        t->lack_bytes = words * sizeof *room;
        return false;
    }
    t->seen = (uint32_t *)(void *)room;
    bit_tree_lay_out(&t->columns, cols, room + marks);
    return true;
}

/* Takes the next `size` of n pieces; returns n if none is left. */
static uint32_t take(struct crowd *w, uint32_t n, uint32_t size)
{
    if (__atomic_load_n(&w->stop, __ATOMIC_RELAXED))
        return n;
    uint64_t first = __atomic_fetch_add(&w->next, size, __ATOMIC_RELAXED);
    return first < n ? (uint32_t)first : n;
}

static void go_on_if(struct crowd *w, bool well)
{
    if (!well)
        __atomic_store_n(&w->stop, true, __ATOMIC_RELAXED);
}

/* Takes rows. The leader takes one piece and returns to the loop, which wakes the other members; they
 * continue until no piece is left. */
static void take_rows(const void *crowd, struct member *me)
{
    struct crowd *w = (struct crowd *)(uintptr_t)crowd;
    struct taker *t = &w->taker[me->index];
    uint32_t rows = w->f.rows, grabs = rows / w->grab + 1, first;
    TEAM_FOR(me, g, grabs, 2, 1)
    {
        while ((first = take(w, rows, w->grab)) < rows) {
            uint32_t last = rows - first > w->grab ? first + w->grab : rows;
            go_on_if(w, taker_begin(w, t) && w->rows(w, t, first, last));
            if (!me->index)
                break;
        }
    }
}

/* take_rows for the parts of rows left to all threads. */
static void take_parts(const void *crowd, struct member *me)
{
    struct crowd *w = (struct crowd *)(uintptr_t)crowd;
    struct taker *t = &w->taker[me->index];
    uint32_t parts = w->left * w->parts, q;
    TEAM_FOR(me, g, parts, 2, 1)
    {
        while ((q = take(w, parts, 1)) < parts) {
            go_on_if(w, taker_begin(w, t) && w->part(w, t, q / w->parts, q % w->parts));
            if (!me->index)
                break;
        }
    }
}

static vks_status share(struct crowd *w, struct device *d, team_body body)
{
    double begun = clock_seconds();
    w->next = 0;
    team_run(d->team, body, w);
    if (d->timed)
        d->kernel_seconds += clock_seconds() - begun;
    for (uint32_t k = 0; k < w->takers; k++)
        if (w->taker[k].lack)
            return fail_memory(d->message, w->taker[k].lack, w->taker[k].lack_bytes);
    return VKS_OK;
}

/* Converts the entry counts of parts to offsets in the row, and stores the row's count. */
static void add_parts(struct crowd *w)
{
    for (uint32_t k = 0; k < w->left; k++) {
        uint32_t *part = w->part_begin + (size_t)k * w->parts, sum = 0;
        for (uint32_t p = 0; p < w->parts; p++) {
            uint32_t entries = part[p];
            part[p] = sum;
            sum += entries;
        }
        w->f.c_row[w->left_row[k]] = sum;
    }
}

static vks_status count_left(struct crowd *w, struct device *d)
{
    w->left = w->left < SPGEMM_MOST_LEFT ? w->left : SPGEMM_MOST_LEFT;
    uint64_t bytes = 4 * (uint64_t)w->left, part_bytes = bytes * w->parts;
    w->left_row = malloc(bytes);
    w->part_begin = malloc(part_bytes);
    if (!w->left_row || !w->part_begin)
        return fail_memory(d->message, "parts of rows", bytes + part_bytes);
    for (uint32_t i = 0, k = 0; k < w->left; i++)
        if (w->f.c_row[i] == SPGEMM_UNKNOWN)
            w->left_row[k++] = i;
    w->part = crowd_count_part;
    TRY(share(w, d, take_parts));
    add_parts(w);
    return VKS_OK;
}

static vks_status count_entries(struct crowd *w, struct device *d)
{
    w->rows = crowd_count_rows;
    TRY(share(w, d, take_rows));
    return w->left ? count_left(w, d) : VKS_OK;
}

static vks_status sum_products(struct crowd *w, struct device *d, enum precision p)
{
    w->rows = crowd_sums[p].rows;
    w->part = crowd_sums[p].part;
    TRY(share(w, d, take_rows));
    return w->left ? share(w, d, take_parts) : VKS_OK;
}

vks_status spgemm_host(const vks_matrix *A, const vks_matrix *B, const struct spgemm_options *o,
                       vks_matrix *C, bool *taken)
{
    struct device *d = C->context->device;
    struct crowd w;
    uint32_t entries = 0;
    *taken = !o->host_classes && may_mark(d, B->csr.cols);
    if (!*taken)
        return VKS_OK;
    begin(&w, &A->csr, &B->csr, d);
    vks_status s = take_takers(&w, d);
    w.heavy = o->heavy;
    w.mark = o->mark;
    into(&w, &C->csr);
    IF_OK(s, count_entries(&w, d));
    IF_OK(s, offsets_from_counts(d, C->csr.row, C->csr.n, "the product", &entries));
    IF_OK(s, matrix_room(C, entries));
    into(&w, &C->csr);
    IF_OK(s, sum_products(&w, d, precision_of(C->precision)));
    end(&w);
    return s;
}

vks_status spgemm_host_values(const struct csr *A, const struct csr *B, vks_matrix *C, uint32_t *missing,
                              bool *taken)
{
    struct device *d = C->context->device;
    struct memory room;
    struct crowd w;
    *taken = may_mark(d, B->cols);
    if (!*taken)
        return VKS_OK;
    begin(&w, A, B, d);
    vks_status s = lend_takers(&w, d, &room);
    into(&w, &C->csr);
    w.rows = crowd_sums[precision_of(C->precision)].again;
    IF_OK(s, share(&w, d, take_rows));
    if (missing)
        *missing = w.missing;
    device_release(d, &room);
    return s;
}
